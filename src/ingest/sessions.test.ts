import { describe, expect, test } from 'vitest'
import cases from '#test/vectors/sessions.json'
import { anIngestContext, aSetWorld, anEnvelope, anEvent, expectKept } from '#test/product/ingest-fixture'
import type { IncomingEvent } from '#events/event'
import type { IngestContext } from './prepare'
import { SessionCache } from './sessions'
import { isUuid, newUuid, timeOfUuid } from './uuid'

/** Sends events with these times, in this order, and answers the session of each. */
function sessionsAt(
  context: IngestContext,
  times: readonly string[],
  changes: Partial<IncomingEvent> = {},
): string[] {
  return times.map((time) => {
    const event = anEvent({ timestamp: new Date(time), ...changes })
    return expectKept(event, anEnvelope({ receivedAt: context.world.now() }), context).sessionId
  })
}

const distinct = (ids: readonly string[]): number => new Set(ids).size
const [boundary, , late] = cases.cases

describe('sessions', () => {
  test('thirty minutes to the second do not end one', async () => {
    const context = await anIngestContext(aSetWorld('2023-12-02T14:00:00Z'))
    const times = boundary?.events?.map(([time]) => time ?? '') ?? []
    expect(distinct(sessionsAt(context, times))).toBe(boundary?.sessions_by_server_rule_gt_30m)
    expect(distinct(sessionsAt(context, ['2023-12-02T12:00:00Z', '2023-12-02T13:00:00.001Z']))).toBe(2)
  })

  test('midnight ends no session, with an id or without', async () => {
    const world = aSetWorld()
    const context = await anIngestContext(world)
    const seen = ['2023-12-02T23:50:00Z', '2023-12-03T00:10:00Z'].map((time) => {
      world.set(time)
      const envelope = anEnvelope({ receivedAt: world.now() })
      return [undefined, 'ana'].map((distinctId) => expectKept(anEvent({ distinctId }), envelope, context))
    })
    const [before, after] = seen
    expect(after?.map(({ sessionId }) => sessionId)).toEqual(before?.map(({ sessionId }) => sessionId))
    expect(after?.[0]?.distinctId).not.toBe(before?.[0]?.distinctId)
    world.set('2023-12-03T00:30:00Z')
    const envelope = anEnvelope({ receivedAt: world.now() })
    expect(expectKept(anEvent({ distinctId: undefined }), envelope, context).sessionId).toBe(
      before?.[0]?.sessionId,
    )
  })

  test('an event that comes late joins a session, and never makes two into one', async () => {
    const context = await anIngestContext(aSetWorld('2023-12-02T13:00:00Z'))
    const times = late?.events_arrival_order?.map(([time]) => time ?? '') ?? []
    const [first, second, between] = sessionsAt(context, times)
    expect(first).not.toBe(second)
    expect([first, second]).toContain(between)
  })

  test('an event that comes late joins the session it was in', async () => {
    const context = await anIngestContext(aSetWorld('2023-12-02T15:00:00Z'))
    const [morning, , lateMorning] = sessionsAt(context, [
      '2023-12-02T12:00:00Z',
      '2023-12-02T14:00:00Z',
      '2023-12-02T12:05:00Z',
    ])
    expect(lateMorning).toBe(morning)
  })

  test('none is longer than a day', async () => {
    const context = await anIngestContext(aSetWorld('2023-12-04T12:00:00Z'))
    const times = Array.from({ length: 80 }, (_, i) =>
      new Date(Date.parse('2023-12-02T12:00:00Z') + i * 29 * 60_000).toISOString(),
    )
    const ids = sessionsAt(context, times)
    expect(distinct(ids)).toBe(2)
    expect(ids.filter((id) => id === ids[0])).toHaveLength(50)
  })

  test('each visitor and each project has its own', async () => {
    const context = await anIngestContext()
    const [ana] = sessionsAt(context, ['2026-03-02T12:00:00Z'])
    const [ben] = sessionsAt(context, ['2026-03-02T12:00:00Z'], { distinctId: 'ben' })
    const elsewhere = expectKept(anEvent(), anEnvelope({ projectId: 2 }), context).sessionId
    expect(distinct([ana ?? '', ben ?? '', elsewhere])).toBe(3)
  })

  test('a visitor who is identified stays in the session', async () => {
    const context = await anIngestContext()
    const [before] = sessionsAt(context, ['2026-03-02T12:00:00Z'], { distinctId: 'anonymous-1' })
    const identity = { kind: 'identify', anonymous: 'anonymous-1' } as const
    const [after] = sessionsAt(context, ['2026-03-02T12:01:00Z'], {
      name: '$identify',
      distinctId: 'ana',
      identity,
    })
    expect(after).toBe(before)
  })

  test('ids are of version 7, and begin with the session', async () => {
    const [id = ''] = sessionsAt(await anIngestContext(), ['2026-03-02T11:00:00.123Z'])
    expect(timeOfUuid(id)).toBe(Date.parse('2026-03-02T11:00:00.123Z'))
  })
})

