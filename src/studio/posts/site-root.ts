import type { Site } from '#posts/site'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'

/** The address below which a member opens the pages of a site; undefined while it is turned off. */
export function siteRootFor(site: Site, slug: string): string | undefined {
  if (!site.isOn) return undefined
  return getProduct().posts.published.openableOrigin(site) ?? paths.sitePreview(slug)
}
