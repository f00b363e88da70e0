/** Slugs that the studio uses in addresses itself. */
const reserved = new Set([
  'setup',
  'sign-in',
  'sign-out',
  'join',
  'account',
  'forgot',
  'installation',
  'oidc',
  'reset',
  'projects',
  'new',
  'system',
  'api',
  'settings',
])

export const isReserved = (slug: string): boolean => reserved.has(slug)

/** A project can be named by slug or id, so a slug must not be a number. */
export const isNumeric = (slug: string): boolean => /^\d+$/.test(slug)

/** "Müller & Söhne" becomes "muller-sohne"; an empty result becomes "project". */
export function slugFrom(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
  if (slug === '') return 'project'
  if (isNumeric(slug)) return `project-${slug.slice(0, 40)}`
  return isReserved(slug) ? `${slug}-project` : slug
}

/** Returns the first free one of acme, acme-2, acme-3 … */
export function freeSlug(wanted: string, takenSlugs: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted.slice(0, 44)}-${number}`
    if (!takenSlugs.has(slug)) return slug
  }
}
