import type { ReactNode } from 'react'

/** The props of a kind's form: the current query, and the callback for changes. */
export interface QueryFormProps<Query> {
  query: Query
  onChange: (next: Query) => void
}

/** A section of a form with a heading. */
export function FormPart({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="flex flex-col gap-2.5 border-t border-line pt-4 first:border-t-0 first:pt-0"
    >
      <div>
        <h3 className="text-sm font-semibold">{title}</h3>
        {hint && <p className="text-xs text-pretty text-muted">{hint}</p>}
      </div>
      {children}
    </section>
  )
}

/** Two controls beside each other. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-2 items-end gap-2 *:min-w-0">{children}</div>
)

/** The option value for "none": selects take no undefined. */
export const none = '-'
export const orNone = (value: string | undefined): string => value ?? none
export const fromNone = (value: string): string | undefined => (value === none ? undefined : value)
