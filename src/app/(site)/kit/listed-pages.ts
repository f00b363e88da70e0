import type { Alternate } from '#posts/languages'
import type { ListedPage } from '#site-kit/listed-pages'
import { getKit } from '#studio/product'
import type { ListEntry } from '../list-entries'
import type { OpenSite } from '../open-site'
import { currentManifest, kitQueries } from './render-kit'
import { siteForKit } from './site-for-kit'

/** A newer list is ready by then, as a rule. */
const retryAfterSeconds = 2

/** The pages of the site folder. A page that shows them while they are read is cached for a moment only. */
export async function listedPages({ site, visit }: OpenSite): Promise<readonly ListedPage[]> {
  if (!currentManifest()) return []
  const { listed } = getKit()
  const { pages, isCurrent, maxAgeSeconds } = await listed.list(contextOf(site))
  if (!isCurrent) visit.cacheFor(retryAfterSeconds)
  else if (maxAgeSeconds !== undefined) visit.cacheFor(maxAgeSeconds)
  return pages
}

export async function searchPages(words: string, { site }: OpenSite): Promise<ListEntry[]> {
  if (!currentManifest()) return []
  return (await getKit().listed.search(words, contextOf(site))).map(listEntryOf)
}

const contextOf = (site: OpenSite['site']) => ({ site: siteForKit(site), questions: kitQueries() })

export const alternatesOfPage = ({ languages }: Pick<ListedPage, 'languages'>): Alternate[] =>
  Object.entries(languages).map(([language, address]) => ({ language, address }))

const listEntryOf = ({ address, title, description }: ListedPage): ListEntry => ({
  address,
  title: title || address,
  excerpt: description,
  cover: undefined,
  publishedAt: undefined,
  minutes: 0,
  authors: [],
  tags: [],
  isFeatured: false,
  shown: undefined,
})
