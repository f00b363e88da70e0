import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { IncomingEvent, Properties } from '#events/event'
import { formatNames, type TableFormat } from '#exports/export-statement'
import type { Import } from '#imports/import'
import { defaultIngestSettings } from '#ingest/settings'
import { inReadingOrder } from '#imports/import-files'
import { previewImport } from '#imports/import-preview'
import { portionsOf } from '#imports/portions'
import { readSource } from '#imports/source-reader'
import { importSources } from '#imports/sources/sources'
import { kindNames } from '#insights/internal/kinds'
import { operator } from '#projects/access'
import { openProduct, type Product } from '#server/product'
import { textField } from '#wire/read-fields'
import { endAfterFile } from '#test/running/end-after-file'
import { patienceMs } from '#test/running/patience'
import { runs } from '#test/random/chance'
import { recordingWireServices } from '#test/wire/trackers-fixture'
import { replayRecording, vendorRequests } from '#test/wire/vendor-recordings'
import { fullAnswer, mergedInto, queriesOf, stories, wholeScope } from './every-kind'
import { aFolder, aWorld, requireDone } from './fixture'
import { anEnvelope, anEvent, chrome } from './ingest-fixture'
import { anEngine, type TestEvent, timeOf, uuidFor } from './test-engine'

const tested = anEngine()
const viewer = operator()
const endLater = endAfterFile()
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
const world = aWorld('round trip')
// recordings of clients are from November
world.advance('300 days')

let product: Product
beforeAll(async () => {
  const folder = aFolder(endLater)
  product = await openProduct({
    store: { folder },
    world,
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
})

let projects = 0
async function aProject(): Promise<number> {
  const { project } = requireDone(await product.projects.create({ name: `Shop ${++projects}` }, viewer))
  return project.id
}

const intake = () => {
  if (!product.intake) throw new Error('This product collects events.')
  return product.intake
}

async function settled(): Promise<void> {
  expect(await intake().history.settle(patienceMs)).toBe(true)
}

const tables = ['events', 'sessions', 'persons', 'groups'] as const

/** Writes the files of an export, as the command does. */
async function exported(projectId: number, format: TableFormat): Promise<string[]> {
  const folder = join(aFolder(endLater), 'export')
  mkdirSync(folder, { recursive: true })
  const paths: string[] = []
  for (const table of tables) {
    const { file } = requireDone(await product.exports.open(projectId, table, { format }, viewer))
    const path = join(folder, file.name)
    writeFileSync(path, await buffer(Readable.from(file.parts)))
    paths.push(path)
  }
  return inReadingOrder(
    paths.map((path) => ({ path, name: path })),
    importSources.tilth,
  ).map(({ path }) => path)
}

const settings = () => ({ source: importSources.tilth, now: world.now() })

/** Imports files as the command does. */
async function imported(projectId: number, paths: readonly string[], fingerprint = 'one'): Promise<Import> {
  const input = { source: 'tilth', name: 'events.jsonl', fingerprint }
  let current = requireDone(await product.imports.begin(projectId, input, viewer)).import
  await readSource(paths, importSources.tilth, async (read) => {
    for await (const portion of portionsOf(read, { ...settings(), mostEvents: 40 })) {
      const added = { from: current.rows, ...portion }
      current = requireDone(await product.imports.add(projectId, current.id, added, viewer)).import
    }
  })
  requireDone(await product.imports.end(projectId, current.id, viewer))
  const find = async () => requireDone(await product.imports.find(projectId, current.id, viewer)).import
  await expect.poll(async () => (await find()).state, { timeout: patienceMs }).toBe('done')
  return await find()
}

const rowsOf = (file: string): Properties[] =>
  file
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Properties)

async function rowsOfTable(projectId: number, table: (typeof tables)[number]): Promise<Properties[]> {
  const { file } = requireDone(await product.exports.open(projectId, table, {}, viewer))
  return rowsOf(await text(Readable.from(file.parts)))
}

/** The persons of a project by a word that is the same in every copy of it: the first of their distinct ids. */
async function personNames(projectId: number): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const row of await rowsOfTable(projectId, 'events')) {
    const [person, id] = [textField(row, 'person_id') ?? '', textField(row, 'distinct_id') ?? '']
    const known = names.get(person)
    if (known === undefined || id < known) names.set(person, id)
  }
  return names
}

