import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, aProjectWithStore, problemMessages, requireDone } from '#test/product/fixture'
import { dropReasons } from '#events/event'
import { HistoryPreparation } from '#ingest/history-preparation'
import { defaultIngestSettings, type ProjectIngestSettings } from '#ingest/settings'
import { operator } from '#projects/access'
import { Imports } from '../imports'
import { PreparingThread } from './internal/preparing-thread'
import { openPortionPreparation, type PortionPreparer } from './portion-preparation'

const viewer = operator()
const receivedAt = new Date('2026-03-02T10:00:00Z')
const origin = { projectId: 1, importId: 'one', source: 'posthog' }

const anEvent = (n: number, host = 'example.com') => ({
  uuid: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  name: '$pageview',
  distinctId: `visitor ${n % 3}`,
  at: `2024-03-0${1 + (n % 5)}T10:00:00.000Z`,
  hasPerson: true,
  properties: { $current_url: `https://${host}/page-${n}`, plan: 'team' },
})

const aPortion = (from: number, amount: number) => ({
  from,
  rows: amount + 1,
  dropped: { 'without a time': 1 },
  events: Array.from({ length: amount }, (_, n) => anEvent(from + n)),
})

const jsonOf = (portion: unknown): Buffer => Buffer.from(JSON.stringify(portion))

/** Prepares as the thread does, in this one. */
function aPreparer(settings: ProjectIngestSettings = defaultIngestSettings): PortionPreparer {
  const prepare = openPortionPreparation()
  return {
    prepare: async (json, ofImport, at) =>
      await prepare({ json, origin: ofImport, settings, receivedAt: at }),
  }
}

/** Imports whose journal is a list of lines, and one that has begun. */
async function anImport(preparer: PortionPreparer | undefined) {
  const { store, world, id } = await aProjectWithStore()
  const lines: string[] = []
  const history = {
    write: async () => expect.unreachable('the portion is prepared before'),
    writePrepared: async ({
      records,
      events: _,
      ...rest
    }: Awaited<ReturnType<HistoryPreparation['prepare']>>) => {
      for (const record of records) lines.push(...record.subarray(16).toString().split('\n'))
      return { taken: true as const, ...rest }
    },
    refusal: (): { taken: false; retryAfterSeconds: number } | undefined => undefined,
    restore: async () => 0,
  }
  const imports = new Imports({ store, world, history, preparer })
  const begun = requireDone(
    await imports.begin(id, { source: 'posthog', name: 'events.jsonl', fingerprint: 'f' }, viewer),
  ).import
  const addJson = async (json: Uint8Array) => await imports.addJson(id, begun.id, json, viewer)
  return { imports, history, begun, projectId: id, lines, addJson }
}

test('a portion is parsed, prepared and written as lines of the journal', async () => {
  const { addJson, lines } = await anImport(aPreparer({ ...defaultIngestSettings, hosts: ['example.com'] }))
  const first = aPortion(0, 3)
  first.events.push(anEvent(9, 'other.example'))

  const outcome = requireDone((await addJson(jsonOf(first))) ?? expect.unreachable('it is a portion'))

  expect(outcome.import).toMatchObject({
    rows: 4,
    kept: 3,
    dropped: { 'without a time': 1, [dropReasons['shielded-host']]: 1 },
    firstAt: new Date('2024-03-01T10:00:00Z'),
    lastAt: new Date('2024-03-03T10:00:00Z'),
  })
  expect(lines.map((line) => JSON.parse(`${line.split('\t')[0]}}`).uuid)).toEqual(
    [0, 1, 2].map((n) => anEvent(n).uuid),
  )
  expect(problemMessages((await addJson(jsonOf(first))) ?? expect.unreachable('it is a portion'))).toEqual([
    'The import has 4 rows. Continue behind them.',
  ])
})

