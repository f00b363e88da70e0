import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import type { Site } from '#posts/site'
import { VisitProvider } from '#visits/Provider'
import { getKit, getProduct } from '#studio/product'
import { pathOf } from '#posts/addresses'
import { pageBackgrounds, themeOf } from '#posts/site-accents'
import { alternatesAt } from './alternates'
import { contentsAt } from './contents-at'
import { openSite, requestUrl, currentSite } from './open-site'
import { KitProblems } from './kit/KitProblems'
import { siteAtKitPage } from './kit/KitPage'
import { currentManifest, kitForTeam } from './kit/render-kit'
import { siteForKit } from './kit/site-for-kit'
import { InLayout } from './kit/WithLayout'
import { SiteHeader } from './SiteHeader'
import { themeNameOf } from './themes'
import { currentVisitIfAny } from './current-visit'
import { directionOf, translationFor } from './translations'
import './site-layer.css'
import { type Alternate, isSameLanguage, mainLanguageOf, nameOfLanguage } from '#posts/languages'
import { feedsOf } from './describe-page'
import localFont from 'next/font/local'
import { readMarkdown } from '#posts/markdown'
import { PostBody } from '#posts/PostBody'
import { liveBlocks } from './live-blocks'

/** Fetched with the page, for the letters of most; site.css has it for those of all others, too. */
const inter = localFont({
  src: '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  variable: '--font-inter',
  weight: '100 900',
  display: 'swap',
  // site.css stretches another typeface to its measures, behind the letters of other scripts
  adjustFontFallback: false,
  fallback: [],
})

/** Every page is rendered for a visit; the front keeps it for all whose visits agree in what it shows. */
export const dynamic = 'force-dynamic'

export const metadata: Metadata = { title: { default: 'Tilth', template: '%s · Tilth' } }

export function generateViewport(): Viewport {
  const site = currentSite()
  const appearance = site?.appearance ?? 'system'
  const themed = site && getKit().themes.styles(themeNameOf(site)).backgrounds
  const backgrounds = currentManifest()?.backgrounds ?? themed ?? pageBackgrounds
  if (appearance !== 'system') return { colorScheme: appearance, themeColor: backgrounds[appearance] }
  return {
    colorScheme: 'light dark',
    themeColor: [
      { media: '(prefers-color-scheme: light)', color: backgrounds.light },
      { media: '(prefers-color-scheme: dark)', color: backgrounds.dark },
    ],
  }
}

/**
 * The site's own document. `data-weight="static"` promises that no page in it holds a client component, which lets
 * the front take the framework's scripts out before any browser has to download them.
 */
