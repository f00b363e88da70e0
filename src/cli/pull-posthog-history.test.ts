import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { handleApiRequest } from '#api/endpoints'
import { sql, string } from '#engine/sql'
import { operator } from '#projects/access'
import type { Project } from '#projects/project'
import { openProduct, type Product } from '#server/product'
import { endAfterFile } from '#test/running/end-after-file'
import { FakePosthog } from '#test/outside/fake-posthog'
import { aFolder, aWorld, problemMessages, requireDone, testOrigin } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import { callImports } from './call-imports'
import type { LocalCall } from './call-running-tilth'
import { settled } from './import-files'
import { pullHistory } from './pull-posthog-history'

const tested = anEngine()
const viewer = operator()
const endLater = endAfterFile()
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

const event = (n: number, more: object = {}) => ({
  uuid: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  event: 'order placed',
  distinct_id: `visitor ${n % 3}`,
  timestamp: `2026-0${1 + Math.floor(n / 8)}-0${1 + (n % 8)}T10:00:00.000000Z`,
  properties: { amount: n },
  ...more,
})
const person = (distinct_id: string) => ({
  distinct_id,
  person_id: '018f8e2b-0000-0000-8000-000000000001',
  properties: { plan: 'pro' },
  created_at: '2026-02-01T00:00:00Z',
})

let product: Product
let project: Project
let call: LocalCall
let posthog: FakePosthog
beforeAll(async () => {
  const folder = aFolder(endLater)
  product = await openProduct({
    store: { folder },
    world: aWorld('pulled history'),
    engine: tested.engine(),
    intake: {
      dataFolder: folder,
      isAlone: true,
      // only the trouble of a disk is read
      diskSpace: async () => ({ freeBytes: 2 ** 40, trouble: undefined }) as never,
      log: log as never,
      onLiveEvent: () => {},
    },
  })
  endLater(() => product.close())
  posthog = await FakePosthog.start({
    created_at: '2026-01-01T09:00:00Z',
    events: Array.from({ length: 16 }, (_, n) => event(n)),
    // visitors 0 and 1 turned out to be one person, which no event says
    persons: [person('visitor 0'), person('visitor 1')],
  })
})
afterAll(() => posthog.stop())

let projects = 0
beforeEach(async () => {
  Object.assign(posthog, { requestsLeft: Infinity, key: 'phx_first', hasFileExports: true })
  project = requireDone(await product.projects.create({ name: `Shop ${++projects}` }, viewer)).project
  const key = { name: 'tilth import', scopes: ['project:read', 'events:read', 'persons:write'] }
  const { text } = requireDone(await product.projects.keys.create(project.id, key, viewer))
  call = async ({ method, path, body }) => {
    const response = await handleApiRequest(
      {
        method,
        path: path.slice('/api/v1'.length),
        query: new URLSearchParams(),
        authorization: `Bearer ${text}`,
        body: async () => body ?? new Uint8Array(),
        origin: testOrigin,
      },
      product,
    )
    return { status: response.status, headers: {}, body: JSON.stringify(response.body) }
  }
})

interface Story {
  way?: 'files' | 'sql'
  until?: string
}

async function pull({ way, until }: Story = {}) {
  const messages: string[] = []
  const outcome = await pullHistory(call, project, {
    client: posthog.client(),
    until: until === undefined ? undefined : new Date(until),
    way,
    pause: async () => {},
    say: (line) => messages.push(line),
  })
  return { messages, outcome }
}

/** Returns the number of stored events, and of their persons after merges. */
async function stored() {
  const [row] = await tested.engine().query<{ events: number; persons: number }>(
    sql`
      with merged as (
        select from_person_id, argMax(to_person_id, version) as to_person_id
        from person_overrides
        where toString(project_id) = ${string(String(project.id))}
        group by from_person_id
      )
      select count() as events,
             uniqExact(if(empty(merged.to_person_id), events.person_id, merged.to_person_id)) as persons
      from events
      left join merged on merged.from_person_id = events.person_id
      where toString(project_id) = ${string(String(project.id))} and event = 'order placed'`,
    { lane: 'ingest' },
  )
  return row
}

test.each(['files', 'sql'] as const)(
  'by %s: events and persons come with their merges, and a second run changes nothing',
  async (way) => {
    const first = requireDone((await pull({ way })).outcome)
    expect(first).toMatchObject({ import: { state: 'done', rows: 18, kept: 18, stored: 18 }, missing: 0 })
    expect(await stored()).toEqual({ events: 16, persons: 2 })

    const second = requireDone((await pull({ way })).outcome)
    expect(second.import).toMatchObject({ rows: 18, stored: 0 })
    expect(second.import.id).not.toBe(first.import.id)
    expect(await stored()).toEqual({ events: 16, persons: 2 })
  },
)

test.each([
  ['files', 10],
  ['sql', 3],
] as const)(
  'by %s: a key that expires is a sentence, and the same command goes on with a new one',
  async (way, requests) => {
    posthog.requestsLeft = requests
    const cut = await pull({ way })
    expect(problemMessages(cut.outcome)).toEqual([
      expect.stringMatching(
        /does not take the key: it may have expired.* rows are imported, which is not all. Run the same/,
      ),
    ])
    Object.assign(posthog, { key: 'phx_second', requestsLeft: Infinity })
    const { messages, outcome } = await pull()
    const done = requireDone(outcome)
    expect(messages[0]).toMatch(new RegExp(`^The import ${done.import.id} continues after \\d+ rows.$`))
    expect(done.import).toMatchObject({ state: 'done', rows: 18, kept: 18, stored: 18 })
    expect(requireDone(await callImports(call, project, '')).imports).toHaveLength(1)
  },
)

test('undo takes back what was pulled, and events at the cut-over are left out', async () => {
  const { import: brought } = requireDone(
    (await pull({ way: 'files', until: '2026-02-01T00:00:00Z' })).outcome,
  )
  expect(brought).toMatchObject({ stored: 8, dropped: { 'at the cut-over or later': 10 } })
  requireDone(await callImports(call, project, `/${brought.id}`, undefined, 'DELETE'))
  requireDone(await settled(call, project, brought, ['undone']))
  expect(await stored()).toMatchObject({ events: 0 })
})

test('events that the files of PostHog leave out are counted, and come by SQL', async () => {
  const late = event(99, { timestamp: '2026-01-05T00:00:00.000000Z', receivedAt: '2026-02-20T00:00:00Z' })
  posthog.project.events.push(late)
  try {
    expect(requireDone((await pull({ way: 'files' })).outcome)).toMatchObject({
      import: { stored: 18 },
      missing: 1,
    })
    expect(requireDone((await pull({ way: 'sql' })).outcome)).toMatchObject({
      import: { stored: 1 },
      missing: 0,
    })
  } finally {
    posthog.project.events.pop()
  }
})

test('a key that is refused at the start begins no import', async () => {
  posthog.key = 'another'
  const client = posthog.client({ key: 'phx_old' })
  const outcome = await pullHistory(call, project, {
    client,
    until: undefined,
    way: undefined,
    pause: async () => {},
    say: () => {},
  })
  expect(problemMessages(outcome)[0]).toMatch(/does not take the key.*Make a personal API key there\.$/)
  expect(requireDone(await callImports(call, project, '')).imports).toEqual([])
})
