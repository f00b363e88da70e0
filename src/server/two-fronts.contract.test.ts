import { backupSettings } from '#test/product/backup-settings'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import {
  describeOnOwnPostgres,
  describeOnPostgres,
  type InterruptibleServer,
  startBuiltInPostgres,
} from '#test/outside/postgres'
import { patienceMs } from '#test/running/patience'
import { aFolder, requireDone } from '#test/product/fixture'
import { backUp } from '#backups/back-up'
import { importEngine } from '#backups/engine-import'
import { FolderTarget } from '#backups/internal/folder-target'
import { Repository } from '#backups/repository'
import { restore } from '#backups/restore'
import { verifyRestored } from '#backups/verify'
import { type Engine, EngineError } from '#engine/engine'
import { openEngine } from '#engine/open'
import { render, sql } from '#engine/sql'
import { temporaryEngine, temporaryServer, type TemporaryServer } from '#engine/internal/temporary'
import type { IncomingEvent } from '#events/event'
import { operator } from '#projects/access'
import { newUuid } from '#ingest/uuid'
import { openStore } from '#store/open'
import { realWorld } from '#world/world'
import { openProduct, type Product } from './product'

const nowhere = { address: '', client: '', requestId: '' }
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

/** The engine with some methods of its own; the others are called on the engine itself. */
const overriding = (engine: Engine, changes: Partial<Engine>): Engine =>
  new Proxy(engine, {
    get(target, name: keyof Engine) {
      const value: unknown = changes[name] ?? target[name]
      return typeof value === 'function' && !(name in changes) ? value.bind(target) : value
    },
  })

const refused = () => Promise.reject(new EngineError('unavailable', 'It is gone.'))

/** Fronts that share a Postgres and an engine. */
function frontsOn(emptyDatabase: () => Promise<string>) {
  let server: TemporaryServer
  beforeAll(async () => {
    server = await temporaryServer()
  })
  afterAll(() => server.remove())

  async function aFront(
    url: string,
    through: (engine: Engine) => Engine = (engine) => engine,
  ): Promise<Product & { folder: string; url: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'tilth-front-'))
    const engine = through(openEngine({ form: 'remote', url: server.url, log }))
    const product = await openProduct({
      store: { folder, url },
      engine,
      world: realWorld,
      intake: {
        dataFolder: folder,
        isAlone: false,
        diskSpace: async () => ({ freeBytes: 2 ** 40, trouble: undefined }) as never,
        log: log as never,
        onLiveEvent: () => {},
      },
      backups: { engineFolder: undefined, schedule: undefined },
    })
    onTestFinished(async () => {
      await product.close()
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    })
    return { ...product, folder, url }
  }

  async function twoFronts(through?: (engine: Engine) => Engine) {
    const url = await emptyDatabase()
    const fronts = [await aFront(url, through), await aFront(url, through)] as const
    // what a front remembers of sessions from before is read by then
    for (const { engine } of fronts) {
      await engine?.ready()
      await engine?.command(sql`truncate table events`)
    }
    return fronts
  }

  const take = async (front: Product, events: readonly IncomingEvent[]) => {
    const receipt = await front.intake?.accept([...events], anEnvelope({ receivedAt: new Date() }))
    expect(receipt).toMatchObject({ taken: true, kept: events.length })
  }

  async function stored(fronts: readonly Product[]) {
    await expect
      .poll(() => fronts.map((front) => front.intake?.counts().pipeline.pending))
      .toEqual(fronts.map(() => 0))
    const rows = await fronts[0]?.engine?.query<{ rows: number; uuids: number; sessions: number }>(
      sql`select count() as rows, uniqExact(uuid) as uuids, uniqExact(session_id) as sessions from events`,
      { lane: 'ingest' },
    )
    return rows?.[0]
  }

  const someEvents = (amount: number) =>
    Array.from({ length: amount }, (_, n) =>
      anEvent({ uuid: newUuid(realWorld), distinctId: `visitor ${n % 50}` }),
    )

  return { twoFronts, aFront, take, stored, someEvents, engineUrl: () => server.url }
}

