import { slugOf } from './post'

const slugs = new Map<string, string>()
const maxSlugs = 10_000

/** Returns `slugOf` from a cache. A site has few tags and series, and a page compares those of all of its posts. */
export function cachedSlugOf(text: string): string {
  const known = slugs.get(text)
  if (known !== undefined) return known
  if (slugs.size >= maxSlugs) slugs.clear()
  const slug = slugOf(text)
  slugs.set(text, slug)
  return slug
}
