import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { beginningBefore, days } from '../demo/days'
import type { DemoEvent } from '../demo/event'
import { operator } from '../projects/access'
import { addDemo, type DemoStory, storyOf } from '../projects/demo-project'
import { type Outcome, undone } from '../projects/problems'
import type { Project } from '../projects/project'
import type { Config } from './config'
import { furnish } from './demo-furnishing'
import { furnishSite } from './demo-site'
import type { Product } from './product'
import { healthAt, localAddress, type Running, running, Unanswered } from './running'

export interface DemoWishes {
  /** The project's address part. */
  slug: string
  /** Absent where whatever is there already is meant. */
  story: Partial<DemoStory>
  now: Date
  /** Hears how many events were sent, and how much of the time they are about has been told. */
  onProgress: (events: number, part: number) => void
}

/** What was added to the demo. */
export interface DemoTold {
  project: Project
  events: number
  /** Nothing was there before. */
  isNew: boolean
  /** Where to look at it. */
  address: string
}

const usualStory: DemoStory = { seed: '1', events: 200_000 }
const you = operator('demo')

/**
 * Fills a project with a believable product's ninety days, as that product's own server would: by what anybody may send,
 * through all that anybody's events go through. What is there already is not told again.
 */
export async function tellDemo(
  product: Product,
  config: Config,
  wishes: DemoWishes,
): Promise<Outcome<DemoTold>> {
  if ((await healthAt(localAddress(config))) !== 'alive') return undone(nobodyRuns(config))
  const opened = await demoProject(product, wishes)
  if (!opened.done) return opened
  const { project, story } = opened
  const tilth = running(config)
  try {
    const told = await withKey(product, project, (key) => tell({ tilth, project, key }, story, wishes))
    if (told.done && told.isNew) await furnishAll(product, project)
    const address = new URL(`/studio/${project.slug}`, config.addresses[0]).href
    return told.done ? { ...told, project, address } : told
  } catch (problem) {
    if (!(problem instanceof Unanswered)) throw problem
    return undone(`${problem.message} Start it again, then this: it goes on where it stopped.`)
  } finally {
    tilth.close()
  }
}

async function furnishAll(product: Product, project: Project): Promise<void> {
  const begin = beginningBefore(project.createdAt)
  await furnish(product, project, begin, you)
  await furnishSite(product, project.id, begin, you)
}

const nobodyRuns = (config: Config): string =>
  `No Tilth answers at ${localAddress(config)}: start it with "npm start -- --demo", ` +
  'which does this as well, or set PORT as it was set for the one that runs.'

async function demoProject(
  { projects }: Product,
  { slug, story: wished }: DemoWishes,
): Promise<Outcome<{ project: Project; story: DemoStory }>> {
  const existing = projects.list(you).find((project) => project.slug === slug)
  if (!existing) {
    const story = { ...usualStory, ...wished }
    const added = await addDemo(projects, { name: 'Tilth Demo', slug, timeZone: zoneHere(), story }, you)
    return added.done ? { ...added, story } : added
  }
  const story = storyOf(existing)
  if (!story) return undone(`"${slug}" is a project of your own. Name another one with --project.`)
  if (existing.archivedAt)
    return undone(`"${slug}" is archived. Bring it back with: tilth project restore ${slug}`)
  const { seed = story.seed, events = story.events } = wished
  if (seed !== story.seed || events !== story.events)
    return undone(
      `"${slug}" tells another story (--events ${story.events} --seed ${story.seed}). Leave those out to go on with it, ` +
        'or name another project with --project.',
    )
  return { done: true, project: existing, story }
}

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** To see what is there, one needs a key like anybody; this one works for as long as it takes. */
async function withKey<Done>(
  { keys }: Product,
  project: Project,
  work: (key: string) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  const created = await keys.create(
    project.id,
    { name: 'Demo', scopes: ['project:read', 'events:read'], days: 1 },
    you,
  )
  if (!created.done) return created
  try {
    return await work(created.text)
  } finally {
    await keys.revoke(project.id, created.key.id, you)
  }
}

interface Stage {
  tilth: Running
  project: Project
  key: string
}

