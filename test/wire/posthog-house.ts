import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { DropReason, Envelope, IncomingEvent, PreparedEvent } from '../../src/events/event'
import { prepare } from '../../src/ingest/prepare'
import type { Flag } from '../../src/flags/flag'
import type { Project } from '../../src/projects/project'
import type { Desk, NamedProject, Refusal, Taken, WireAnswer } from '../../src/wire/dialect'
import { openMatching } from '../../src/wire/matching'
import { posthog } from '../../src/wire/posthog/posthog'
import { aHouse, aSetWorld, type IngestChoices } from '../ingest-house'
import { type FlagDouble, flagDouble } from './flag-desk'

/** The key that every recording was made with. */
export const key = 'phc_testtoken'
export const otherKey = 'phc_other'

const aProject = (id: number, writeKey: string, aliases: string[] = []): Project => ({
  id,
  slug: `project-${id}`,
  name: `Project ${id}`,
  timeZone: 'UTC',
  writeKey,
  hosts: [],
  aliases,
  intake: {},
  answers: {},
  createdAt: new Date(0),
  archivedAt: undefined,
})

/** What opens the first project's definitions. */
export const secretKey = 'tsk_of_the_first'

/** What its first project was called at a vendor it came from. */
export const oldKey = 'phc_of_old'

const projects = [aProject(1, key, [oldKey]), aProject(2, otherKey)]

/** The key of the first project's other environment. */
export const stagingKey = 'phc_staging'
const staging: NamedProject = {
  ...aProject(1, key, [oldKey]),
  environment: 'staging',
  environmentKey: stagingKey,
}

/** A desk that remembers what it was given, and lets the real steps of prepare judge it. */
export interface DeskDouble extends Desk, FlagDouble {
  taken: { events: readonly IncomingEvent[]; envelope: Envelope }[]
  /** All events of all requests. */
  events: () => IncomingEvent[]
  stored: PreparedEvent[]
  /** What came while it was closed. */
  turnedAway: IncomingEvent[]
  refusals: Refusal[]
  /** From now on it can take nothing; `open` ends that. */
  close: () => void
  open: () => void
}

/** When the recordings were made, more or less. */
export const recordedAt = '2026-11-21T06:00:00.000Z'

export async function aDesk(settings: IngestChoices = {}, flags: readonly Flag[] = []): Promise<DeskDouble> {
  const house = await aHouse(aSetWorld(recordedAt), settings)
  const [taken, stored, refusals]: [DeskDouble['taken'], PreparedEvent[], Refusal[]] = [[], [], []]
  const turnedAway: IncomingEvent[] = []
  let isClosed = false
  return {
    ...flagDouble(flags),
    taken,
    stored,
    refusals,
    turnedAway,
    events: () => taken.flatMap(({ events }) => events),
    close: () => (isClosed = true),
    open: () => (isClosed = false),
    projectNamed: (name) =>
      name === stagingKey
        ? staging
        : projects.find(({ writeKey, aliases }) => [writeKey, ...aliases].includes(name)),
    projectAt: () => projects[0],
    noteRefusal: (refusal) => void refusals.push(refusal),
    projectOfSecret: async (secret) => (secret === secretKey ? projects[0] : undefined),
    take: async (events, envelope) => (isClosed ? turnAway(events) : receive(events, envelope)),
    takeTogether: async (deliveries) =>
      isClosed
        ? turnAway(deliveries.flatMap(({ events }) => events))
        : {
            taken: true,
            receipts: deliveries.map(({ events, envelope }) => receive(events, envelope)),
          },
  }

  function turnAway(events: readonly IncomingEvent[]) {
    turnedAway.push(...events)
    return { taken: false as const, retryAfterSeconds: 1.2 }
  }

  function receive(events: readonly IncomingEvent[], envelope: Envelope): Taken {
    taken.push({ events, envelope })
    const dropped: { index: number; reason: DropReason }[] = []
    for (const [index, event] of events.entries()) {
      const prepared = prepare(event, envelope, house)
      if (prepared.kept) stored.push(prepared.event)
      else dropped.push({ index, reason: prepared.reason })
    }
    return { taken: true, kept: events.length - dropped.length, dropped }
  }
}

export interface Sent {
  method?: string
  path: string
  query?: Readonly<Record<string, string>> | URLSearchParams
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  receivedAt?: Date
}

const find = openMatching([posthog])

/** What the dialect answers, by whichever of its routes the door would choose. */
export async function answerTo(sent: Sent, desk: Desk): Promise<WireAnswer> {
  const { method = 'POST', path, query, headers = {}, body = '', receivedAt = new Date(recordedAt) } = sent
  const match = find(method, path, String(new URLSearchParams(query)))
  if (!match) throw new Error(`No route is for ${method} ${path}.`)
  return await match.route.answer(
    {
      method,
      path: match.path,
      prefix: match.prefix,
      parts: match.parts,
      query: new URLSearchParams(query),
      headers,
      body: typeof body === 'string' ? Buffer.from(body) : body,
      address: '198.51.100.23',
      receivedAt,
    },
    desk,
  )
}

/** A JSON answer, read. */
export const said = ({ body }: WireAnswer): unknown =>
  JSON.parse(typeof body === 'string' ? body : Buffer.from(body ?? '').toString())

const recording = z.object({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()).optional(),
  headers: z.record(z.string(), z.string()),
  bodyEncoding: z.array(z.string()).optional(),
  body: z.json().optional(),
})
export type Recording = z.infer<typeof recording>

const folder = join(import.meta.dirname, '../recordings/posthog')

export const recordingNames = readdirSync(folder).map((name) => name.replace('.json', ''))

export function recordingsOf(name: string): Recording[] {
  return z.array(recording).parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
}

/** As it was on the wire. */
export function packed(body: unknown, encoding: readonly string[] = []): Uint8Array {
  const text = Buffer.from(JSON.stringify(body))
  if (encoding.some((one) => one.includes('gzip'))) return gzipSync(text)
  if (encoding.includes('base64')) return Buffer.from(`data=${encodeURIComponent(text.toString('base64'))}`)
  return text
}

export function replay({ method, path, query, headers, body, bodyEncoding }: Recording, desk: Desk) {
  const bytes = body === undefined ? undefined : packed(body, bodyEncoding)
  return answerTo({ method, path, query, headers, body: bytes }, desk)
}
