import { escapeXml } from '#posts/xml'
import type { Site } from '#posts/site'
import { accentsOf } from '#posts/site-accents'

type SiteWithIcon = Pick<Site, 'name' | 'accent' | 'accentDark' | 'logo' | 'favicon'>

export const iconOf = (site: SiteWithIcon): string => site.favicon || site.logo || letterIcon(site)

/** The icon of a site without a logo: the first letter of its name on its own colour. */
export function letterIcon(site: Pick<Site, 'name' | 'accent' | 'accentDark'>): string {
  const { light, onLight } = accentsOf(site)
  const [{ segment: letter } = { segment: '' }] = new Intl.Segmenter().segment(site.name.trim().toUpperCase())
  const text = `<text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="${onLight}">${escapeXml(letter)}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${light}"/>${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
