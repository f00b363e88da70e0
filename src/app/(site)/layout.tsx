import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import type { Site } from '#posts/site'
import { inter } from './fonts'
import { VisitProvider } from '#visits/Provider'
import { getProduct } from '../product'
import { requestUrl, currentSite } from './open-site'
import { SiteFooter } from './SiteFooter'
import { SiteHeader } from './SiteHeader'
import { pageBackgrounds, themeOf } from './theme'
import { currentVisitIfAny } from './current-visit'
import { directionOf, translationFor } from './translations'
import './site.css'

/** Every page is rendered for a visit; the front keeps it for all whose visits agree in what it shows. */
export const dynamic = 'force-dynamic'

export const metadata: Metadata = { title: { default: 'Tilth', template: '%s · Tilth' } }

export function generateViewport(): Viewport {
  const appearance = currentSite()?.appearance ?? 'system'
  if (appearance !== 'system') return { colorScheme: appearance, themeColor: pageBackgrounds[appearance] }
  return {
    colorScheme: 'light dark',
    themeColor: [
      { media: '(prefers-color-scheme: light)', color: pageBackgrounds.light },
      { media: '(prefers-color-scheme: dark)', color: pageBackgrounds.dark },
    ],
  }
}

/**
 * The site's own document. `data-weight="static"` promises that no page in it holds a client component, which lets
 * the front take the framework's scripts out before anybody has to download them.
 */
export default async function SiteLayout({ children }: { children: ReactNode }) {
  const site = currentSite()
  if (!site) return <BareDocument>{children}</BareDocument>

  const address = await requestUrl()
  const theme = site.appearance === 'system' ? undefined : site.appearance
  return (
    <html
      lang={site.language}
      dir={directionOf(site.language)}
      className={inter.variable}
      data-weight="static"
      data-theme={theme}
      data-typeface={site.typeface}
    >
      <body>
        <style>{themeOf(site)}</style>
        <a className="skip" href="#content">
          {translationFor(site.language).skip}
        </a>
        <SiteHeader site={site} path={address.pathname} />
        {children}
        <SiteFooter site={site} />
        <SiteScript site={site} isPreview={address.searchParams.has('preview')} />
      </body>
    </html>
  )
}

const BareDocument = ({ children }: { children: ReactNode }) => (
  <html lang="en" data-weight="static">
    <body>{children}</body>
  </html>
)

/** Without a key it only makes the site pleasant to walk through: previews and links for trying out are not counted. */
function SiteScript({ site, isPreview }: { site: Site; isPreview: boolean }) {
  const isCounted = !isPreview && !currentVisitIfAny()?.visit.isTried
  return (
    <>
      {isCounted && site.loadsPosthog && <PosthogScript site={site} />}
      <script
        async
        src="/_tilth/site.js"
        data-project={isCounted ? site.writeKey : undefined}
        data-surveys={
          isCounted && getProduct().surveyAnswers.hasSurveysForPages(site.projectId) ? '' : undefined
        }
      />
    </>
  )
}

/** Begins with what was decided, which stands before it. */
function PosthogScript({ site }: { site: Site }) {
  return (
    <VisitProvider>
      <script async src="/_tilth/site-posthog.js" data-project={site.writeKey} />
    </VisitProvider>
  )
}
