import type { ReactNode } from 'react'

/** A part of a form: a heading with fields. */
export const FormPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section
    aria-label={title}
    className="flex flex-col gap-2.5 border-t border-line pt-4 first:border-t-0 first:pt-0"
  >
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </section>
)

/** Two controls beside each other. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-2 items-end gap-2 *:min-w-0">{children}</div>
)