describeOnPostgres('two fronts', (emptyDatabase) => {
  const { twoFronts, aFront, take, stored, someEvents } = frontsOn(emptyDatabase)

  test('two first starts at the same moment both succeed', async () => {
    const url = await emptyDatabase()
    const owner = { email: 'ana@example.com', password: 'lantern orchard violin' }
    const secretKey = 'a secret key of sixteen'.replaceAll(' ', '-')
    const fronts = await Promise.all([aFront(url), aFront(url)])
    const provide = ({ signIn: { setup } }: Product) =>
      setup.provision({ owner, project: 'Acme', writeKey: 'phc_acme', secretKey }, nowhere)

    expect(await Promise.all(fronts.map(provide))).toEqual([{ done: true }, { done: true }])
    for (const { engine } of fronts) await engine?.ready()

    expect(await fronts[0]?.signIn.setup.isNeeded()).toBe(false)
    expect(fronts.map(({ engine }) => engine?.health().status)).toEqual(['ready', 'ready'])
  })

  test('the same events given to both at once are stored once', async () => {
    const fronts = await twoFronts()
    const events = someEvents(500)
    for (let n = 0; n < events.length; n += 50) {
      const some = events.slice(n, n + 50)
      await Promise.all([take(fronts[0], some), take(fronts[1], some)])
    }

    expect(await stored(fronts)).toMatchObject({ rows: 500, uuids: 500 })
    const counts = fronts.map((front) => front.intake?.counts().pipeline)
    const sum = (of: 'stored' | 'deduplicated') => counts.reduce((all, one) => all + (one?.[of] ?? 0), 0)
    expect([sum('stored'), sum('deduplicated')]).toEqual([500, 500])
  })

  test('new events are looked up in the engine by neither, and those that the other stored are', async () => {
    const lookUps: string[] = []
    const fronts = await twoFronts((engine) =>
      overriding(engine, {
        query: (statement, limits) => {
          const { text } = render(statement)
          if (text.includes('prewhere uuid in')) lookUps.push(text)
          return engine.query(statement, limits)
        },
      }),
    )
    const [one, other] = fronts
    // each begins with what the other announces, and reads what was stored before
    for (let n = 0; n < 3; n++) {
      for (const front of fronts) {
        await take(front, someEvents(5))
        await stored(fronts)
      }
    }
    lookUps.length = 0
    const events = someEvents(200)
    for (let n = 0; n < events.length; n += 20)
      await take(n % 40 === 0 ? one : other, events.slice(n, n + 20))
    expect(await stored(fronts)).toMatchObject({ rows: 230, uuids: 230 })
    expect(lookUps).toEqual([])
    for (const { intake } of fronts) expect(intake?.counts().uuidFilter.days).toBe(30)

    for (let n = 0; n < events.length; n += 20)
      await take(n % 40 === 0 ? other : one, events.slice(n, n + 20))
    expect(await stored(fronts)).toMatchObject({ rows: 230, uuids: 230 })
    expect(lookUps.length).toBeGreaterThan(0)
  })

  test('events of a front that dies after it announced them are stored by the other', async () => {
    const url = await emptyDatabase()
    const dying = await aFront(url, (engine) =>
      overriding(engine, {
        insert: (table, lines) => (table === 'events' ? refused() : engine.insert(table, lines)),
        insertNative: (table, block) => (table === 'events' ? refused() : engine.insertNative(table, block)),
      }),
    )
    const other = await aFront(url)
    await other.engine?.ready()
    await other.engine?.command(sql`truncate table events`)
    await take(other, someEvents(5))
    await stored([other])
    const events = someEvents(50)
    await take(dying, events)
    await expect.poll(() => dying.intake?.trouble()).toBeDefined()
    await take(other, events)

    expect(await stored([other])).toMatchObject({ rows: 55, uuids: 55 })
  })

  test('a picture given to one is shown by the other', async () => {
    const fronts = await twoFronts()
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'green' } })
      .png()
      .toBuffer()
    const kept = await fronts[0].posts.images.keepFile(bytes)
    const file = kept.done ? kept.kept.file : ''

    expect(await fronts[1].posts.images.find(file)).toContain(file)
    expect(await fronts[1].posts.images.find(`${'0'.repeat(32)}.png`)).toBeUndefined()
  })

  test('the last response, given to one, makes the survey full for the other', async () => {
    const [one, other] = await twoFronts()
    const viewer = operator()
    const owner = { email: 'ana@example.com', password: 'lantern orchard violin' }
    const keys = { writeKey: 'phc_acme', secretKey: 'a-secret-of-sixteen' }
    expect(await one.signIn.setup.provision({ owner, project: 'Acme', ...keys }, nowhere)).toEqual({
      done: true,
    })
    const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] }
    const input = { name: 'Why?', content, responseLimit: 2 }
    const { id } = requireDone(await one.surveys.create(1, input, viewer)).survey
    const { survey } = requireDone(await one.surveys.launch(1, id, {}, viewer))
    await expect.poll(() => other.surveys.published.find(1, id)?.startsAt).toBeDefined()
    const responds = (submission: string) =>
      anEvent({
        name: 'survey sent',
        properties: { $survey_id: id, $survey_submission_id: submission, $survey_response_why: 'Speed' },
      })
    await take(one, [responds('first')])
    expect(other.surveys.statusOf(survey)).toBe('running')
    await take(other, [responds('last')])
    await expect
      .poll(() => [one, other].map(({ surveys }) => surveys.statusOf(survey)))
      .toEqual(['full', 'full'])
    expect(other.surveys.answers.runningSurveys(1)).toEqual([])
  })

  test('a visitor who alternates between them has one session', async () => {
    const fronts = await twoFronts()
    for (let n = 0; n < 6; n++) {
      const events = someEvents(50)
      await take(fronts[n % 2 === 0 ? 0 : 1], events)
    }

    expect(await stored(fronts)).toMatchObject({ rows: 300, sessions: 50 })
  })

  test('while one takes a point for a backup, the other stores nothing either, and goes on afterwards', async () => {
    const [one, other] = await twoFronts()
    let pendingThen: number | undefined
    await one.intake?.whileIngestIsPaused(async () => {
      await take(other, someEvents(20))
      // without the lock, it stores them within a fraction of this
      const until = performance.now() + 1_500
      while (other.intake?.counts().pipeline.pending !== 0 && performance.now() < until) await pause(20)
      pendingThen = other.intake?.counts().pipeline.pending
    })
    expect(pendingThen).toBe(20)
    expect(await stored([one, other])).toMatchObject({ rows: 20 })
  })
})

