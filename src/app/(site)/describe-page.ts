import type { Metadata } from 'next'
import { type Alternate, languageAddress } from '#posts/languages'
import type { Post } from '#posts/post'
import type { Site } from '#posts/site'
import type { KitIcon } from '#site-kit/kit-manifest'
import { languageLinks } from './alternates'
import { currentManifest } from './kit/render-kit'
import { addressOfPage, type PageOfList } from './paging'
import { escapeXml } from '#posts/xml'
import { accentsOf } from '#posts/site-accents'

interface PageDescription {
  /** '' where it is the site's own name. */
  title: string
  description: string
  /** From the root of the site. */
  path: string
  picture?: string | undefined
  isHidden?: boolean
  /** The page's own feeds, if they differ from the site's. */
  feeds?: FeedLinks
  /** The page in each of its languages. */
  alternates?: readonly Alternate[]
}

interface FeedLinks {
  rss: string
  atom: string
  json: string
}

const feedsOfSite: FeedLinks = { rss: '/blog/rss.xml', atom: '/blog/atom.xml', json: '/blog.json' }

/** The feeds of the blog in the language of the page. */
export const feedsOf = ({ language, mainLanguage }: Site): FeedLinks =>
  mainLanguage === undefined ? feedsOfSite : feedsBelow(languageAddress(language))

export const feedsBelow = (path: string): FeedLinks => ({
  rss: `${path}/rss.xml`,
  atom: `${path}/atom.xml`,
  json: `${path}/feed.json`,
})

/** Everything that the head of a page says. Next puts no two of these together, so each page says all of it. */
export function describePage(site: Site, words: PageDescription): Metadata {
  const { title, path, isHidden, feeds = feedsOf(site) } = words
  const picture = words.picture || site.socialPicture
  const name = site.name
  const description = words.description || undefined
  const languages = languageLinks(words.alternates ?? [], site)
  const images = picture ? [picture] : undefined
  return {
    metadataBase: new URL(site.origin),
    title: { absolute: title && title !== name ? `${title} · ${name}` : name },
    description,
    alternates: { canonical: path, languages, types: linksTo(feeds, words.feeds ? title : name) },
    icons: iconsOf(site),
    robots: isHidden ? { index: false, follow: true } : undefined,
    other: metaTagsOf(site),
    openGraph: { type: 'website', siteName: name, title: title || name, description, url: path, images },
    twitter: { card: picture ? 'summary_large_image' : 'summary' },
  }
}

/** The icons of the site folder, or the icon of the settings. */
export function iconsOf(site: Site): Metadata['icons'] {
  const icons = currentManifest()?.icons ?? []
  const own = (rel: KitIcon['rel']) =>
    icons.filter((icon) => icon.rel === rel).map(({ href: url, type, sizes }) => ({ url, type, sizes }))
  const icon = own('icon')
  return { icon: icon.length > 0 ? icon : iconOf(site), apple: own('apple-touch-icon') }
}

/** Several meta elements may have the same name. */
function metaTagsOf({ metaTags }: Site): Record<string, string[]> {
  const byName = Map.groupBy(metaTags, ({ name }) => name)
  return Object.fromEntries([...byName].map(([name, tags]) => [name, tags.map(({ content }) => content)]))
}

const linksTo = ({ rss, atom, json }: FeedLinks, title: string) => ({
  'application/rss+xml': [{ url: rss, title }],
  'application/atom+xml': [{ url: atom, title }],
  'application/feed+json': [{ url: json, title }],
})

type TitledPost = Pick<Post, 'title'>

export function describeList(
  site: Site,
  words: PageDescription,
  { things, page, pages }: PageOfList<TitledPost>,
): Metadata {
  const at = (other: number) => addressOfPage(words.path, other, site)
  const description = words.description || titlesOf(things)
  return {
    ...describePage(site, { ...words, description, path: at(page) }),
    pagination: {
      previous: page > 1 ? at(page - 1) : null,
      next: page < pages ? at(page + 1) : null,
    },
  }
}

/** About as much as search engines show of a description. */
const maxDescription = 160

/** Describes a list that has no description of its own by the first titles in it. */
export function titlesOf(posts: readonly TitledPost[]): string {
  const titles = posts.map(({ title }) => title)
  while (titles.length > 1 && titles.join(' · ').length > maxDescription) titles.pop()
  return titles.join(' · ')
}

type SiteWithIcon = Pick<Site, 'name' | 'accent' | 'accentDark' | 'logo' | 'favicon'>

const iconOf = (site: SiteWithIcon): string => site.favicon || site.logo || letterIcon(site)

/** The icon of a site without a logo: the first letter of its name on its own colour. */
export function letterIcon(site: Pick<Site, 'name' | 'accent' | 'accentDark'>): string {
  const { light, onLight } = accentsOf(site)
  const [{ segment: letter } = { segment: '' }] = new Intl.Segmenter().segment(site.name.trim().toUpperCase())
  const text = `<text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="${onLight}">${escapeXml(letter)}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${light}"/>${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