async function tell(
  stage: Stage,
  story: DemoStory,
  { now, onProgress }: DemoWishes,
): Promise<Outcome<{ events: number; isNew: boolean }>> {
  const begin = beginningBefore(stage.project.createdAt)
  const until = new Date(now.getTime() - lastMomentsMs)
  const before = await untilReady(stage, begin)
  if (before === 'never')
    return undone('Tilth did not get ready within a minute. Look at its log, then try again.')
  const since = before ? Date.parse(before.timestamp) : begin.getTime() - 1
  const part = (at: number) => (at - since) / Math.max(1, until.getTime() - since)
  let [events, last]: [number, DemoEvent | undefined] = [0, undefined]
  for await (const sent of delivered(stage, news(story, { begin, since, until, known: before?.uuid }))) {
    events += sent.length
    last = sent.at(-1)
    if (last) onProgress(events, part(Date.parse(last.timestamp)))
  }
  if (last) await untilStored(stage, last)
  return { done: true, events, isNew: before === undefined }
}

/** Nobody has told yet what happens just now. */
const lastMomentsMs = 3 * 60_000

interface Stretch {
  begin: Date
  since: number
  until: Date
  /** The last one that is there. */
  known: string | undefined
}

function* news(story: DemoStory, { begin, since, until, known }: Stretch): Generator<DemoEvent> {
  for (const day of days({ ...story, begin, until }))
    for (const event of day) if (Date.parse(event.timestamp) >= since && event.uuid !== known) yield event
}

const batchSize = 1000
const squeezed = promisify(gzip)

/** One request after the other, so that the events come in the order they happened; the next is got ready meanwhile. */
async function* delivered(stage: Stage, events: Iterable<DemoEvent>): AsyncGenerator<readonly DemoEvent[]> {
  let underWay: { batch: readonly DemoEvent[]; arrives: Promise<void> } | undefined
  for (const batch of inBatches(events)) {
    const said = { api_key: stage.project.writeKey, historical_migration: true, batch }
    const body = await squeezed(JSON.stringify(said), { level: 1 })
    if (underWay) {
      await underWay.arrives
      yield underWay.batch
    }
    const arrives = deliver(stage.tilth, body)
    // awaited at the next turn; until then it is nobody's surprise
    arrives.catch(() => {})
    underWay = { batch, arrives }
  }
  await underWay?.arrives
  if (underWay) yield underWay.batch
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

/** Sent again for as long as it is told to wait. */
async function deliver(tilth: Running, body: Uint8Array): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'user-agent': 'tilth-demo',
  }
  for (;;) {
    const {
      status,
      headers: answered,
      body: words,
    } = await tilth.ask({ method: 'POST', path: '/batch/', headers, body })
    if (status === 200) return
    if (status !== 503 && status !== 429)
      throw new Error(`Tilth refused a part of the demo (${status}): ${words}`)
    await pause(1000 * Math.max(1, Number(answered['retry-after']) || 1))
  }
}

interface Stored {
  uuid: string
  timestamp: string
}

const readyWithinMs = 60_000
const askAgainMs = 100

/** The last event that is there, once Tilth can say; it may be starting still, or not have heard of the project yet. */
async function untilReady(stage: Stage, begin: Date): Promise<Stored | undefined | 'never'> {
  const giveUpAt = performance.now() + readyWithinMs
  while (performance.now() < giveUpAt) {
    const found = await latest(stage, { after: begin.toISOString(), limit: '1' })
    if (found) return found[0]
    await pause(askAgainMs)
  }
  return 'never'
}

/** What was taken is on disk, and will be stored whatever happens: there is no hurry, only somebody who wants to look. */
async function untilStored(stage: Stage, { uuid, distinct_id, timestamp }: DemoEvent): Promise<void> {
  const giveUpAt = performance.now() + readyWithinMs
  while (performance.now() < giveUpAt) {
    const found = await latest(stage, { distinct_id, after: timestamp })
    if (found?.some((event) => event.uuid === uuid)) return
    await pause(askAgainMs)
  }
}

/** Undefined where it cannot be told just now. */
async function latest(
  { tilth, project, key }: Stage,
  question: Record<string, string>,
): Promise<Stored[] | undefined> {
  const { status, body } = await tilth.ask({
    method: 'GET',
    path: `/api/v1/projects/${project.id}/events?${new URLSearchParams(question).toString()}`,
    headers: { authorization: `Bearer ${key}` },
  })
  if (status !== 200) return undefined
  const { events }: { events: Stored[] } = JSON.parse(body)
  return events
}
