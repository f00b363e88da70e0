import { nearestName } from '#projects/nearest-name'
import { settingsPages } from '#studio/settings/pages'
import { allSections, home } from './nav-sections'
import { tabPages } from './tab-pages'

interface LinkedPage {
  label: string
  href: string
}

/** The page whose address is most like one that does not exist: the same but for some letters, or one that it would be in. */
export function nearestPage(pathname: string): LinkedPage | undefined {
  const [, studio, slug, ...rest] = pathname.split('/')
  if (studio !== 'studio' || !slug || rest.length === 0) return undefined
  const pages = [...allSections, ...tabPages, ...settingsPages]
    .filter((page) => page !== home)
    .map(({ label, path }) => ({ label, href: path(slug) }))
  return (
    alike(pathname, pages) ??
    pages.find(({ href }) => pathname.startsWith(`${href}/`)) ??
    alike(`/studio/${slug}/${rest[0]}`, pages)
  )
}

function alike(pathname: string, pages: readonly LinkedPage[]): LinkedPage | undefined {
  const partOf = (path: string) => path.split('/').slice(3).join('/')
  const name = nearestName(
    partOf(pathname),
    pages.map(({ href }) => partOf(href)),
  )
  return pages.find(({ href }) => name !== undefined && partOf(href) === name && href !== pathname)
}