describe('two fronts on a Postgres that is away for a while', () => {
  let postgres: InterruptibleServer
  beforeAll(async () => void (postgres = await startBuiltInPostgres()))
  afterAll(() => postgres.stop())
  const { twoFronts, take, stored, someEvents } = frontsOn(() => postgres.emptyDatabase())

  test('store what both were sent meanwhile once', async () => {
    const fronts = await twoFronts()
    for (const front of fronts) await take(front, someEvents(20))
    expect(await stored(fronts)).toMatchObject({ rows: 40, uuids: 40 })
    await postgres.disconnect()
    const events = someEvents(100)
    for (const front of fronts) await take(front, events)
    await expect
      .poll(() => fronts.filter(({ intake }) => intake?.trouble() === undefined), { timeout: patienceMs })
      .toEqual([])
    await postgres.reconnect()

    await expect
      .poll(() => fronts.map(({ intake }) => intake?.counts().pipeline.pending), { timeout: 4 * patienceMs })
      .toEqual([0, 0])
    expect(await stored(fronts)).toMatchObject({ rows: 140, uuids: 140 })
  })
})

describeOnOwnPostgres('two fronts, one of which is frozen while it inserts', (emptyDatabase) => {
  const { aFront, take, stored, someEvents } = frontsOn(emptyDatabase)

  test('the other stores its own events, waits with those that both have, and stores nothing twice', async () => {
    let freezes = false
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
    onTestFinished(() => thaw())
    const url = await emptyDatabase()
    const frozen = await aFront(url, (engine) =>
      overriding(engine, {
        insertNative: async (table, block) => {
          if (freezes && table === 'events') await thawed
          await engine.insertNative(table, block)
        },
      }),
    )
    const other = await aFront(url)
    await other.engine?.ready()
    await other.engine?.command(sql`truncate table events`)
    // each begins with what the other announces, and reads what was stored before
    for (const front of [frozen, other, frozen, other]) {
      await take(front, someEvents(5))
      await stored([front])
    }
    freezes = true
    const both = someEvents(10)
    await take(frozen, both)
    await expect.poll(() => announcementsIn(url), { timeout: patienceMs }).toBe(5)
    await take(other, someEvents(20))
    expect(await stored([other])).toMatchObject({ rows: 40 })
    expect(frozen.intake?.counts().pipeline.pending).toBe(10)

    await take(other, both)
    await expect.poll(() => announcementsIn(url), { timeout: patienceMs }).toBe(7)
    thaw()
    expect(await stored([frozen, other])).toMatchObject({ rows: 50, uuids: 50 })
  })

  /** The number of batches that fronts have announced. */
  async function announcementsIn(url: string): Promise<number> {
    const store = await openStore({ folder: aFolder(), url })
    const rows = await store
      .tables<{ announced_uuids: { number: number } }>()
      .selectFrom('announced_uuids')
      .select('number')
      .execute()
    await store.close()
    return rows.length
  }
})

