import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import '#ui/styles.css'

export const metadata: Metadata = { title: 'Provoked' }

export const dynamic = 'force-dynamic'

export default function ProvokedLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