const named = <Answer>(answer: Answer, names: ReadonlyMap<string, string>): Answer =>
  // names have no character that JSON escapes
  JSON.parse(
    [...names].reduce((json, [id, name]) => json.replaceAll(id, name), JSON.stringify(answer ?? null)),
  ) as Answer

const inOrderOfText = (rows: readonly unknown[]): unknown[] =>
  rows.map((row) => JSON.stringify(row)).toSorted()

/**
 * All rows with the names of persons, without what every import has of its own. Sessions are made of the events; which of
 * two at the same instant is their first has no rule.
 */
async function contentOf(projectId: number): Promise<unknown[]> {
  const names = await personNames(projectId)
  const stored = ['events', 'persons', 'groups'] as const
  const all = await Promise.all(stored.map((table) => rowsOfTable(projectId, table)))
  const rows = all.flat().map(({ received_at: _, ...row }) => {
    const { $import: __, ...properties } = (row['properties'] ?? {}) as Properties
    return { ...row, properties }
  })
  return inOrderOfText(named(rows, names))
}

const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** An event of a random story as a client would send it. */
function sentEvent(one: TestEvent, i: number): IncomingEvent {
  const { columns = {}, session, person, event } = one
  return anEvent({
    uuid: uuidFor(`random ${i}`),
    name: event,
    distinctId: person,
    timestamp: timeOf(one),
    hasPerson: person === 'ana' || person === 'ben',
    groups: one.groups ?? {},
    properties: {
      ...one.properties,
      $current_url: `https://acme.example${columns.path}`,
      $geoip_country_code: columns.country ?? '',
      $browser: columns.browser ?? '',
      $scroll_depth: columns.scroll_depth ?? 0,
      ...(columns.revenue && { $revenue: columns.revenue, $currency: 'USD' }),
      ...(columns.source === 'Google' && { $referrer: 'https://www.google.com/' }),
      ...(columns.traffic === 'bot' && { $raw_user_agent: bot }),
      // of one visitor: whose session it is would else be decided by the numbers of persons
      ...(session !== undefined && {
        $session_id: uuidFor(`session ${session} ${mergedInto[person] ?? person}`),
      }),
    },
  })
}

const tier = (value: string) => ({ set: { tier: value }, setOnce: {}, unset: [], add: {} })

/** Events that merge persons and set properties, at instants when nothing else happens. */
const identifying: readonly IncomingEvent[] = [
  ...Object.entries(mergedInto).map(([anonymous, distinctId], i) =>
    anEvent({
      uuid: uuidFor(`identify ${i}`),
      name: '$identify',
      distinctId,
      timestamp: new Date(`2026-03-02T01:0${i + 1}:00Z`),
      identity: { kind: 'identify', anonymous },
      person: tier(distinctId === 'ana' ? 'pro' : 'free'),
      properties: {},
    }),
  ),
  anEvent({
    uuid: uuidFor('group'),
    name: '$groupidentify',
    distinctId: 'ana',
    timestamp: new Date('2026-03-02T01:04:00Z'),
    group: { type: 'company', key: 'u', set: { size: 10 } },
    properties: {},
  }),
]

/** A project with a random story, which comes through every step of ingest. */
async function projectWith(story: readonly TestEvent[]): Promise<number> {
  const projectId = await aProject()
  const events = [...story.map(sentEvent), ...identifying]
  const origin = { projectId, importId: 'random', source: 'posthog' }
  expect(await intake().history.write(events, origin)).toMatchObject({ taken: true, dropped: [] })
  await settled()
  return projectId
}

async function copiesOf(projectId: number): Promise<number[]> {
  const copies: number[] = []
  for (const format of formatNames) {
    const copy = await aProject()
    await imported(copy, await exported(projectId, format))
    copies.push(copy)
  }
  return copies
}

