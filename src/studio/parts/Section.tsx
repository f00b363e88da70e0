import type { ReactNode } from 'react'

/** One subject of a settings page: its description beside its form. */
export function Section({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="grid gap-x-10 gap-y-3 border-t border-line pt-6 first:border-t-0 first:pt-0 lg:grid-cols-[16rem_minmax(0,46rem)]">
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        {description && <p className="mt-1 text-pretty text-muted">{description}</p>}
      </div>
      <div className="min-w-0 rounded-lg border border-line bg-surface p-4 sm:p-5">{children}</div>
    </section>
  )
}

/** Sections, one below the other. */
export function Sections({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-6">{children}</div>
}
