import { z } from 'zod'

/** One site or product whose data belongs together. */
export interface Project {
  id: number
  /** Its part in addresses: /studio/acme. */
  slug: string
  name: string
  /** Days begin and end by this zone in every answer. */
  timeZone: string
  /** Public by design: it can only write. */
  writeKey: string
  createdAt: Date
  archivedAt: Date | undefined
}

/** Names the studio uses for itself, so that no project can take their place in an address. */
const reserved = new Set([
  'setup',
  'sign-in',
  'join',
  'account',
  'projects',
  'new',
  'system',
  'api',
  'settings',
])

const slugShape = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/

export const projectName = z
  .string({ error: 'Give the project a name.' })
  .trim()
  .min(1, 'Give the project a name.')
  .max(80, 'Use at most 80 characters for the name.')

export const projectSlug = z
  .string()
  .trim()
  .regex(
    slugShape,
    'Use 1 to 48 lower-case letters, digits and dashes; begin and end with a letter or digit.',
  )
  .refine((slug) => !reserved.has(slug), { error: 'The studio uses this address itself. Choose another.' })

export const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'Name a time zone such as "Europe/Berlin" or "UTC".' })

export const newProject = z.object({
  name: projectName,
  slug: projectSlug.optional(),
  timeZone: timeZone.default('UTC'),
})

export const projectChanges = z.object({
  name: projectName.optional(),
  slug: projectSlug.optional(),
  timeZone: timeZone.optional(),
})

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** "Müller & Söhne" becomes "muller-sohne"; what leaves nothing becomes "project". */
export function slugFrom(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
  return slug === '' ? 'project' : reserved.has(slug) ? `${slug}-project` : slug
}

/** The first of acme, acme-2, acme-3 … that is free. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted.slice(0, 44)}-${number}`
    if (!taken.has(slug)) return slug
  }
}
