import { beforeAll, expect, test } from 'vitest'
import { sql, string } from '#engine/sql'
import { operator } from '#projects/access'
import type { ProjectLiveEvent } from '#ingest/live-events'
import { openProduct, type Product } from '#server/product'
import { endAfterFile } from '#test/running/end-after-file'
import { aFolder, aWorld, problemMessages, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { anEngine } from '#test/product/test-engine'
import type { Import } from './import'
import type { FileRow } from './files/read-rows'
import { portionsOf } from './portions'
import { type ImportSourceName, importSources } from './sources/sources'

const tested = anEngine()
const viewer = operator()
const endLater = endAfterFile()
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

let product: Product
const liveEvents: ProjectLiveEvent[] = []
beforeAll(async () => {
  const folder = aFolder(endLater)
  product = await openProduct({
    store: { folder },
    world: aWorld('imports'),
    engine: tested.engine(),
    intake: {
      dataFolder: folder,
      isAlone: true,
      // only the trouble of a disk is read
      diskSpace: async () => ({ freeBytes: 2 ** 40, trouble: undefined }) as never,
      log: log as never,
      onLiveEvent: (sighted) => liveEvents.push(sighted),
    },
  })
  endLater(() => product.close())
})

let projects = 0
const aProject = async () => {
  const { project } = requireDone(await product.projects.create({ name: `Shop ${++projects}` }, viewer))
  return project.id
}

const row = (n: number, more: object = {}): FileRow => ({
  file: 'events.jsonl',
  row: {
    uuid: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    event: 'order placed',
    distinct_id: `visitor ${n % 3}`,
    timestamp: `2024-03-0${1 + (n % 5)}T10:00:00Z`,
    properties: JSON.stringify({ amount: n, $session_id: `018f0000-0000-4000-8000-00000000000${n % 3}` }),
    ...more,
  },
})

async function* each(rows: readonly FileRow[]) {
  yield* rows
}

interface Story {
  projectId: number
  source?: ImportSourceName
  rows: readonly FileRow[]
  until?: string
  fingerprint?: string
  /** The number of portions that are sent before the import is interrupted. */
  portions?: number
}

async function begin({ projectId, source = 'posthog', until, fingerprint = 'f' }: Story): Promise<Import> {
  const input = { source, name: 'events.jsonl', fingerprint, until }
  return requireDone(await product.imports.begin(projectId, input, viewer)).import
}

/** Imports as the command does. */
async function bring({ portions = Infinity, ...story }: Story): Promise<Import> {
  let current = await begin(story)
  const settings = {
    source: importSources[story.source ?? 'posthog'],
    until: story.until === undefined ? undefined : new Date(story.until),
    now: new Date('2026-03-02T10:00:00Z'),
    skip: current.rows,
    mostEvents: 4,
  }
  let sent = 0
  for await (const portion of portionsOf({ rows: each(story.rows) }, settings)) {
    if (sent++ >= portions) return current
    const input = { from: current.rows, ...portion }
    current = requireDone(await product.imports.add(story.projectId, current.id, input, viewer)).import
  }
  requireDone(await product.imports.end(story.projectId, current.id, viewer))
  return await reached(story.projectId, current.id, 'done')
}

async function reached(projectId: number, id: string, state: Import['state']): Promise<Import> {
  const find = async () => requireDone(await product.imports.find(projectId, id, viewer)).import
  await expect.poll(async () => (await find()).state).toBe(state)
  return await find()
}

async function undo(projectId: number, id: string): Promise<Import> {
  requireDone(await product.imports.undo(projectId, id, viewer))
  return await reached(projectId, id, 'undone')
}

const storedIn = async (projectId: number) =>
  await tested.engine().query<{ uuid: string; event: string; import: string; session: string; at: string }>(
    sql`
      select toString(uuid) as uuid, event, properties['$import'] as import, toString(session_id) as session,
             toString(timestamp) as at
      from events
      where toString(project_id) = ${string(String(projectId))}
      order by uuid`,
    { lane: 'ingest' },
  )

const ten = Array.from({ length: 10 }, (_, n) => row(n))

test('every row is stored, dropped with a reason or was there already; a second run changes nothing', async () => {
  const projectId = await aProject()
  const rows = [...ten, row(3), row(11, { timestamp: '' }), row(12, { event: '$snapshot' })]
  const first = await bring({ projectId, rows })
  expect(first).toMatchObject({
    rows: 13,
    kept: 11,
    stored: 10,
    dropped: { 'without a time': 1, 'session recordings are not supported': 1 },
    firstAt: new Date('2024-03-01T10:00:00Z'),
    lastAt: new Date('2024-03-05T10:00:00Z'),
  })
  const stored = await storedIn(projectId)
  expect(stored).toHaveLength(10)
  expect(stored[0]).toMatchObject({
    import: first.id,
    at: '2024-03-01 10:00:00.000',
    session: '018f0000-0000-4000-8000-000000000000',
  })

  const second = await bring({ projectId, rows, fingerprint: 'again' })
  expect(second).toMatchObject({ rows: 13, kept: 11, stored: 0 })
  expect(await storedIn(projectId)).toEqual(stored)
})

test('events at the cut-over or later are left out', async () => {
  const projectId = await aProject()
  const brought = await bring({ projectId, rows: ten, until: '2024-03-03T10:00:00Z' })
  expect(brought).toMatchObject({ rows: 10, stored: 4, dropped: { 'at the cut-over or later': 6 } })
})

test('an interrupted import continues behind the last rows that were written, each counted once', async () => {
  const projectId = await aProject()
  const cut = await bring({ projectId, rows: ten, portions: 1 })
  expect(cut).toMatchObject({ state: 'running', rows: 4, stored: undefined })
  expect(await product.imports.list(projectId, viewer)).toMatchObject([{ state: 'running', rows: 4 }])

  const again = { from: 0, rows: 4, events: [] }
  expect(problemMessages(await product.imports.add(projectId, cut.id, again, viewer))).toEqual([
    'The import has 4 rows. Continue behind them.',
  ])
  const whole = await bring({ projectId, rows: ten })
  expect(whole).toMatchObject({ id: cut.id, rows: 10, kept: 10, stored: 10 })
  expect(problemMessages(await product.imports.add(projectId, cut.id, again, viewer))).toEqual([
    'This import is ended.',
  ])
})

test('undo deletes the events of one import alone, and lets them be imported again', async () => {
  const projectId = await aProject()
  const first = await bring({ projectId, rows: ten.slice(0, 5) })
  const second = await bring({ projectId, rows: ten.slice(5), fingerprint: 'second' })
  expect(await undo(projectId, first.id)).toMatchObject({ state: 'undone', stored: 0 })
  expect(new Set((await storedIn(projectId)).map((event) => event.import))).toEqual(new Set([second.id]))
  expect(problemMessages(await product.imports.undo(projectId, first.id, viewer))).toEqual([
    'This import is undone already.',
  ])

  expect(await bring({ projectId, rows: ten })).toMatchObject({ kept: 10, stored: 5 })
  expect(await storedIn(projectId)).toHaveLength(10)
})

test('undo removes persons who have no other event, and keeps of others what clients have set', async () => {
  const projectId = await aProject()
  const identify = row(20, {
    event: '$identify',
    distinct_id: 'ana@example.com',
    properties: { $anon_distinct_id: 'visitor 1', $set: { plan: 'pro' } },
  })
  const known = row(21, {
    distinct_id: 'visitor 2',
    properties: { $set: { tier: 'old', source: 'history' } },
  })
  const brought = await bring({ projectId, rows: [...ten, identify, known] })
  const person = { set: { source: 'own' }, setOnce: {}, unset: [], add: {} }
  const own = anEvent({ person, distinctId: 'visitor 2', timestamp: new Date('2026-03-02T09:59:00Z') })
  expect(await product.intake?.accept([own], anEnvelope({ projectId }))).toMatchObject({ kept: 1 })
  const persons = async () =>
    await tested.engine().query<{ plan: string; tier: string; source: string }>(
      sql`
        select properties['plan'] as plan, properties['tier'] as tier, properties['source'] as source
        from persons final
        where toString(project_id) = ${string(String(projectId))}
        order by plan`,
      { lane: 'ingest' },
    )
  await expect.poll(async () => (await persons()).length).toBe(3)
  expect(await persons()).toContainEqual({ plan: 'pro', tier: '', source: '' })
  await expect.poll(persons).toContainEqual({ plan: '', tier: 'old', source: 'own' })

  await undo(projectId, brought.id)
  await expect.poll(persons).toEqual([{ plan: '', tier: '', source: 'own' }])
  expect(await storedIn(projectId)).toHaveLength(1)
})

test('an import fires nothing: it leaves visitors, quotas and counts of collection alone', async () => {
  const projectId = await aProject()
  requireDone(await product.projects.change(projectId, { intake: { monthlyEvents: 1000 } }, viewer))
  const before = product.intake?.context.sessions.size
  await bring({ projectId, rows: ten })
  expect(product.intake?.context.sessions.size).toBe(before)
  expect(product.intake?.counts().projects.find((one) => one.projectId === projectId)).toBeUndefined()
  expect(liveEvents.filter((one) => one.projectId === projectId)).toEqual([])
})

const day = (date: string, visitors: number, more: object = {}): FileRow => ({
  file: 'imported_visitors.csv',
  row: { date, visitors, pageviews: 2 * visitors, visits: visitors, bounces: 1, visit_duration: 60, ...more },
})
const ofPage = (date: string, page: string, visitors: number): FileRow => ({
  file: 'imported_pages.csv',
  row: { date, hostname: 'acme.example', page, visits: visitors, visitors, pageviews: 2 * visitors },
})

test('sums of days are kept once, beside events, and go with their import', async () => {
  const projectId = await aProject()
  const all = { from: '2024-03-01', to: '2024-03-31' }
  const daysOf = async () => {
    const found = await product.imports.dailySums(projectId, all, viewer)
    return (
      found && {
        ...found,
        lists: found.lists.map(({ dimension, rows }) => [
          dimension,
          rows.map(({ value, views }) => [value, views]),
        ]),
      }
    )
  }
  expect(await daysOf()).toBeUndefined()
  const rows = [
    day('2024-03-01', 3),
    day('2024-03-02', 4),
    day('2024-03-09', 9),
    // an export has a row for each host of a page
    ofPage('2024-03-01', '/', 3),
    ofPage('2024-03-01', '/', 2),
    ofPage('2024-03-02', '/', 1),
    ofPage('2024-03-02', '/pricing', 7),
  ]
  const story = { projectId, source: 'plausible', rows, until: '2024-03-09T00:00:00Z' } as const
  const interrupted = await bring({ ...story, portions: 1 })
  expect(interrupted).toMatchObject({ state: 'running' })
  const first = await bring(story)
  expect(first).toMatchObject({
    id: interrupted.id,
    kept: 0,
    stored: 0,
    sums: 6,
    dropped: { 'at the cut-over or later': 1 },
    firstAt: new Date('2024-03-01'),
    lastAt: new Date('2024-03-02'),
  })
  const once = {
    labels: ['Plausible'],
    span: { from: '2024-03-01', to: '2024-03-02' },
    days: [
      { day: '2024-03-01', visitors: 3, visits: 3, views: 6, bounces: 1, seconds: 60, events: 0 },
      { day: '2024-03-02', visitors: 4, visits: 4, views: 8, bounces: 1, seconds: 60, events: 0 },
    ],
    lists: [
      [
        'page',
        [
          ['/pricing', 14],
          ['/', 12],
        ],
      ],
    ],
  }
  expect(await daysOf()).toEqual(once)
  expect(
    await product.imports.dailySums(projectId, { from: '2024-03-03', to: '2024-03-04' }, viewer),
  ).toBeUndefined()
  expect(await product.imports.dailySums(await aProject(), all, viewer)).toBeUndefined()

  const again = await bring({ ...story, fingerprint: 'g' })
  expect(again).toMatchObject({ sums: 0, dropped: { 'daily totals that another import brought': 6 } })
  expect(await daysOf()).toEqual(once)

  await undo(projectId, first.id)
  expect(await daysOf()).toBeUndefined()
  await bring({ ...story, fingerprint: 'h' })
  expect(await daysOf()).toEqual(once)
})
