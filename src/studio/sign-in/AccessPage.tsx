import type { ReactNode } from 'react'
import { Logo } from '#studio/shell/Brand'

/** The page around the ways in: our name, and one thing to do. */
export function AccessPage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col px-4 py-6 sm:px-8">
      <p className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
        <Logo /> Tilth
      </p>
      <main className="mx-auto flex w-full max-w-md grow flex-col justify-center py-10 sm:pb-[10vh]">
        {children}
      </main>
    </div>
  )
}

/** The title and instructions of a step of signing in, with its form. */
export function AccessCard({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <h1 className="text-3xl font-semibold">{title}</h1>
      {description && <p className="mt-2 text-base text-pretty text-muted">{description}</p>}
      <div className="mt-6 rounded-lg border border-line bg-surface p-5 sm:p-6">{children}</div>
    </>
  )
}
