import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { beginningBefore, eventsByDay } from './internal/demo-days'
import type { DemoEvent } from './internal/event'
import { operator } from '#projects/access'
import { addDemo, type DemoStory, storyOf } from '#projects/demo-project'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import { addDemoContent } from './internal/furnishing'
import { addDemoSurveys } from './internal/launch-surveys'
import { addDemoSite } from './internal/publish-site'
import type { Product } from '#server/product'
import {
  healthAt,
  localAddress,
  type RunningTilth,
  connectToRunning,
  ConnectionLostError,
} from '#outbound/local-server'

export interface DemoOptions {
  /** The project's slug. */
  slug: string
  /** Undefined fields keep the values of the existing demo. */
  story: Partial<DemoStory>
  now: Date
  /** Called with the number of events sent, and the part of the time range that is done. */
  onProgress: (events: number, part: number) => void
}

/** The additions to the demo. */
export interface DemoReport {
  project: Project
  events: number
  /** The project had no events before. */
  isNew: boolean
  /** The address of the project's page. */
  address: string
}

const usualStory: DemoStory = { seed: '1', events: 200_000 }
const demoViewer = operator('demo')

/**
 * Fills a project with ninety days of a realistic product's events, as that product's own server would: through the
 * public API and the whole pipeline. Existing events are not sent again.
 */
export async function fillDemo(
  product: Product,
  config: Config,
  options: DemoOptions,
): Promise<Outcome<DemoReport>> {
  if ((await healthAt(localAddress(config))) !== 'alive') return failedOutcome(notRunningMessage(config))
  const opened = await demoProject(product, options)
  if (!opened.done) return opened
  const { project, story } = opened
  // answers to surveys that the project does not have are dropped
  await addDemoSurveys(product, project.id, beginOf(project), demoViewer)
  if (await isWithoutSite(product, project))
    await addDemoSite(product, project.id, beginOf(project), demoViewer)
  const tilth = connectToRunning(config)
  try {
    const report = await withTemporaryKey(product, project, (key) =>
      sendNewEvents({ tilth, project, key }, story, options),
    )
    if (report.done && report.isNew) await addDemoContent(product, project, beginOf(project), demoViewer)
    const address = new URL(`/studio/${project.slug}`, config.addresses[0]).href
    return report.done ? { ...report, project, address } : report
  } catch (problem) {
    if (!(problem instanceof ConnectionLostError)) throw problem
    return failedOutcome(`${problem.message} Start it again, then this: it goes on where it stopped.`)
  } finally {
    tilth.close()
  }
}

const beginOf = ({ createdAt }: Project): Date => beginningBefore(createdAt)

/** The site is published before the events are sent, so that "/" shows it meanwhile. */
const isWithoutSite = async ({ posts, posts: { authors } }: Product, { id }: Project): Promise<boolean> =>
  (await authors.list(id, demoViewer)).length === 0 && (await posts.list(id, demoViewer)).length === 0

const notRunningMessage = (config: Config): string =>
  `No Tilth answers at ${localAddress(config)}: start it with "npm start -- --demo", ` +
  'which does this as well, or set PORT as it was set for the one that runs.'

async function demoProject(
  { projects }: Product,
  { slug, story: wished }: DemoOptions,
): Promise<Outcome<{ project: Project; story: DemoStory }>> {
  const existing = projects.list(demoViewer).find((project) => project.slug === slug)
  if (!existing) {
    const story = { ...usualStory, ...wished }
    const added = await addDemo(
      projects,
      { name: 'Tilth Demo', slug, timeZone: localTimeZone(), story },
      demoViewer,
    )
    return added.done ? { ...added, story } : added
  }
  const story = storyOf(existing)
  if (!story) return failedOutcome(`"${slug}" is a project of your own. Name another one with --project.`)
  if (existing.archivedAt)
    return failedOutcome(`"${slug}" is archived. Restore it with: tilth project restore ${slug}`)
  const { seed = story.seed, events = story.events } = wished
  if (seed !== story.seed || events !== story.events)
    return failedOutcome(
      `"${slug}" tells another story (--events ${story.events} --seed ${story.seed}). Leave those out to go on with it, ` +
        'or name another project with --project.',
    )
  return { done: true, project: existing, story }
}

const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Runs `work` with an API key that is revoked afterwards. */
async function withTemporaryKey<Done>(
  { projects }: Product,
  project: Project,
  work: (key: string) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  const { keys } = projects
  const created = await keys.create(
    project.id,
    { name: 'Demo', scopes: ['project:read', 'events:read'], days: 1 },
    demoViewer,
  )
  if (!created.done) return created
  try {
    return await work(created.text)
  } finally {
    await keys.revoke(project.id, created.key.id, demoViewer)
  }
}

interface DemoTarget {
  tilth: RunningTilth
  project: Project
  key: string
}

