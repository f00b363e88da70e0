import { testSurveyAnswers } from '#test/surveys/test-survey-answers'
import { FairScheduler } from '#ingest/fair-scheduler'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { DropReason, Envelope, IncomingEvent } from '#events/event'
import type { Flag } from '#flags/flag'
import type { Project } from '#projects/project'
import type {
  EventDelivery,
  WireServices,
  Dialect,
  DeferredReceipt,
  WireRefusal,
  AcceptedReceipt,
  WireResponse,
} from '#wire/dialect'
import { createRouteMatcher } from '#wire/route-matcher'
import { plausible } from '#wire/plausible/plausible'
import { tilth } from '#wire/tilth/tilth'
import type { TrackerScripts } from '#wire/tracker-scripts'
import { umami } from '#wire/umami/umami'
import { vercel } from '#wire/vercel/vercel'
import { type TestFlagServices, createTestFlagServices } from './flag-services'

/** The website id that Umami's recordings were made with. */
export const websiteId = '94db1cb1-74f4-4a40-ad6c-962362670409'

export const testProject = (id: number, writeKey: string): Project => ({
  id,
  slug: `project-${id}`,
  name: `Project ${id}`,
  timeZone: 'UTC',
  writeKey,
  hosts: [],
  siteAddress: '',
  aliases: [],
  intake: {},
  answers: {},
  createdAt: new Date(0),
  archivedAt: undefined,
})

/** A desk that remembers what it was handed. */
export interface RecordingWireServices extends WireServices, TestFlagServices {
  accepted: { events: readonly IncomingEvent[]; envelope: Envelope }[]
  events: () => IncomingEvent[]
  refusals: WireRefusal[]
  /** The outcome of the next events: kept, dropped for a reason, or not taken at all. */
  outcome: 'kept' | 'full' | DropReason
}

interface TrackedProject {
  names?: readonly string[]
  hosts?: readonly string[]
}

/** The desk of a Tilth with these projects, numbered from 1; every host is the first one's unless hosts are named. */
export function recordingWireServices(
  sites: readonly TrackedProject[] = [{ names: ['example.com', websiteId] }],
  flags: readonly Flag[] = [],
): RecordingWireServices {
  const [taken, refusals]: [RecordingWireServices['accepted'], WireRefusal[]] = [[], []]
  const projects = sites.map((_site, index) => testProject(index + 1, `key-${index + 1}`))
  const projectWhere = (fits: (site: TrackedProject) => boolean) => projects[sites.findIndex(fits)]
  const services: RecordingWireServices = {
    surveyAnswers: testSurveyAnswers(),
    ...createTestFlagServices(flags),
    scheduler: new FairScheduler(),
    accepted: taken,
    refusals,
    outcome: 'kept',
    events: () => taken.flatMap(({ events }) => events),
    posthogSurveys: () => ({ json: '{"surveys":[]}', isEmpty: true }),
    posthogWebExperiments: () => '{"experiments":[]}',
    findProject: (name) =>
      projects.find(({ writeKey }) => writeKey === name) ??
      projectWhere(({ names }) => names?.includes(name) === true),
    findProjectByHost: (host) => projectWhere(({ hosts }) => hosts === undefined || hosts.includes(host)),
    noteRefusal: (refusal) => void refusals.push(refusal),
    findProjectBySecret: async (secret) => projects.find(({ id }) => secret === `secret-${id}`),
    accept: async (events, envelope) =>
      services.outcome === 'full' ? turnAway() : receive({ events: [...events], envelope }),
    acceptTogether: async (deliveries) =>
      services.outcome === 'full' ? turnAway() : { taken: true, receipts: deliveries.map(receive) },
  }
  return services

  function turnAway(): DeferredReceipt {
    return { taken: false, retryAfterSeconds: 2.5 }
  }

  function receive({ events, envelope }: EventDelivery): AcceptedReceipt {
    const { outcome } = services
    taken.push({ events, envelope })
    if (outcome === 'kept' || outcome === 'full') return { taken: true, kept: events.length, dropped: [] }
    return { taken: true, kept: 0, dropped: events.map((_event, index) => ({ index, reason: outcome })) }
  }
}

/** The address of the page an event is of; '' where it has none. */
export function pageOf({ properties }: IncomingEvent): string {
  const url = properties['$current_url']
  return typeof url === 'string' ? url : ''
}

/** Scripts that say no more than their name, for tests that do not run them. */
const namesOnly: TrackerScripts = {
  text: (name) => `/* ${name} */ const variant = "__TILTH_VARIANT__"`,
}

export const trackersWith = (scripts: TrackerScripts): Dialect[] => [
  tilth(scripts),
  vercel(scripts),
  plausible(scripts),
  umami(scripts),
]

export interface SentTrackerRequest {
  method?: string
  /** With its query, if any. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | object
  receivedAt?: Date
}

const findTracker = createRouteMatcher(trackersWith(namesOnly))

/** The response of the route that the front would choose. */
export async function answerTo(
  sent: SentTrackerRequest,
  wire: WireServices,
  find = findTracker,
): Promise<WireResponse> {
  const { method = 'POST', headers = {}, body = '', receivedAt = new Date('2026-11-21T06:00:00Z') } = sent
  const { pathname, searchParams } = new URL(sent.path, 'http://tilth.test')
  const match = find(method, pathname)
  if (!match) throw new Error(`No tracker takes ${method} ${pathname}.`)
  const { path, prefix, parts, route } = match
  const isWritten = typeof body === 'string' || body instanceof Uint8Array
  return route.respond(
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
    wire,
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

/** The recorded requests of a real client: only those with a body. */
export const recordedRequests = (vendor: string, name: string): SentTrackerRequest[] =>
  recording
    .parse(JSON.parse(readFileSync(join(folder(vendor), name), 'utf8')))
    .requests.filter(({ method }) => method === 'POST')
    .map(({ method, path, headers, body }) => ({ method, path, headers, body: JSON.stringify(body) }))