describeOnOwnPostgres('a backup of two fronts', (emptyDatabase) => {
  const { twoFronts, take, someEvents, engineUrl } = frontsOn(emptyDatabase)

  test('has no merge in the engine that the copied store does not know, while the other front merges', async () => {
    const [one, other] = await twoFronts()
    const merges = async () => {
      const rows = await one.engine?.query<{ number: number }>(
        sql`select count() as number from person_overrides`,
      )
      return Number(rows?.[0]?.number)
    }
    const seen = new Set<number>()
    await one.intake?.whileIngestIsPaused(async () => {
      seen.add(await merges())
      const identity = { kind: 'identify', anonymous: 'before' } as const
      await take(
        other,
        someEvents(1).map((event) => ({ ...event, identity })),
      )
      for (let look = 0; look < 100; look++) seen.add(await merges())
    })
    expect([...seen]).toEqual([0])
    await expect.poll(merges).toBe(1)
  })

  test('is verified while both store events without pause', async () => {
    const fronts = await twoFronts()
    const [{ folder, url }] = fronts
    const ending = new AbortController()
    const sending = fronts.map(async (front) => {
      while (!ending.signal.aborted) await take(front, someEvents(25))
    })
    const repository = await Repository.openOrBegin(new FolderTarget(aFolder()), undefined)
    for (let time = 0; time < 2; time++) {
      const { manifest } = await backUp({
        dataFolder: folder,
        store: { folder, url },
        engineUrl: engineUrl(),
        repository,
        ...backupSettings,
      })
      const restored = join(aFolder(), 'restored')
      await restore({ repository, snapshot: manifest.name, folder: restored, progress: () => {} })
      const { engine } = await temporaryEngine({ folder: join(restored, 'engine') })
      await engine.ready()
      await importEngine(engine, restored, manifest)
      expect(await verifyRestored(restored, manifest, engine, url)).toMatchObject({
        questions: 5,
        differences: [],
        notCompared: [],
      })
      await engine.close()
    }
    ending.abort()
    await Promise.all(sending)
  })
})
