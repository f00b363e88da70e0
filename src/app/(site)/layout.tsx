import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import '../../ui/styles.css'

export const metadata: Metadata = { title: { default: 'Tilth', template: '%s · Tilth' } }

/**
 * The site's own document. `data-weight="static"` promises that no page in it holds a client component, which lets
 * the front take the framework's scripts out before anybody has to download them.
 */
export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" data-weight="static">
      <body>{children}</body>
    </html>
  )
}