type Asking = (kind: (typeof kindNames)[number], query: object) => Promise<unknown>

/** Asks questions about a project, with the names of persons in the answers. */
async function askingIn(projectId: number): Promise<Asking> {
  const names = await personNames(projectId)
  const picked = ['ana', 'cleo'].flatMap((name) => [...names].find(([, own]) => own === name)?.[0] ?? [])
  const scope = wholeScope(tested, projectId, true, picked)
  return async (kind, query) => {
    const answer = await fullAnswer(kind, query, scope)
    const { behind, ...rest } = named(answer, names) as {
      behind?: unknown[]
      table?: { rows: readonly unknown[] }
    }
    const persons = behind?.map((each) => (Array.isArray(each) ? inOrderOfText(each) : each))
    // statements put rows in the order of persons' numbers
    return kind === 'sql' ? inOrderOfText(rest.table?.rows ?? []) : { ...rest, persons }
  }
}

describe('an export that is imported into a new project', () => {
  const cases = fc.sample(stories(40), runs(1))

  test.each(cases.map((story, i) => [i + 1, story] as const))(
    'gives the same answers to every kind of question, in each format: random story %i',
    async (_i, story) => {
      const origin = await projectWith(story)
      const ask = await askingIn(origin)
      const copies = await Promise.all((await copiesOf(origin)).map(askingIn))
      for (const kind of kindNames) {
        const [query = {}] = fc.sample(queriesOf(kind), 1)
        const [expected, ...answers] = await Promise.all([ask, ...copies].map((one) => one(kind, query)))
        for (const [i, answer] of answers.entries())
          expect(answer, `${kind}, ${formatNames[i]}: ${JSON.stringify(query)}`).toEqual(expected)
      }
    },
    4 * patienceMs,
  )
})

const recordings: readonly (readonly [string, string, Record<string, string>])[] = [
  ['goatcounter', 'goatcounter-01.json', {}],
  ['matomo', 'matomo-js-01.json', {}],
  ['matomo', 'matomo-tracker-node.json', {}],
  ['simple-analytics', 'simple-analytics-01.json', {}],
  ['mixpanel', 'mixpanel-browser-01.json', { tilth_pub: 'key-1' }],
  ['amplitude', 'amplitude-browser-01.json', { tilth_pub: 'key-1' }],
  ['segment', 'segment-browser-01.json', { tilth_pub: 'key-1', WK: 'key-1' }],
]

const visit = (distinctId: string, at: string, changes: Partial<IncomingEvent> = {}): IncomingEvent =>
  anEvent({ distinctId, timestamp: new Date(at), uuid: uuidFor(`${distinctId} ${at}`), ...changes })

const hostile = 'a "quoted",\n\'text\'; 東京 🌱\t{"x":1}'

/** A project with events of several vendors’ clients, visits over midnight, awkward values, and a person who is known by four ids. */
async function mixedProject(): Promise<number> {
  const projectId = await aProject()
  for (const [vendor, file, keys] of recordings) {
    const services = recordingWireServices()
    await replayRecording(vendorRequests(vendor, file, keys), services)
    expect(services.events().length, vendor).toBeGreaterThan(0)
    for (const { events, envelope } of services.accepted)
      await intake().accept([...events], { ...envelope, projectId })
  }
  const own = [
    visit('dora', '2026-11-20T23:50:00Z', { hasPerson: false }),
    visit('dora', '2026-11-21T00:10:00Z', {
      hasPerson: false,
      properties: { $revenue: 34.5, $currency: 'EUR' },
    }),
    visit('dora@example.com', '2026-11-21T00:20:00Z', {
      name: '$identify',
      identity: { kind: 'identify', anonymous: 'dora' },
      person: {
        set: { note: hostile, age: 41, zip: '02139', plain: '{ "a": 1 }' },
        setOnce: {},
        unset: [],
        add: {},
      },
    }),
    visit('dora@example.com', '2026-11-21T00:21:00Z', { identity: { kind: 'alias', alias: 'dora-unused' } }),
    visit('dora-work', '2026-11-21T00:22:00Z', { identity: { kind: 'merge', other: 'dora@example.com' } }),
    visit('eve', '2026-11-21T00:23:00Z', {
      name: 'survey seen',
      properties: { note: hostile, zip: '02139', n: 5, nested: { a: [1, 'b'] }, empty: '', flag: true },
      groups: { company: hostile, team: 'x' },
    }),
    visit('eve', '2026-11-21T00:24:00Z', {
      group: { type: 'company', key: 'x', set: { size: 3, name: hostile } },
    }),
    visit('robot', '2026-11-21T00:25:00Z', { properties: { $raw_user_agent: bot } }),
    visit('', '2026-11-21T00:26:00Z', { distinctId: undefined }),
  ]
  const receivedAt = new Date('2026-11-21T06:00:00Z')
  const receipt = await intake().accept(own, anEnvelope({ projectId, receivedAt, userAgent: chrome }))
  expect(receipt).toMatchObject({ kept: own.length })
  await settled()
  return projectId
}

