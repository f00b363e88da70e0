import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { aSetWorld } from '#test/product/ingest-fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { openStore } from '#store/open'
import { cookielessId, Salts } from '../salts'
import { sharedSaltStorage } from './salts-in-store'

const visitor = { projectId: 1, domain: 'example.com', address: '203.0.113.7', userAgent: 'Firefox' }
const hour = 3_600_000

const fail = (error: unknown): never => {
  throw error
}

describeOnPostgres('salts that fronts share', (emptyDatabase) => {
  /** Several fronts, each with its own chance, on one store. */
  async function fronts(at: string, amount = 2) {
    const url = await emptyDatabase()
    const open = async (seed: string) => {
      const store = await openStore({ folder: '', url })
      onTestFinished(() => store.close())
      const world = aSetWorld(at, seed)
      const salts = await Salts.open(world, sharedSaltStorage(store), fail)
      // before the store is closed, for asking for a salt may begin to save the next ones
      onTestFinished(() => salts.saved())
      return { store, world, salts, visitor: () => cookielessId(salts.current(), visitor) }
    }
    return await Promise.all(Array.from({ length: amount }, (_, n) => open(`front ${n}`)))
  }
  type Fronts = Awaited<ReturnType<typeof fronts>>

  const days = async ([front]: Fronts): Promise<number[]> => {
    const rows = await front?.store
      .tables<{ visitor_salts: { day: number; salt: string } }>()
      .selectFrom('visitor_salts')
      .select('day')
      .orderBy('day')
      .execute()
    return (rows ?? []).map(({ day }) => day)
  }

  const visitors = (all: Fronts) => new Set(all.map((front) => front.visitor()))

  /** Through the hours, each front doing its chores as they come. */
  async function until(time: string, all: Fronts) {
    for (let at = all[0]?.world.now().getTime() ?? 0; at <= Date.parse(time); at += hour / 4) {
      for (const { world } of all) world.set(new Date(at).toISOString())
      for (const { salts } of all) await salts.synchronize()
    }
    for (const { world } of all) world.set(time)
  }

  test('two that begin at once count a visitor once', async () => {
    const all = await fronts('2026-03-02T12:00:00Z')
    expect(visitors(all).size).toBe(1)
  })

  test('at midnight all have the next one, before anybody made it for himself', async () => {
    const all = await fronts('2026-03-02T22:00:00Z')
    const before = all[0]?.visitor()
    await until('2026-03-02T23:59:59.999Z', all)
    expect(visitors(all)).toEqual(new Set([before]))
    for (const { world } of all) world.set('2026-03-03T00:00:00Z')
    expect(visitors(all).size).toBe(1)
    expect(visitors(all)).not.toEqual(new Set([before]))
    const earlier = all.map(({ salts }) => salts.previous() ?? fail('Yesterday’s is gone.'))
    expect(new Set(earlier.map((salt) => cookielessId(salt, visitor)))).toEqual(new Set([before]))
  })

  test('one that could not ask in time gives way to what the others have', async () => {
    const all = await fronts('2026-03-02T12:00:00Z')
    for (const { world, salts } of all) {
      world.set('2026-03-04T12:00:00Z')
      salts.rotate()
    }
    await Promise.all(all.map(({ salts }) => salts.saved()))
    await until('2026-03-04T12:15:00Z', all)
    expect(visitors(all).size).toBe(1)
  })

  test('a salt is gone from the database an hour after its day', async () => {
    const all = await fronts('2026-03-02T12:00:00Z')
    const [monday = 0] = await days(all)
    await until('2026-03-03T00:45:00Z', all)
    expect(await days(all)).toEqual([monday, monday + 1])
    await until('2026-03-03T01:15:00Z', all)
    expect(await days(all)).toEqual([monday + 1])
  })

  test('the table is kept out of the server’s log, and with it out of archives and replicas', async () => {
    const [front] = await fronts('2026-03-02T12:00:00Z', 1)
    const found = await sql<{ relpersistence: string }>`
      select relpersistence from pg_class where relname = 'visitor_salts'`.execute(
      front?.store.tables<object>() ?? fail('There is no front.'),
    )
    expect(found.rows).toEqual([{ relpersistence: 'u' }])
  })
})
