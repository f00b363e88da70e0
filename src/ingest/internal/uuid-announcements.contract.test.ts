import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { describeOnPostgres } from '#test/outside/postgres'
import { aFolder } from '#test/product/fixture'
import { openStore } from '#store/open'
import type { TableSource } from '#store/store'
import { realWorld } from '#world/world'
import { bytesOfUuids } from '../recent-event-filter'
import { newUuid } from '../uuid'
import { UuidAnnouncements } from './uuid-announcements'

describeOnPostgres('what fronts announce', (emptyDatabase) => {
  async function aStore() {
    const store = await openStore({ folder: aFolder(), url: await emptyDatabase() })
    onTestFinished(() => store.close())
    return store
  }

  const someUuids = (amount = 3) => bytesOfUuids(Array.from({ length: amount }, () => newUuid(realWorld)))

  async function begun(store: TableSource) {
    const front = new UuidAnnouncements({ store, world: realWorld })
    await front.begin(store, async () => {})
    return front
  }

  async function readBy(front: UuidAnnouncements, store: TableSource) {
    const heard: string[] = []
    let gaps = 0
    await front.readNew(
      store,
      async (uuids) => void heard.push(uuids.toString('hex')),
      () => (gaps += 1),
    )
    return { heard, gaps }
  }

  const hex = (...all: Buffer[]) => all.map((uuids) => uuids.toString('hex'))

  const shift = (store: TableSource, minutes: number) =>
    sql`update announced_uuids set announced_at = announced_at - ${minutes * 60_000}::bigint`.execute(
      store.tables(),
    )

  test('are read once by every other front, and not by the one that announced them', async () => {
    const store = await aStore()
    const [one, other] = [await begun(store), await begun(store)]
    const [first, second] = [someUuids(), someUuids()]
    await one.announce(first)
    expect(await readBy(other, store)).toEqual({ heard: hex(first), gaps: 0 })
    await one.announce(second)
    expect(await readBy(other, store)).toEqual({ heard: hex(second), gaps: 0 })
    expect(await readBy(other, store)).toEqual({ heard: [], gaps: 0 })
    expect(await readBy(one, store)).toEqual({ heard: [], gaps: 0 })
  })

  test('are read where another commits later with a smaller number', async () => {
    const store = await aStore()
    const [one, other] = [await begun(store), await begun(store)]
    await one.announce(someUuids())
    await one.announce(someUuids())
    const [number] = (
      await sql<{ number: number }>`select max(number) as number from announced_uuids`.execute(store.tables())
    ).rows
    await sql`update announced_uuids set number = number + 1 where number = ${number?.number}`.execute(
      store.tables(),
    )
    await readBy(other, store)
    const late = someUuids()
    await sql`insert into announced_uuids values (${number?.number}, 'slow', ${late.toString('base64')}, 0)`.execute(
      store.tables(),
    )

    expect(await readBy(other, store)).toEqual({ heard: hex(late), gaps: 0 })
  })

  test('are read by a front that begins, as long as their insert may still come', async () => {
    const store = await aStore()
    const one = await begun(store)
    await one.announce(someUuids())
    await shift(store, 11)
    const pending = someUuids()
    await one.announce(pending)

    const { heard } = await readBy(await begun(store), store)
    expect(heard).toContain(pending.toString('hex'))
  })

  test('are more than one statement reads', async () => {
    const store = await aStore()
    const [one, other] = [await begun(store), await begun(store)]
    const all = Array.from({ length: 450 }, () => someUuids(1))
    for (const uuids of all) await one.announce(uuids)

    expect(await readBy(other, store)).toEqual({ heard: hex(...all), gaps: 0 })
  })

  test('are gone for a front that was away for longer than they are kept, and it knows', async () => {
    const store = await aStore()
    const [one, other] = [await begun(store), await begun(store)]
    await readBy(other, store)
    await one.announce(someUuids())
    await shift(store, 61)
    await one.prune()
    expect(await sql`select number from announced_uuids`.execute(store.tables())).toMatchObject({ rows: [] })
    const anHourLater = performance.now() + 61 * 60_000
    const clock = performance.now.bind(performance)
    performance.now = () => anHourLater
    onTestFinished(() => void (performance.now = clock))

    expect(await readBy(other, store)).toEqual({ heard: [], gaps: 1 })
    expect(other.hasBegun).toBe(false)
  })

  test('are not trusted after another server has taken over', async () => {
    const store = await aStore()
    const other = await begun(store)
    expect(await readBy(other, onServerStartedLater(store))).toEqual({ heard: [], gaps: 1 })
  })

  test('keep a front of an earlier Tilth from inserting', async () => {
    const store = await aStore()
    const asBefore = sql`
      insert into event_changes (id, kind, owner, months, added_before, begun_at)
      values ('a', 'insert', 'journal', '[]', '[]', '2026-11-30T00:00:00Z')`.execute(store.tables())
    await expect(asBefore).rejects.toThrow('announces_uuids')
  })
})

/** The store as a server answers that was started at another time. */
const onServerStartedLater = (store: TableSource): TableSource => ({
  tables: <Tables>() =>
    store.tables<Tables>().withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ({
        ...result,
        rows: result.rows.map((row) => ({ ...row, server: 'another' })),
      }),
    }),
})