const visitorsOf = async (projectId: number): Promise<number> => {
  const rows = await rowsOfTable(projectId, 'events')
  return new Set(rows.map(({ person_id: person }) => person)).size
}

describe('what several vendors’ clients sent', () => {
  test.each(formatNames)('comes back row by row: %s', async (format) => {
    const origin = await mixedProject()
    const copy = await aProject()
    const files = await exported(origin, format)
    const brought = await imported(copy, files)
    const expected = await contentOf(origin)
    expect(expected.length).toBeGreaterThan(40)
    expect(await contentOf(copy)).toEqual(expected)
    expect(brought.stored).toBe(brought.kept)
    expect(brought.profiles).toBeGreaterThan(2)
    expect(Object.keys(brought.dropped)).toEqual(['of a session, which its events make'])
  })

  test('changes nothing when it is imported again, in another format', async () => {
    const origin = await mixedProject()
    const copy = await aProject()
    const first = await imported(copy, await exported(origin, 'jsonl'))
    const before = await contentOf(copy)
    const again = await imported(copy, await exported(origin, 'csv'), 'again')
    expect(again).toMatchObject({ kept: first.kept, stored: 0 })
    expect(await contentOf(copy)).toEqual(before)
  })

  test('is one person again where only events are imported', async () => {
    const origin = await mixedProject()
    const copy = await aProject()
    const files = await exported(origin, 'jsonl')
    await imported(
      copy,
      files.filter((path) => path.includes('events')),
    )
    expect(await visitorsOf(copy)).toBe(await visitorsOf(origin))
  })

  test('is found later by an id that no event has yet', async () => {
    const origin = await mixedProject()
    const copy = await aProject()
    await imported(copy, await exported(origin, 'csv'))
    const visitors = await visitorsOf(copy)
    const late = visit('dora-unused', '2026-11-22T10:00:00Z')
    await intake().accept([late], anEnvelope({ projectId: copy, receivedAt: world.now() }))
    await settled()
    expect(await visitorsOf(copy)).toBe(visitors)
  })

  test('is counted by a preview, and gone after an undo', async () => {
    const origin = await mixedProject()
    const copy = await aProject()
    const files = await exported(origin, 'jsonl')
    const previewed = { ...settings(), sourceName: 'tilth', intake: defaultIngestSettings } as const
    const preview = await previewImport(files, previewed)
    const brought = await imported(copy, files)
    expect(preview).toMatchObject({ events: brought.kept, profiles: brought.profiles, problem: undefined })

    requireDone(await product.imports.undo(copy, brought.id, viewer))
    const find = async () => requireDone(await product.imports.find(copy, brought.id, viewer)).import
    await expect.poll(async () => (await find()).state, { timeout: patienceMs }).toBe('undone')
    expect(await rowsOfTable(copy, 'events')).toEqual([])
    expect(await rowsOfTable(copy, 'persons')).toEqual([])
  })
})
