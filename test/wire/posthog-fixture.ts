import { uncountedSubmissions } from '#test/product/some-survey'
import { testSurveyAnswers } from '#test/surveys/test-survey-answers'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { DropReason, Envelope, IncomingEvent, PreparedEvent } from '#events/event'
import { prepare } from '#ingest/prepare'
import { type WebExperimentSource, webExperimentsJson } from '#experiments/web/web-experiment-list'
import type { Flag } from '#flags/flag'
import { PosthogSurveyLists } from '#surveys/posthog/survey-lists'
import { statusAt, type Survey } from '#surveys/survey'
import { SurveyEventCheck } from '#surveys/internal/survey-event-check'
import type { Project } from '#projects/project'
import type { WireServices, ResolvedProject, WireRefusal, AcceptedReceipt, WireResponse } from '#wire/dialect'
import { createRouteMatcher } from '#wire/route-matcher'
import { maxBodyBytes } from '#wire/decode-body'
import { BodyMemory } from '#wire/body-memory'
import { leadingFields } from '#wire/leading-fields'
import { withOpenBody } from '#wire/open-body'
import { FairScheduler } from '#ingest/fair-scheduler'
import { posthog } from '#wire/posthog/posthog'
import { anIngestContext, aSetWorld, type IngestChoices } from '../product/ingest-fixture'
import { type TestFlagServices, createTestFlagServices } from './flag-services'

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
  siteAddress: '',
  aliases,
  intake: {},
  answers: {},
  createdAt: new Date(0),
  archivedAt: undefined,
})

/** The secret key of the first project's definitions. */
export const secretKey = 'tsk_of_the_first'

/** The key of the first project at the vendor that it came from. */
export const oldKey = 'phc_of_old'

const projects = [aProject(1, key, [oldKey]), aProject(2, otherKey)]

/** The key of the first project's other environment. */
export const stagingKey = 'phc_staging'
const staging: ResolvedProject = {
  ...aProject(1, key, [oldKey]),
  environment: 'staging',
  environmentKey: stagingKey,
}

/** A desk that remembers what it was given, and lets the real steps of prepare judge it. */
export interface TestWireServices extends WireServices, TestFlagServices {
  accepted: { events: readonly IncomingEvent[]; envelope: Envelope }[]
  /** All events of all requests. */
  events: () => IncomingEvent[]
  stored: PreparedEvent[]
  /** The events that arrived while it was closed. */
  refusedEvents: IncomingEvent[]
  refusals: WireRefusal[]
  /** From now on it can take nothing; `open` ends that. */
  close: () => void
  open: () => void
}

/** The approximate time of the recordings. */
export const recordedAt = '2026-11-21T06:00:00.000Z'

