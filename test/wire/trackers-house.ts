import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { DropReason, Envelope, IncomingEvent } from '../../src/events/event'
import type { Flag } from '../../src/flags/flag'
import type { Project } from '../../src/projects/project'
import type { Delivered, Desk, Dialect, NotTaken, Refusal, Taken, WireAnswer } from '../../src/wire/dialect'
import { openMatching } from '../../src/wire/matching'
import { plausible } from '../../src/wire/plausible/plausible'
import { tilth } from '../../src/wire/tilth/tilth'
import type { Scripts } from '../../src/wire/trackers/scripts'
import { umami } from '../../src/wire/umami/umami'
import { vercel } from '../../src/wire/vercel/vercel'
import { type FlagDouble, flagDouble } from './flag-desk'

/** The website id that Umami's recordings were made with. */
export const websiteId = '94db1cb1-74f4-4a40-ad6c-962362670409'

const projectOf = (id: number, writeKey: string): Project => ({
  id,
  slug: `project-${id}`,
  name: `Project ${id}`,
  timeZone: 'UTC',
  writeKey,
  hosts: [],
  aliases: [],
  intake: {},
  answers: {},
  createdAt: new Date(0),
  archivedAt: undefined,
})

/** A desk that remembers what it was handed. */
export interface RecordingDesk extends Desk, FlagDouble {
  taken: { events: readonly IncomingEvent[]; envelope: Envelope }[]
  events: () => IncomingEvent[]
  refusals: Refusal[]
  /** What becomes of the next events: kept, dropped for a reason, or not taken at all. */
  fate: 'kept' | 'full' | DropReason
}

export interface Site {
  names?: readonly string[]
  hosts?: readonly string[]
}

/** The desk of a Tilth with these projects, numbered from 1; every host is the first one's unless hosts are named. */
export function aRecordingDesk(
  sites: readonly Site[] = [{ names: ['example.com', websiteId] }],
  flags: readonly Flag[] = [],
): RecordingDesk {
  const [taken, refusals]: [RecordingDesk['taken'], Refusal[]] = [[], []]
  const projects = sites.map((_site, index) => projectOf(index + 1, `key-${index + 1}`))
  const projectWhere = (fits: (site: Site) => boolean) => projects[sites.findIndex(fits)]
  const desk: RecordingDesk = {
    ...flagDouble(flags),
    taken,
    refusals,
    fate: 'kept',
    events: () => taken.flatMap(({ events }) => events),
    projectNamed: (name) =>
      projects.find(({ writeKey }) => writeKey === name) ??
      projectWhere(({ names }) => names?.includes(name) === true),
    projectAt: (host) => projectWhere(({ hosts }) => hosts === undefined || hosts.includes(host)),
    noteRefusal: (refusal) => void refusals.push(refusal),
    projectOfSecret: async () => undefined,
    take: async (events, envelope) => (desk.fate === 'full' ? turnAway() : receive({ events, envelope })),
    takeTogether: async (deliveries) =>
      desk.fate === 'full' ? turnAway() : { taken: true, receipts: deliveries.map(receive) },
  }
  return desk

  function turnAway(): NotTaken {
    return { taken: false, retryAfterSeconds: 2.5 }
  }

  function receive({ events, envelope }: Delivered): Taken {
    const { fate } = desk
    taken.push({ events, envelope })
    if (fate === 'kept' || fate === 'full') return { taken: true, kept: events.length, dropped: [] }
    return { taken: true, kept: 0, dropped: events.map((_event, index) => ({ index, reason: fate })) }
  }
}

/** The address of the page an event is of; '' where it has none. */
export function pageOf({ properties }: IncomingEvent): string {
  const url = properties['$current_url']
  return typeof url === 'string' ? url : ''
}

/** Scripts that say no more than their name, for tests that do not run them. */
export const namesOnly: Scripts = { text: (name) => `/* ${name} */ const variant = "__TILTH_VARIANT__"` }

export const trackersWith = (scripts: Scripts): Dialect[] => [
  tilth(scripts),
  vercel(scripts),
  plausible(scripts),
  umami(scripts),
]

export interface Sent {
  method?: string
  /** With its query, if any. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | object
  receivedAt?: Date
}

const findTracker = openMatching(trackersWith(namesOnly))

/** What is answered by whichever route the door would choose. */
export async function answerTo(sent: Sent, desk: Desk, find = findTracker): Promise<WireAnswer> {
  const { method = 'POST', headers = {}, body = '', receivedAt = new Date('2026-11-21T06:00:00Z') } = sent
  const { pathname, searchParams } = new URL(sent.path, 'http://tilth.test')
  const match = find(method, pathname)
  if (!match) throw new Error(`No tracker takes ${method} ${pathname}.`)
  const { path, prefix, parts, route } = match
  const isWritten = typeof body === 'string' || body instanceof Uint8Array
  return route.answer(
    {
      method,
      path,
      prefix,
      parts,
      query: searchParams,
      headers,
      body: isWritten ? Buffer.from(body) : Buffer.from(JSON.stringify(body)),
      address: '203.0.113.7',
      receivedAt,
    },
    desk,
  )
}

const recorded = z.object({
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.json().optional(),
})
const recording = z.object({ requests: z.array(recorded) })

const folder = (vendor: string) => join(import.meta.dirname, '..', 'recordings', vendor)

export const recordingsOf = (vendor: string): string[] => readdirSync(folder(vendor)).sort()

/** What a real client sent, as it was recorded: only what was sent with something in it. */
export const sentIn = (vendor: string, name: string): Sent[] =>
  recording
    .parse(JSON.parse(readFileSync(join(folder(vendor), name), 'utf8')))
    .requests.filter(({ method }) => method === 'POST')
    .map(({ method, path, headers, body }) => ({ method, path, headers, body: JSON.stringify(body) }))
