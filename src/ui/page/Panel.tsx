import { useId, type ReactNode } from 'react'

type PanelProps = {
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** No padding: tables and lists reach the edges. */
  flush?: boolean
}

/** A sheet of surface with a hairline around it: one subject. */
export function Panel({ title, description, actions, children, footer, flush }: PanelProps) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={title ? titleId : undefined}
      className="flex min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface"
    >
      {(title || actions) && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-2.5 pb-1.5">
          <div className="min-w-0">
            {title && (
              <h2 id={titleId} className="text-base font-semibold">
                {title}
              </h2>
            )}
            {description && <p className="text-xs text-muted">{description}</p>}
          </div>
          {actions && <div className="flex items-center gap-2">{actions}</div>}
        </header>
      )}
      <div
        className={flush ? 'min-w-0 grow' : `min-w-0 grow px-4 pb-4 ${title || actions ? 'pt-1' : 'pt-4'}`}
      >
        {children}
      </div>
      {footer && <footer className="border-t border-line px-4 py-2.5 text-xs text-muted">{footer}</footer>}
    </section>
  )
}
