import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Engine } from '#engine/engine'
import { openEngine } from '#engine/open'
import { identifier, sql, uint } from '#engine/sql'
import { temporaryServer, type TemporaryServer } from '#engine/internal/temporary'
import { readiness } from '#http/health'
import { acceptEvents } from '#ingest/event-months'
import { EventTally } from '#ingest/event-tally'
import { newUuid } from '#ingest/uuid'
import type { FileRow } from '#imports/files/read-rows'
import { portionsOf } from '#imports/portions'
import { importSources } from '#imports/sources/sources'
import { eventNumbers } from '#test/deep/crashlab/events'
import { aFolder, aWorld, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { anEngine } from '#test/product/test-engine'
import { rowOf } from '#events/row'
import { personIdOf } from '#persons/person'
import { operator } from '#projects/access'
import { openStore, type StoreSettings } from '#store/open'
import { realWorld } from '#world/world'
import { Metrics } from './internal/metrics'
import { openProduct } from './product'
import { InstallationBinding } from '#ingest/installation'

const viewer = operator()
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
const tables = ['events', 'installation', 'persons', 'person_overrides'] as const
const everything = sql`select toYYYYMM(timestamp) as month, count() as events from events group by month order by month`

async function* each(rows: readonly FileRow[]) {
  yield* rows
}

interface Place {
  engine: () => Engine
  storeSettings: () => Promise<StoreSettings>
  isAlone: boolean
}

function tallyContract({ engine, storeSettings, isAlone }: Place): void {
  async function emptied(): Promise<Engine> {
    for (const table of tables) await engine().command(sql`truncate table ${identifier(table, tables)}`)
    return engine()
  }

  async function aProduct(settings: StoreSettings) {
    const product = await openProduct({
      store: settings,
      engine: engine(),
      world: aWorld(),
      intake: {
        dataFolder: settings.folder,
        isAlone,
        // only the trouble of a disk is read
        diskSpace: async () => ({ freeBytes: 2 ** 40, trouble: undefined }) as never,
        log: log as never,
        onLiveEvent: () => {},
      },
    })
    const { intake, jobs } = product
    if (!intake || !jobs) throw new Error('A front has an intake and jobs.')
    return { product, intake, jobs }
  }

  /** A project with a hundred events of March and twenty of February. */
  async function aFront() {
    await emptied()
    const settings = await storeSettings()
    const opened = await aProduct(settings)
    const { product, intake, jobs } = opened
    onTestFinished(() => product.close())
    const { project } = requireDone(await product.projects.create({ name: 'Acme' }, viewer))
    const take = async (amount: number, day: string, distinctId = 'ana') => {
      const events = Array.from({ length: amount }, () => anEvent({ uuid: newUuid(realWorld), distinctId }))
      const envelope = anEnvelope({ projectId: project.id, receivedAt: new Date(`${day}T09:00:00Z`) })
      expect(await intake.accept(events, envelope)).toMatchObject({ taken: true, kept: amount })
      await expect.poll(() => intake.counts().pipeline.pending).toBe(0)
    }
    await take(100, '2026-03-02')
    await take(20, '2026-02-10', 'ben')
    const compared = async () => {
      await jobs.hurry('compare events')
      const { parts } = await readiness({ collection: () => intake.state() })
      const metrics = new Metrics({
        engine: () => undefined,
        pages: () => undefined,
        openConnections: async () => 0,
        staleMs: () => undefined,
        intake: () => undefined,
        collection: () => intake.state(),
        jobs: () => undefined,
        refused: () => ({}),
        backups: () => undefined,
        deliveries: () => undefined,
      })
      const lines = (await metrics.text()).split('\n')
      const figures = lines.filter((line) => /^tilth_events_(missing|unexpected)\{/.test(line))
      return { collection: parts['collection'], figures }
    }
    return { ...opened, settings, project, take, compared }
  }

  const allIsWell = { collection: { ok: true, status: 'ready', backlog: 0 }, figures: [] }

  const deleteSome = async (amount: number, month: number) =>
    await engine().command(sql`
      alter table events delete
      where uuid in (select uuid from events where toYYYYMM(timestamp) = ${uint(month)} order by uuid limit ${uint(amount)})
      settings mutations_sync = 2, allow_nondeterministic_mutations = 1`)

  test('events that were deleted behind Tilth are said to be missing, until the operator accepts it', async () => {
    const { settings, compared, take } = await aFront()
    expect(await compared()).toEqual(allIsWell)

    await deleteSome(40, 202603)
    expect(await compared()).toEqual({
      collection: {
        ok: true,
        status: 'degraded',
        backlog: 0,
        trouble: expect.stringMatching(/^Stored events are missing: 40 missing in 2026-03 \(60 of 100\)\. /),
      },
      figures: ['tilth_events_missing{month="2026-03"} 40'],
    })
    await take(5, '2026-03-02')
    expect((await compared()).figures).toEqual(['tilth_events_missing{month="2026-03"} 40'])

    const store = await openStore(settings)
    await acceptEvents(store)
    await store.close()
    await expect.poll(async () => (await compared()).figures).toEqual([])
    expect(await compared()).toEqual(allIsWell)
    await take(5, '2026-03-02')
    await deleteSome(1, 202602)
    expect((await compared()).figures).toEqual(['tilth_events_missing{month="2026-02"} 1'])
  })

  test('a single event is missed after a restart too, as is one too many', async () => {
    const { product, settings } = await aFront()
    await product.close()
    await deleteSome(1, 202602)
    await engine().insert('events', rowOf(eventNumbers(1, 1)[0] ?? expect.fail(), personIdOf(1, 'ana')))

    const { product: again, intake } = await aProduct(settings)
    onTestFinished(() => again.close())
    await expect
      .poll(() => intake.state().troubles)
      .toEqual([
        { kind: 'events-lost', months: [{ month: 202602, expected: 20, found: 19 }] },
        { kind: 'events-unexpected', months: [{ month: 202611, expected: 0, found: 1 }] },
      ])
  })

  test('erased persons, expired events and undone imports are not missed', async () => {
    const { product, jobs, project, take, compared } = await aFront()
    await take(7, '2026-03-02', 'cleo')
    const rows = Array.from({ length: 30 }, (_, n) => ({
      file: 'events.jsonl',
      row: {
        uuid: newUuid(realWorld),
        event: 'order placed',
        distinct_id: `buyer ${n}`,
        timestamp: `2026-01-0${1 + (n % 3)}T10:00:00Z`,
        properties: '{}',
      },
    }))
    const input = { source: 'posthog', name: 'events.jsonl', fingerprint: 'f', until: undefined }
    const startedImport = requireDone(await product.imports.begin(project.id, input, viewer)).import
    const portions = portionsOf({ rows: each(rows) }, { source: importSources.posthog, now: aWorld().now() })
    for await (const portion of portions)
      requireDone(await product.imports.add(project.id, startedImport.id, { from: 0, ...portion }, viewer))
    requireDone(await product.imports.end(project.id, startedImport.id, viewer))
    const importIs = async () =>
      requireDone(await product.imports.find(project.id, startedImport.id, viewer)).import.state
    await expect.poll(importIs).toBe('done')
    expect(await engine().query(everything)).toEqual([
      { month: 202601, events: 30 },
      { month: 202602, events: 20 },
      { month: 202603, events: 107 },
    ])
    expect(await compared()).toEqual(allIsWell)

    requireDone(await product.imports.undo(project.id, startedImport.id, viewer))
    await expect.poll(importIs).toBe('undone')
    requireDone(await product.people.erasures.ask(project.id, personIdOf(project.id, 'cleo'), viewer))
    await expect.poll(() => engine().query(everything)).toContainEqual({ month: 202603, events: 100 })
    await jobs.hurry('erase persons')
    requireDone(await product.projects.change(project.id, { intake: { keep: { eventDays: 2 } } }, viewer))
    await product.retention.run()

    expect(await engine().query(everything)).toEqual([{ month: 202603, events: 100 }])
    expect(await compared()).toEqual(allIsWell)
    await deleteSome(1, 202603)
    expect((await compared()).figures).toEqual(['tilth_events_missing{month="2026-03"} 1'])
  })

  test.each([
    ['before', 0],
    ['in the middle of', 4],
    ['after', 10],
  ])('a crash %s an insert that was announced leaves nothing missing', async (_when, inserted) => {
    await emptied()
    const store = await openStore(await storeSettings())
    onTestFinished(() => store.close())
    const settings = { store, engine: engine(), world: aWorld(), journal: 'j', hasOtherFronts: !isAlone }
    await new InstallationBinding(settings).initialize()
    const rows = eventNumbers(0, 10).map((event) => rowOf(event, personIdOf(1, event.distinctId)))
    const killed = new EventTally(settings)
    await killed.begin()
    await killed.announce('killed', new Map([[202611, 10]]))
    if (inserted > 0) await engine().insert('events', rows.slice(0, inserted).join('\n'))

    const tally = new EventTally(settings)
    await tally.begin()
    expect(tally.differences).toEqual([])
    await tally.announce('change', new Map([[202611, 10 - inserted]]))
    if (inserted < 10) await engine().insert('events', rows.slice(inserted).join('\n'))
    await tally.settle('change', new Map([[202611, 10 - inserted]]))
    await tally.compare()
    expect(tally.differences).toEqual([])

    await deleteSome(1, 202611)
    await tally.compare()
    expect(tally.differences).toEqual([{ month: 202611, expected: 10, found: 9 }])
  })
}

describe('events in an engine of Tilth’s own, counted in a file', () => {
  const { engine } = anEngine()
  tallyContract({ engine, storeSettings: async () => ({ folder: aFolder() }), isAlone: true })
})

describeOnPostgres('events on a server, counted', (emptyDatabase) => {
  let server: TemporaryServer
  let engine: Engine
  beforeAll(async () => {
    server = await temporaryServer()
    engine = openEngine({ form: 'remote', url: server.url, log })
    await engine.ready()
  })
  afterAll(async () => {
    await engine.close()
    await server.remove()
  })
  tallyContract({
    engine: () => engine,
    storeSettings: async () => ({ folder: aFolder(), url: await emptyDatabase() }),
    isAlone: false,
  })
})
