import { z } from 'zod'
import { nameFor } from './name'
import { parseSiteAddress } from './site-address'
import { isNumeric, isReserved } from './slug'

/** One site or product whose data belongs together. */
export interface Project {
  id: number
  /** The project's part of addresses: /studio/acme. */
  slug: string
  name: string
  /** The time zone of all its days. */
  timeZone: string
  /** Public by design: it only allows writing. */
  writeKey: string
  /** The hosts of its pages. Events of other hosts are dropped; if it names none, all are accepted. */
  hosts: readonly string[]
  /**
   * The address of the site that sends its events, empty where there is none. Members are shown its page; it decides
   * neither about the events that are accepted nor about the pages that Tilth serves.
   */
  siteAddress: string
  /** Other names that trackers use for it: an old token, a website id, a domain at another vendor. */
  aliases: readonly string[]
  /** The owners' settings for incoming events; parsed by `ingest`. */
  intake: Readonly<Record<string, unknown>>
  /** The owners' settings for answers to queries; parsed by `insights`. */
  answers: Readonly<Record<string, unknown>>
  createdAt: Date
  archivedAt: Date | undefined
}

const slugShape = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/

export const projectName = nameFor('Give the project a name.')

export const projectSlug = z
  .string({ error: 'Give the URL slug as text.' })
  .trim()
  .regex(
    slugShape,
    'Use 1 to 48 lower-case letters, digits and dashes; begin and end with a letter or digit.',
  )
  .refine((slug) => !isReserved(slug), { error: 'This slug is reserved. Choose another.' })
  .refine((slug) => !isNumeric(slug), { error: 'Use at least one letter: numbers are project ids.' })

const timeZoneAdvice = 'Name a time zone such as "Europe/Berlin" or "UTC".'

export const timeZone = z
  .string({ error: timeZoneAdvice })
  .refine(isTimeZone, { error: timeZoneAdvice })
  .transform(canonicalTimeZone)

export const siteAddress = z
  .string({ error: 'Give the address of the site as text.' })
  .transform((text, { issues }) => {
    const parsed = parseSiteAddress(text)
    if (parsed.isFit) return parsed.address
    issues.push({ code: 'custom', message: parsed.why, input: text })
    return z.NEVER
  })

export const newProject = z.object({
  name: projectName,
  slug: projectSlug.optional(),
  timeZone: timeZone.default('UTC'),
  siteAddress: siteAddress.default(''),
})

const host = z
  .string({ error: 'Write a host such as "example.com".' })
  .trim()
  .toLowerCase()
  .regex(
    /^(\*\.)?[a-z0-9.-]+(:\d+)?$/,
    'Write a host such as "example.com", or "*.example.com" for all below it.',
  )

const alias = z
  .string({ error: 'Give the name as text.' })
  .trim()
  .regex(/^[\w.:-]{1,100}$/, 'Use letters, digits, dots, dashes and underscores, at most 100.')

export const projectChanges = z.object({
  name: projectName.optional(),
  slug: projectSlug.optional(),
  timeZone: timeZone.optional(),
  hosts: z.array(host).max(500, 'Name at most 500 hosts.').optional(),
  siteAddress: siteAddress.optional(),
  aliases: z.array(alias).max(50, 'Give at most 50 names.').optional(),
})

/** JavaScript accepts "+01:00", the engine does not. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && resolvedTimeZone(name) !== ''
  } catch {
    return false
  }
}

/** JavaScript accepts "europe/berlin", the engine does not. */
function canonicalTimeZone(name: string): string {
  const known = resolvedTimeZone(name)
  return known.toLowerCase() === name.toLowerCase() ? known : name
}

function resolvedTimeZone(name: string): string {
  return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}
