import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { anEnvelope, anEvent } from '#test/ingest-fixture'
import { describeOnPostgres } from '#test/postgres'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import { temporaryServer, type TemporaryServer } from '#engine/temporary'
import type { IncomingEvent } from '#events/event'
import { newUuid } from '#ingest/uuid'
import { realWorld } from '#world/world'
import { openProduct, type Product } from './product'

const nowhere = { address: '', client: '', requestId: '' }
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

describeOnPostgres('two fronts', (emptyDatabase) => {
  let server: TemporaryServer
  beforeAll(async () => {
    server = await temporaryServer()
  })
  afterAll(() => server.remove())

  async function aFront(url: string): Promise<Product> {
    const folder = await mkdtemp(join(tmpdir(), 'tilth-front-'))
    const engine = openEngine({ form: 'remote', url: server.url, log })
    const product = await openProduct({
      store: { folder, url },
      engine,
      world: realWorld,
      intake: {
        dataFolder: folder,
        isAlone: false,
        diskSpace: async () => ({ freeBytes: 2 ** 40, trouble: undefined }) as never,
        log: log as never,
        onSighting: () => {},
      },
    })
    onTestFinished(async () => {
      await product.close()
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    })
    return product
  }

  async function twoFronts() {
    const url = await emptyDatabase()
    const fronts = [await aFront(url), await aFront(url)] as const
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

  test('two first starts at the same moment both succeed', async () => {
    const url = await emptyDatabase()
    const owner = { email: 'ana@example.com', password: 'lantern orchard violin' }
    const secretKey = 'a secret key of sixteen'.replaceAll(' ', '-')
    const fronts = await Promise.all([aFront(url), aFront(url)])
    const provide = ({ setup }: Product) =>
      setup.provision({ owner, project: 'Acme', writeKey: 'phc_acme', secretKey }, nowhere)

    expect(await Promise.all(fronts.map(provide))).toEqual([{ done: true }, { done: true }])
    for (const { engine } of fronts) await engine?.ready()

    expect(await fronts[0]?.setup.isNeeded()).toBe(false)
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

  test('a picture given to one is shown by the other', async () => {
    const fronts = await twoFronts()
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'green' } })
      .png()
      .toBuffer()
    const kept = await fronts[0].images.keepFile(bytes)
    const file = kept.done ? kept.kept.file : ''

    expect(await fronts[1].images.find(file)).toContain(file)
    expect(await fronts[1].images.find(`${'0'.repeat(32)}.png`)).toBeUndefined()
  })

  test('a visitor who alternates between them has one session', async () => {
    const fronts = await twoFronts()
    for (let n = 0; n < 6; n++) {
      const events = someEvents(50)
      await take(fronts[n % 2 === 0 ? 0 : 1], events)
    }

    expect(await stored(fronts)).toMatchObject({ rows: 300, sessions: 50 })
  })
})
