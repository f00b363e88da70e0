import type { ReactNode } from 'react'

type MessageProps = { title: string; body?: ReactNode; action?: ReactNode; icon?: ReactNode }

/** The message of an empty page or panel, with the next step. */
export function EmptyMessage({ title, body, action, icon }: MessageProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-12 text-center">
      {icon && (
        <span
          aria-hidden
          className="mb-3 grid size-10 place-items-center rounded-lg border border-line bg-canvas text-muted"
        >
          {icon}
        </span>
      )}
      <p className="text-base font-semibold text-balance">{title}</p>
      {body && <div className="mt-1 text-pretty text-muted">{body}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
