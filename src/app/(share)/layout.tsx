import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import '../../ui/styles.css'
import { Ground } from '../(studio)/Ground'

export const metadata: Metadata = {
  title: { default: 'Tilth', template: '%s · Tilth' },
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

export const viewport: Viewport = { colorScheme: 'light dark' }

/** The document of what is shown to people outside. Its address says in which theme, for the page it is framed by. */
export default async function ShareLayout({ children }: { children: ReactNode }) {
  const said = await headers()
  const nonce = said.get('content-security-policy')?.match(/'nonce-([^']+)'/)?.[1]

  return (
    <html lang="en" data-theme={themeIn(said.get('x-tilth-address'))}>
      <body>
        <Ground nonce={nonce}>{children}</Ground>
      </body>
    </html>
  )
}

/** A layout is not told what stands behind the question mark; the front says the whole address. */
function themeIn(address: string | null): 'light' | 'dark' | undefined {
  const theme = URL.parse(address ?? '/', 'https://ours.invalid')?.searchParams.get('theme')
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