export async function someWireServices(
  settings: IngestChoices = {},
  flags: readonly Flag[] = [],
  surveys: readonly Survey[] = [],
  experiments: readonly WebExperimentSource[] = [],
): Promise<TestWireServices> {
  const check = new SurveyEventCheck({
    find: (_projectId, id) => surveys.find((survey) => survey.id === id),
    versionsOf: () => [],
    counts: uncountedSubmissions,
    deliveries: { add: async () => {} },
  })
  const configured = projects.map((project) => ({ ...project, intake: { ...(settings as object) } }))
  const context = {
    ...(await anIngestContext(aSetWorld(recordedAt), settings)),
    ...(surveys.length > 0 && { surveys: check }),
  }
  const [taken, stored, refusals]: [TestWireServices['accepted'], PreparedEvent[], WireRefusal[]] = [
    [],
    [],
    [],
  ]
  const turnedAway: IncomingEvent[] = []
  let isClosed = false
  const surveyLists = new PosthogSurveyLists({
    surveysOf: (projectId) => (projectId === 1 ? surveys : []),
    statusOf: (survey) => statusAt(survey, new Date(recordedAt), 0),
    targetingFlagOf: () => undefined,
    now: () => new Date(recordedAt),
  })
  return {
    surveyAnswers: testSurveyAnswers(),
    ...createTestFlagServices(flags),
    posthogSurveys: (projectId) => surveyLists.listOf(projectId),
    posthogWebExperiments: (projectId) => webExperimentsJson(projectId === 1 ? experiments : []),
    scheduler: new FairScheduler(),
    accepted: taken,
    stored,
    refusals,
    refusedEvents: turnedAway,
    events: () => taken.flatMap(({ events }) => events),
    close: () => (isClosed = true),
    open: () => (isClosed = false),
    findProject: (name) =>
      name === stagingKey
        ? staging
        : configured.find(({ writeKey, aliases }) => [writeKey, ...aliases].includes(name)),
    findProjectByHost: () => projects[0],
    noteRefusal: (refusal) => void refusals.push(refusal),
    findProjectBySecret: async (secret) => (secret === secretKey ? projects[0] : undefined),
    accept: async (events, envelope) => (isClosed ? turnAway([...events]) : receive([...events], envelope)),
    acceptTogether: async (deliveries) =>
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

  function receive(events: readonly IncomingEvent[], envelope: Envelope): AcceptedReceipt {
    taken.push({ events, envelope })
    const dropped: { index: number; reason: DropReason }[] = []
    for (const [index, event] of events.entries()) {
      const prepared = prepare(event, envelope, context)
      if (prepared.kept) stored.push(prepared.event)
      else dropped.push({ index, reason: prepared.reason })
    }
    return { taken: true, kept: events.length - dropped.length, dropped }
  }
}

export interface SentRequest {
  method?: string
  path: string
  query?: Readonly<Record<string, string>> | URLSearchParams
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  receivedAt?: Date
}

const find = createRouteMatcher([posthog])

/** The dialect's response, by the route that the front would choose. */
export async function answerTo(sent: SentRequest, wire: WireServices): Promise<WireResponse> {
  const { method = 'POST', path, query, headers = {}, body = '', receivedAt = new Date(recordedAt) } = sent
  const match = find(method, path, String(new URLSearchParams(query)))
  if (!match) throw new Error(`No route is for ${method} ${path}.`)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const searchParams = { method, headers, query: new URLSearchParams(query) }
  const refused = match.route.refuseEarly?.({ ...searchParams, leading: leadingFields(bytes) }, wire)
  if (refused) return refused
  const { path: vendorPath, prefix, parts } = match
  const memory = new BodyMemory({ largestBytes: maxBodyBytes, heldBytes: 100 * maxBodyBytes })
  const answer = await withOpenBody(
    { headers, body: bytes, sender: 'a test', takesEvents: match.route.takesEvents === true },
    { scheduler: wire.scheduler, memory },
    (openBody) =>
      match.route.respond(
        {
          ...searchParams,
          ...openBody,
          path: vendorPath,
          prefix,
          parts,
          address: '198.51.100.23',
          receivedAt,
        },
        wire,
      ),
  )
  if (!answer) throw new Error('There was too much work.')
  return answer
}

/** A JSON answer, read. */
export const responseJson = ({ body }: WireResponse): unknown =>
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

export const recordingNames = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))

export function recordingsOf(name: string): Recording[] {
  return z.array(recording).parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
}

/** As it was on the wire. */
export function encodeBody(body: unknown, encoding: readonly string[] = []): Uint8Array {
  const text = Buffer.from(JSON.stringify(body))
  if (encoding.some((one) => one.includes('gzip'))) return gzipSync(text)
  if (encoding.includes('base64')) return Buffer.from(`data=${encodeURIComponent(text.toString('base64'))}`)
  return text
}

export function replay({ method, path, query, headers, body, bodyEncoding }: Recording, wire: WireServices) {
  const bytes = body === undefined ? undefined : encodeBody(body, bodyEncoding)
  return answerTo({ method, path, query, headers, body: bytes }, wire)
}
