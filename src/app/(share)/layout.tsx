import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import '#ui/styles.css'
import { StudioProviders } from '#studio/shell/StudioProviders'

export const metadata: Metadata = {
  title: { default: 'Tilth', template: '%s · Tilth' },
  icons: { icon: '/icon.svg' },
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

export const viewport: Viewport = { colorScheme: 'light dark' }

/** The document of a shared page. Its address selects the theme, for the page that frames it. */
export default async function ShareLayout({ children }: { children: ReactNode }) {
  const requestHeaders = await headers()
  const nonce = requestHeaders.get('content-security-policy')?.match(/'nonce-([^']+)'/)?.[1]

  return (
    <html lang="en" data-theme={themeInAddress(requestHeaders.get('x-tilth-address'))}>
      <body>
        <StudioProviders nonce={nonce}>{children}</StudioProviders>
      </body>
    </html>
  )
}

/** Next passes no query to layouts; a header of the front server has the whole address. */
function themeInAddress(address: string | null): 'light' | 'dark' | undefined {
  const theme = URL.parse(address ?? '/', 'https://ours.invalid')?.searchParams.get('theme')
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
