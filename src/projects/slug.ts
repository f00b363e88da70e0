/** Names the studio uses for itself, so that no project can take their place in an address. */
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

/** Where a project is named by its address part or its id, 7 must not mean both. */
export const isNumeric = (slug: string): boolean => /^\d+$/.test(slug)

/** "Müller & Söhne" becomes "muller-sohne"; what leaves nothing becomes "project". */
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

/** The first of acme, acme-2, acme-3 … that is free. */
export function freeSlug(wanted: string, takenSlugs: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted.slice(0, 44)}-${number}`
    if (!takenSlugs.has(slug)) return slug
  }
}