async function sendNewEvents(
  target: DemoTarget,
  story: DemoStory,
  { now, onProgress }: DemoOptions,
): Promise<Outcome<{ events: number; isNew: boolean }>> {
  const begin = beginningBefore(target.project.createdAt)
  const until = new Date(now.getTime() - safetyMarginMs)
  const before = await waitUntilReady(target, begin)
  if (before === 'never')
    return failedOutcome('Tilth did not get ready within a minute. Look at its log, then try again.')
  const since = before ? Date.parse(before.timestamp) : begin.getTime() - 1
  const part = (at: number) => (at - since) / Math.max(1, until.getTime() - since)
  let [events, last]: [number, DemoEvent | undefined] = [0, undefined]
  for await (const sent of deliverBatches(
    target,
    newEvents(story, { begin, since, until, known: before?.uuid }),
  )) {
    events += sent.length
    last = sent.at(-1)
    if (last) onProgress(events, part(Date.parse(last.timestamp)))
  }
  if (last) await waitUntilStored(target, last)
  return { done: true, events, isNew: before === undefined }
}

/** Events of the last minutes are left to the next run. */
const safetyMarginMs = 3 * 60_000

interface DemoPeriod {
  begin: Date
  since: number
  until: Date
  /** The last event that is stored. */
  known: string | undefined
}

function* newEvents(story: DemoStory, { begin, since, until, known }: DemoPeriod): Generator<DemoEvent> {
  for (const day of eventsByDay({ ...story, begin, until }))
    for (const event of day) if (Date.parse(event.timestamp) >= since && event.uuid !== known) yield event
}

const batchSize = 1000
const gzipBytes = promisify(gzip)

/** Sends one request at a time, so that events arrive in order; the next one is prepared meanwhile. */
async function* deliverBatches(
  target: DemoTarget,
  events: Iterable<DemoEvent>,
): AsyncGenerator<readonly DemoEvent[]> {
  let sending: { batch: readonly DemoEvent[]; arrives: Promise<void> } | undefined
  for (const batch of inBatches(events)) {
    const requestBody = { api_key: target.project.writeKey, historical_migration: true, batch }
    const body = await gzipBytes(JSON.stringify(requestBody), { level: 1 })
    if (sending) {
      await sending.arrives
      yield sending.batch
    }
    const arrives = deliver(target.tilth, body)
    // awaited in the next iteration; this avoids an unhandled rejection until then
    arrives.catch(() => {})
    sending = { batch, arrives }
  }
  await sending?.arrives
  if (sending) yield sending.batch
}

function* inBatches(events: Iterable<DemoEvent>): Generator<readonly DemoEvent[]> {
  let batch: DemoEvent[] = []
  for (const event of events) {
    batch.push(event)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Sends a batch, and again while the response is to retry later. */
async function deliver(tilth: RunningTilth, body: Uint8Array): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'user-agent': 'tilth-demo',
  }
  for (;;) {
    const {
      status,
      headers: answered,
      body: responseText,
    } = await tilth.send({ method: 'POST', path: '/batch/', headers, body })
    if (status === 200) return
    if (status !== 503 && status !== 429)
      throw new Error(`Tilth refused a part of the demo (${status}): ${responseText}`)
    await pause(1000 * Math.max(1, Number(answered['retry-after']) || 1))
  }
}

interface StoredEventReference {
  uuid: string
  timestamp: string
}

const readyWithinMs = 60_000
const pollEveryMs = 100

/** Returns the last stored event, once Tilth answers; it may be starting still, or not know the project yet. */
async function waitUntilReady(
  target: DemoTarget,
  begin: Date,
): Promise<StoredEventReference | undefined | 'never'> {
  const giveUpAt = performance.now() + readyWithinMs
  while (performance.now() < giveUpAt) {
    const found = await latestStoredEvents(target, { after: begin.toISOString(), limit: '1' })
    if (found) return found[0]
    await pause(pollEveryMs)
  }
  return 'never'
}

/** Waits until the accepted events can be queried. They are safe in the journal already. */
async function waitUntilStored(
  target: DemoTarget,
  { uuid, distinct_id, timestamp }: DemoEvent,
): Promise<void> {
  const giveUpAt = performance.now() + readyWithinMs
  while (performance.now() < giveUpAt) {
    const found = await latestStoredEvents(target, { distinct_id, after: timestamp })
    if (found?.some((event) => event.uuid === uuid)) return
    await pause(pollEveryMs)
  }
}

/** Returns undefined if the query fails at present. */
async function latestStoredEvents(
  { tilth, project, key }: DemoTarget,
  parameters: Record<string, string>,
): Promise<StoredEventReference[] | undefined> {
  const { status, body } = await tilth.send({
    method: 'GET',
    path: `/api/v1/projects/${project.id}/events?${new URLSearchParams(parameters).toString()}`,
    headers: { authorization: `Bearer ${key}` },
  })
  if (status !== 200) return undefined
  const { events }: { events: StoredEventReference[] } = JSON.parse(body)
  return events
}
