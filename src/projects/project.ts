import { z } from 'zod'
import { nameFor } from './name'
import { isNumber, isReserved } from './slug'

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

const slugShape = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/

export const projectName = nameFor('Give the project a name.')

export const projectSlug = z
  .string({ error: 'Give the address part as text.' })
  .trim()
  .regex(
    slugShape,
    'Use 1 to 48 lower-case letters, digits and dashes; begin and end with a letter or digit.',
  )
  .refine((slug) => !isReserved(slug), { error: 'The studio uses this address itself. Choose another.' })
  .refine((slug) => !isNumber(slug), { error: 'Use a letter as well: numbers alone stand for project ids.' })

const nameAZone = 'Name a time zone such as "Europe/Berlin" or "UTC".'

export const timeZone = z
  .string({ error: nameAZone })
  .refine(isTimeZone, { error: nameAZone })
  .transform(inItsOwnCase)

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

/** "+01:00" is one to JavaScript, but not to the engine. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && resolved(name) !== ''
  } catch {
    return false
  }
}

/** "europe/berlin" is the same to JavaScript, but not to the engine. */
function inItsOwnCase(name: string): string {
  const known = resolved(name)
  return known.toLowerCase() === name.toLowerCase() ? known : name
}

function resolved(name: string): string {
  return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}
