import type { Metadata } from 'next'
import type { Site } from '#posts/site'
import { addressOfPage, type PageOfList } from './paging'

export interface PageDescription {
  /** '' where it is the site's own name. */
  title: string
  description: string
  /** From the root of the site. */
  path: string
  picture?: string | undefined
  isHidden?: boolean
  /** The page's own feeds, if they differ from the site's. */
  feeds?: FeedLinks
}

interface FeedLinks {
  rss: string
  atom: string
  json: string
}

export const feedsOfSite: FeedLinks = { rss: '/blog/rss.xml', atom: '/blog/atom.xml', json: '/blog.json' }

export const feedsBelow = (path: string): FeedLinks => ({
  rss: `${path}/rss.xml`,
  atom: `${path}/atom.xml`,
  json: `${path}/feed.json`,
})

/** Everything that the head of a page says. Next puts no two of these together, so each page says all of it. */
export function describePage(site: Site, words: PageDescription): Metadata {
  const { title, path, picture, isHidden, feeds = feedsOfSite } = words
  const name = site.name
  const description = words.description || undefined
  const images = picture ? [picture] : undefined
  return {
    metadataBase: new URL(site.origin),
    title: { absolute: title && title !== name ? `${title} · ${name}` : name },
    description,
    alternates: { canonical: path, types: linksTo(feeds, feeds === feedsOfSite ? name : title) },
    icons: site.logo ? { icon: site.logo } : undefined,
    robots: isHidden ? { index: false, follow: true } : undefined,
    openGraph: { type: 'website', siteName: name, title: title || name, description, url: path, images },
    twitter: { card: picture ? 'summary_large_image' : 'summary' },
  }
}

const linksTo = ({ rss, atom, json }: FeedLinks, title: string) => ({
  'application/rss+xml': [{ url: rss, title }],
  'application/atom+xml': [{ url: atom, title }],
  'application/feed+json': [{ url: json, title }],
})

type PagePosition = Pick<PageOfList<unknown>, 'page' | 'pages'>

export function describeList(site: Site, words: PageDescription, { page, pages }: PagePosition): Metadata {
  const at = (other: number) => addressOfPage(words.path, other)
  return {
    ...describePage(site, { ...words, path: at(page) }),
    pagination: {
      previous: page > 1 ? at(page - 1) : null,
      next: page < pages ? at(page + 1) : null,
    },
  }
}