export default async function SiteLayout({ children }: { children: ReactNode }) {
  const current = currentSite()
  if (!current) return <BareDocument>{children}</BareDocument>

  const address = await requestUrl()
  const site = await siteAtKitPage(current, pathOf(address.pathname))
  const manifest = currentManifest()
  const team = site.staticServer === undefined ? kitForTeam() : undefined
  const theme = site.appearance === 'system' ? undefined : site.appearance
  return (
    <html
      lang={site.language}
      dir={directionOf(site.language)}
      className={inter.variable}
      data-weight="static"
      data-theme={theme}
      data-typeface={site.typeface}
      data-kit={manifest && ''}
      data-width={site.width}
    >
      <head>
        <style>{`@layer tilth{${themeOf(site)}${getKit().themes.styles(themeNameOf(site)).css}}`}</style>
        {manifest?.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body>
        <a className="skip" href="#content">
          {translationFor(site).skip}
        </a>
        <Frame site={site} path={address.pathname} feed={feedsOf(current).rss}>
          {children}
        </Frame>
        {team && <KitProblems problems={team.problems} />}
        {team && <script async src="/_tilth/site-dev.js" data-shown={team.shown} />}
        <SiteScript site={site} isPreview={address.searchParams.has('preview')} />
      </body>
    </html>
  )
}

interface FrameProps {
  site: Site
  path: string
  /** The address of the feed, which is there only in languages of posts. */
  feed: string
  children: ReactNode
}

/** The header and the footer around each page, or the team's own layout. */
async function Frame({ site, path, feed, children }: FrameProps) {
  const open = openSite()
  const banner = <Slot place="header" site={site} />
  const languages = <Languages alternates={alternatesAt(path, open)} site={site} />
  const page = open.published.at(site.projectId, path, open.now)
  return (
    <InLayout
      name="default"
      prefix="f"
      props={{ site: siteForKit(site), path, contents: page && contentsAt(page, open) }}
      parts={{
        header: (
          <>
            {banner}
            <SiteHeader site={site} path={path} languages={languages} />
          </>
        ),
        children,
        footer: <SiteFooter site={site} feed={feed} />,
        banner,
        languages,
      }}
    />
  )
}

const BareDocument = ({ children }: { children: ReactNode }) => (
  <html lang="en" data-weight="static">
    <body>{children}</body>
  </html>
)

/** Without a key it only makes the site pleasant to walk through: previews and links for trying out are not counted. */
function SiteScript({ site, isPreview }: { site: Site; isPreview: boolean }) {
  const visit = currentVisitIfAny()
  const isCounted = !isPreview && !visit?.visit.isTried
  const isStatic = site.staticServer !== undefined
  const hasSurveys = getProduct().surveys.answers.hasSurveysForPages(site.projectId)
  visit?.noteContent('surveys', hasSurveys ? 'yes' : 'no')
  return (
    <>
      {isCounted && site.loadsPosthog && <PosthogScript site={site} />}
      <script
        async
        src={isStatic ? '/_tilth/site-files.js' : '/_tilth/site.js'}
        data-project={isCounted ? site.writeKey : undefined}
        data-surveys={isCounted && hasSurveys && !isStatic ? '' : undefined}
        data-server={isStatic ? `${site.staticServer}/_tilth/` : undefined}
      />
    </>
  )
}

/** Begins with what was decided, which stands before it. */
function PosthogScript({ site }: { site: Site }) {
  return (
    <VisitProvider>
      <script async src={`${site.staticServer ?? ''}/_tilth/site-posthog.js`} data-project={site.writeKey} />
    </VisitProvider>
  )
}

interface LanguagesProps {
  alternates: readonly Alternate[]
  site: Site
}

/** Links to the page in its other languages, each named in itself. */
function Languages({ alternates, site }: LanguagesProps) {
  if (alternates.length === 0) return null
  return (
    <nav className="languages" aria-label={translationFor(site).languages}>
      <ul>
        {alternates.map(({ language, address }) => (
          <li key={language}>
            <a
              href={address}
              lang={language}
              hrefLang={language}
              aria-current={isSameLanguage(language, site.language) ? 'true' : undefined}
            >
              {nameOfLanguage(language)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SiteFooter({ site, feed }: Pick<FrameProps, 'site' | 'feed'>) {
  const words = translationFor(site)
  return (
    <footer className="site-footer">
      <Slot place="footer" site={site} />
      <p dir="auto">{site.footerText || site.name}</p>
      <nav aria-label={words.footerNavigation}>
        <ul>
          {site.footer.map(({ label, address }) => (
            <li key={`${label} ${address}`}>
              <a href={address}>{label}</a>
            </li>
          ))}
          <li>
            <a href={feed}>{words.feed}</a>
          </li>
        </ul>
      </nav>
    </footer>
  )
}

const textIn = {
  header: ({ headerMarkdown }: Site) => headerMarkdown,
  footer: ({ footerMarkdown }: Site) => footerMarkdown,
}

interface SlotProps {
  place: keyof typeof textIn
  site: Site
}

/** The text that the settings put above the header or the footer of every page, in the language of the site. */
function Slot({ place, site }: SlotProps) {
  const text = textIn[place](site)
  if (text === '') return null
  const document = readMarkdown(text, { idPrefix: `${place}-`, words: translationFor(site) })
  // the footer is a landmark already
  const Element = place === 'header' ? 'aside' : 'div'
  return (
    <Element className={`${place}-slot`} lang={mainLanguageOf(site)}>
      <PostBody document={document} blocks={liveBlocks} />
    </Element>
  )
}
