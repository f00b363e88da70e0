import type { ReactNode } from 'react'
import { Anchor } from '../Anchor'

/** A number in a cell that leads to the persons behind it, above a link that covers its row. */
export function NumberLink({ href, label, children }: { href: string; label: string; children: ReactNode }) {
  return (
    <Anchor
      href={href}
      aria-label={label}
      className="relative z-1 -my-1.5 inline-block min-w-6 rounded-sm py-1.5 text-right underline-offset-3 hover:underline"
    >
      {children}
    </Anchor>
  )
}