describe('the session an SDK names', () => {
  const world = aSetWorld()
  const start = (time: string) => newUuid(world, Date.parse(time))
  const noon = '2026-03-02T12:00:00Z'

  test.each([
    // the id it sent with an event of noon, and whether it is taken
    ['made at noon', start(noon), true],
    ['a day old', start('2026-03-01T12:00:00Z'), true],
    ['of a clock that is three minutes ahead', start('2026-03-02T12:03:00Z'), true],
    ['older than a day', start('2026-03-01T11:50:00Z'), false],
    ['from the future', start('2026-03-02T12:30:00Z'), false],
    ['of version 4', '7f0f9d1c-3b5e-4c8d-9a7b-0c1d2e3f4a5b', false],
    ['no uuid', 's1', false],
    ['nil', '00000000-0000-0000-0000-000000000000', false],
  ])('%s', async (_name, $session_id, isTaken) => {
    const context = await anIngestContext(world)
    const [given] = sessionsAt(context, [noon], { properties: { $session_id } })
    expect(given === $session_id).toBe(isTaken)
    expect(isUuid(given ?? '')).toBe(true)
  })

  test('is joined by what a server reports of the same visitor', async () => {
    const context = await anIngestContext(world)
    const id = start('2026-03-02T11:59:00Z')
    sessionsAt(context, [noon], { properties: { $session_id: id } })
    const report = expectKept(
      anEvent({ name: 'paid' }),
      anEnvelope({ fromServer: true, userAgent: 'posthog-node/5.0' }),
      context,
    )
    expect(report.sessionId).toBe(id)
  })
})

describe('the memory of sessions', () => {
  test('can be carried over', () => {
    const memory = new SessionCache(10)
    memory.record(1, 'ana', 'session-a', 1_000_000)
    memory.record(1, 'ana', 'session-a', 1_060_000)
    memory.record(2, 'ben with blanks', 'session-b', 2_000_000)
    const other = new SessionCache(10)
    other.restore(memory.all())
    expect([...other.all()]).toEqual([...memory.all()])
    expect(other.find(2, 'ben with blanks', 2_060_000)).toEqual({
      id: 'session-b',
      start: 2_000_000,
      end: 2_000_000,
    })
    expect(other.find(1, 'ana', 1_100_000)?.start).toBe(1_000_000)
  })

  test('forgets those it has not seen for longest, and no more', () => {
    const memory = new SessionCache(100)
    for (let n = 0; n < 1000; n++) memory.record(1, `visitor ${n}`, `session ${n}`, 1_000_000)
    expect(memory.size).toBe(100)
    expect(memory.find(1, 'visitor 899', 1_000_000)).toBeUndefined()
    expect(memory.find(1, 'visitor 900', 1_000_000)?.id).toBe('session 900')
  })
})