test.each([
  ['no JSON', Buffer.from('{"from":0')],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['no portion', jsonOf({ from: 0 })],
  ['a field that portions do not have', jsonOf({ ...aPortion(0, 1), more: 1 })],
  ['an event without an id', jsonOf({ from: 0, rows: 1, events: [{ ...anEvent(1), uuid: 'none' }] })],
])('%s is left to the parser that names the reason', async (_, json) => {
  const { addJson, lines } = await anImport(aPreparer())
  expect(await addJson(json)).toBeUndefined()
  expect(lines).toEqual([])
})

test('an import pauses before its portion is parsed while too many events wait', async () => {
  const { addJson, history } = await anImport({ prepare: async () => expect.unreachable('it pauses') })
  history.refusal = () => ({ taken: false, retryAfterSeconds: 7 })
  expect(await addJson(jsonOf(aPortion(0, 1)))).toMatchObject({ done: true, retryAfterSeconds: 7 })
})

test('a change of the settings counts from the next portion on', async () => {
  const preparation = new HistoryPreparation()
  const event = { ...anEvent(1), timestamp: receivedAt, ageMs: undefined, groups: {} }
  const incoming = { ...event, person: { set: {}, setOnce: {}, unset: [], add: {} }, identity: undefined }
  const prepared = async (hosts: string[]) =>
    await preparation.prepare([{ ...incoming, group: undefined }], origin, {
      settings: { ...defaultIngestSettings, hosts },
      receivedAt,
    })
  expect(await prepared([])).toMatchObject({ events: 1, dropped: [] })
  expect(await prepared(['other.example'])).toMatchObject({ events: 0, dropped: ['shielded-host'] })
})

/** A thread that runs this program. */
function aThread(program: string, idleMs?: number) {
  const path = join(aFolder(), 'program.mjs')
  writeFileSync(path, `import { parentPort } from 'node:worker_threads'\n${program}`)
  const troubles: unknown[] = []
  const thread = new PreparingThread({
    settingsOf: () => defaultIngestSettings,
    onTrouble: (problem) => troubles.push(problem),
    program: path,
    ...(idleMs !== undefined && { idleMs }),
  })
  onTestFinished(() => thread.close())
  return { prepare: () => thread.prepare(jsonOf({}), origin, receivedAt), thread, troubles }
}

test('records arrive from the thread as they were made', async () => {
  const { prepare } = aThread(`
    parentPort.on('message', ({ id, settings, origin }) => {
      const history = { records: [Buffer.from('a record')], events: 1, dropped: [] }
      parentPort.postMessage({ id, prepared: { portion: { hosts: settings.hosts, origin }, history } })
    })`)
  const { portion, history } = (await prepare()) ?? expect.unreachable('it answers')
  expect(portion).toEqual({ hosts: [], origin })
  expect(history.records).toEqual([Buffer.from('a record')])
})

test('a thread that fails leaves its portions to the caller, and starts again', async () => {
  const { prepare, troubles } = aThread(`
    parentPort.on('message', () => { throw new Error('a bug') })`)
  expect(await Promise.all([prepare(), prepare()])).toEqual([undefined, undefined])
  expect(await prepare()).toBeUndefined()
  expect(troubles).toHaveLength(2)
})

test('a thread ends when no portion has come for a while, and starts again', async () => {
  const { prepare } = aThread(
    `
    let count = 0
    parentPort.on('message', ({ id }) => {
      const history = { records: [], events: 0, dropped: [] }
      parentPort.postMessage({ id, prepared: { portion: { count: ++count }, history } })
    })`,
    0,
  )
  expect((await prepare())?.portion).toEqual({ count: 1 })
  // a portion that comes at once is still prepared by the first thread
  await expect.poll(async () => (await prepare())?.portion).toEqual({ count: 1 })
})

test('a thread that is closed prepares nothing more', async () => {
  const { prepare, thread } = aThread(`parentPort.on('message', () => {})`)
  const waiting = prepare()
  await thread.close()
  expect(await waiting).toBeUndefined()
  expect(await prepare()).toBeUndefined()
})
