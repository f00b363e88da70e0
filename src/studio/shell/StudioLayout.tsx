import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import '#ui/styles.css'
import { StudioProviders } from './StudioProviders'
import { chosenTheme } from './theme'

export const metadata: Metadata = {
  title: { default: 'Tilth', template: '%s · Tilth' },
  icons: { icon: '/icon.svg' },
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8f7f4' },
    { media: '(prefers-color-scheme: dark)', color: '#131210' },
  ],
}

/** The studio's own document. It reads cookies and the nonce, so every page in it is rendered for one request. */
export async function StudioLayout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme()

  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <body>
        <StudioProviders nonce={await pageNonce()}>{children}</StudioProviders>
      </body>
    </html>
  )
}

/** The front says the policy to the browser and to us. */
async function pageNonce(): Promise<string | undefined> {
  const policy = (await headers()).get('content-security-policy')
  return policy?.match(/'nonce-([^']+)'/)?.[1]
}
