import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { isSameLanguage, languageInPath, languageOf, linkIn, siteIn } from '#posts/languages'
import type { Post } from '#posts/post'
import type { Site, SiteLink } from '#posts/site'
import type { PageVisit, StaticSite } from '#visits/visit'
import { getProduct } from '#studio/product'
import { currentVisit, currentVisitIfAny } from './current-visit'

/** Opens the request of a site page: its site, its visit and the current time. */
export function openSite() {
  const site = currentSite()
  if (!site) notFound()
  const visit = currentVisit()
  return {
    site,
    visit,
    published: shownContentOf(visit),
    prepared: getProduct().posts.prepared,
    now: new Date(),
  }
}

export type OpenSite = ReturnType<typeof openSite>

/**
 * The site of this request, in the language of its page. Undefined where the site is switched off, and on a missing
 * page of the studio.
 */
export function currentSite(): Site | undefined {
  const visit = currentVisitIfAny()
  if (!visit) return undefined
  const { published } = getProduct().posts
  const { projectId } = visit.visit
  const now = new Date()
  const fingerprint = published.fingerprint(projectId, 'site', now)
  if (fingerprint !== undefined) visit.noteContent('site', fingerprint)
  const site = published.site(projectId)
  const { pathname } = new URL(visit.address, 'http://site')
  const language = languageInPath(pathname) ?? published.at(projectId, pathname, now)?.language
  const localized = site && language !== undefined ? siteIn(site, language) : site
  const linked =
    localized?.mainLanguage === undefined
      ? localized
      : withLinksInLanguage(localized, shownContentOf(visit), now)
  return linked && asStaticSite(linked, visit.visit.staticSite)
}

const shownContentOf = (visit: PageVisit) =>
  getProduct().posts.published.shownContent((part, fingerprint) => visit.noteContent(part, fingerprint))

/** Links of the site lead to pages in the language of this page where there are such. */
function withLinksInLanguage(site: Site, published: ReturnType<typeof shownContentOf>, now: Date): Site {
  const isHere = (post: Post): boolean => isSameLanguage(languageOf(post, site), site.language)
  // the addresses and the names of pages
  published.note(site.projectId, 'contents', now)
  const translationAt = (address: string): Post | 'list' | undefined => {
    if (address === '/blog')
      return published.posts(site.projectId, now, 'order').some(isHere) ? 'list' : undefined
    const post = address.startsWith('/') ? published.at(site.projectId, address, now) : undefined
    const found = post && published.translations(post, now).find(isHere)
    if (found?.kind === 'post') published.noteListed([found])
    return found
  }
  const localize = (links: readonly SiteLink[]): SiteLink[] =>
    links.map((link) => linkIn(site, link, translationAt))
  return { ...site, navigation: localize(site.navigation), footer: localize(site.footer) }
}

const asStaticSite = (site: Site, staticSite: StaticSite | undefined): Site =>
  staticSite ? { ...site, origin: staticSite.origin, staticServer: staticSite.server } : site

/** The address of this request. Next does not pass it to layouts. */
export async function requestUrl(): Promise<URL> {
  return new URL((await headers()).get('x-tilth-address') ?? '/', 'http://site')
}

/** Addresses come as they were sent; slugs are written in letters. */
export function decodeSlug(part: string): string {
  try {
    return decodeURIComponent(part).normalize('NFC')
  } catch {
    return part
  }
}
