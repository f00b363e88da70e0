import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import { describeOnPostgres } from '#test/outside/postgres'
import { aFolder } from '#test/product/fixture'
import type { PreparedEvent } from '#events/event'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { realWorld } from '#world/world'
import { SessionCache } from '../sessions'
import { newUuid } from '../uuid'
import { SharedSessions } from './shared-sessions'

const begin = Date.parse('2026-11-20T12:00:00Z')
const secondsLater = (seconds: number) => new Date(begin + 1000 * seconds)

describeOnPostgres('sessions of fronts', (emptyDatabase) => {
  async function aStore(): Promise<Store> {
    const store = await openStore({ folder: aFolder(), url: await emptyDatabase() })
    onTestFinished(() => store.close())
    return store
  }

  const frontOn = (store: Store) => new SharedSessions(store, new SessionCache())

  /** An event in a session that the front has derived from its own memory, or that the client has named. */
  const eventAt = (seconds: number, rest: Partial<PreparedEvent> = {}): PreparedEvent =>
    eventNumber(seconds, {
      at: secondsLater(seconds),
      distinctId: 'visitor',
      sessionId: newUuid(realWorld, begin + 1000 * seconds),
      isSessionDerived: true,
      ...rest,
    })

  /** The session in which a front stores an event. */
  async function sessionOf(front: SharedSessions, event: PreparedEvent): Promise<string> {
    return (await front.agree([event])).get(event) ?? event.sessionId
  }

  /** The rows, each with the number of the transaction that wrote it last. */
  async function rowsIn(store: Store): Promise<{ id: string; xmin: string; endedAt: number }[]> {
    const { rows } = await sql<{ id: string; xmin: string; endedAt: number }>`
      select id, xmin::text as xmin, ended_at as "endedAt" from visitor_sessions order by id`.execute(
      store.tables(),
    )
    return rows
  }

  test('that a client named are not written', async () => {
    const store = await aStore()
    const named = eventAt(0, { isSessionDerived: false })

    expect(await sessionOf(frontOn(store), named)).toBe(named.sessionId)
    expect(await rowsIn(store)).toEqual([])
  })

  test('are written again only once their end has moved by a minute', async () => {
    const store = await aStore()
    const front = frontOn(store)
    const first = eventAt(0)
    await front.agree([first])
    const rows = await rowsIn(store)
    for (const seconds of [10, 30, 59]) expect(await sessionOf(front, eventAt(seconds))).toBe(first.sessionId)
    expect(await rowsIn(store)).toEqual(rows)

    expect(await sessionOf(front, eventAt(60))).toBe(first.sessionId)
    const after = await rowsIn(store)
    expect(after).toMatchObject([{ id: first.sessionId, endedAt: begin + 60_000 }])
    expect(after[0]?.xmin).not.toBe(rows[0]?.xmin)
  })

  test.each([
    // seconds after the last event     goes on for a front that takes over
    [29 * 60, true],
    [30 * 60 + 1, false],
  ])(
    'end after a pause of %d s as the rule says, also for a front that takes over: goes on %s',
    async (seconds, goesOn) => {
      const store = await aStore()
      const first = eventAt(0)
      const front = frontOn(store)
      await front.agree([first])
      // the stored end is behind this one
      await front.agree([eventAt(59)])
      const next = eventAt(59 + seconds)

      expect(await sessionOf(frontOn(store), next)).toBe(goesOn ? first.sessionId : next.sessionId)
    },
  )

  test('answer the same again for a batch that is stored again after a crash', async () => {
    const store = await aStore()
    await frontOn(store).agree([eventAt(0)])
    const batch = [eventAt(40), eventAt(59 + 29 * 60), eventAt(59 + 58 * 60)]
    const answers = async () => [...(await frontOn(store).agree(batch)).values()]

    expect(await answers()).toEqual(await answers())
  })

  test('are one for a visitor whose first events reach all fronts at once', async () => {
    const store = await aStore()
    const fronts = Array.from({ length: 6 }, () => frontOn(store))
    const ids = await Promise.all(fronts.map((front, n) => sessionOf(front, eventAt(n))))

    expect(new Set(ids).size).toBe(1)
  })
})
