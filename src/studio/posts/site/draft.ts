import type { Site, SiteSettings } from '#posts/site'

/** What is set, and nothing that follows from it. */
export function draftOf(site: Site, projectName: string): SiteSettings {
  const { projectId: _, origin: _origin, timeZone: _zone, writeKey: _key, ...settings } = site
  return { ...settings, name: site.name === projectName ? '' : site.name }
}

export const isSame = (one: SiteSettings, other: SiteSettings): boolean =>
  // the keys may be in another order
  Object.entries(one).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(other, name)),
  )
