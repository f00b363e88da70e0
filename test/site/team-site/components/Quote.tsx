import type { ReactNode } from 'react'

export const Quote = ({ by, children }: { by: string; children: ReactNode }) => (
  <figure className="quote">
    <blockquote>{children}</blockquote>
    <figcaption>{by}</figcaption>
  </figure>
)
