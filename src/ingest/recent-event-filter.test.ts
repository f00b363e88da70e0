import { describe, expect, test } from 'vitest'
import { EngineInMemory } from '#test/deep/crashlab/engine-in-memory'
import { eventNumber, eventNumbers, noon, uuidNumber } from '#test/deep/crashlab/events'
import type { PreparedEvent } from '#events/event'
import { newUuid } from './uuid'
import { RecentEventFilter, type RecentEventFilterSettings } from './recent-event-filter'

const dayMs = 86_400_000
const now = new Date(noon)

/** The n-th was received n times that many days ago. */
const received = (amount: number, everyDays: number): PreparedEvent[] =>
  eventNumbers(0, amount).map((event, n) => ({
    ...event,
    receivedAt: new Date(noon - n * everyDays * dayMs),
  }))

async function filterAfterStart(
  stored: readonly PreparedEvent[],
  settings: RecentEventFilterSettings = {},
): Promise<RecentEventFilter> {
  const engine = new EngineInMemory()
  for (const { projectId, uuid, at, receivedAt } of stored) {
    const times = { timestamp: at.toISOString(), received_at: receivedAt.toISOString() }
    engine.rows.push({ project_id: projectId, uuid, ...times, person_id: '', properties: {} })
  }
  const filter = new RecentEventFilter(engine, { readingMs: 60_000, ...settings })
  await filter.readHistory(now)
  return filter
}

const madeAt = (at: number): { uuid: string } => ({
  uuid: newUuid({ now: () => new Date(at), random: (bytes) => Buffer.alloc(bytes, 1) }),
})

describe('the filter of uuids', () => {
  test('has every uuid of the last 30 days after a start, and covers every event', async () => {
    const events = received(30, 1)
    const filter = await filterAfterStart(events)
    expect(events.every(({ uuid }) => filter.mayContain(uuid))).toBe(true)
    expect(filter.mayContain(uuidNumber(1000))).toBe(false)
    expect(filter.covers(eventNumber(1000), now)).toBe(true)
  })

  test('covers nothing before anything was read', () => {
    const filter = new RecentEventFilter(new EngineInMemory())
    expect(filter.covers(eventNumber(1), now)).toBe(false)
    expect(filter.coversDate(eventNumber(1))).toBe(false)
  })

  test('knows a uuid however it is written', async () => {
    const filter = await filterAfterStart([])
    filter.add([eventNumber(1)])
    expect(filter.mayContain(uuidNumber(1).toUpperCase())).toBe(true)
  })

  test('takes fewer than one new uuid in a thousand for one that it has', async () => {
    const filter = await filterAfterStart([], { generationEvents: 4096, mostBytes: 2 ** 20 })
    filter.add(eventNumbers(0, 20_000))
    const wrong = eventNumbers(20_000, 20_000).filter(({ uuid }) => filter.mayContain(uuid))
    expect(wrong.length).toBeLessThan(20)
  })

  test('keeps to its memory, and covers what it did not have to forget', async () => {
    const bytes = 4 * 16 * 3
    const filter = await filterAfterStart([], { generationEvents: 16, mostBytes: bytes })
    const events = received(160, 0.1).toReversed()
    for (const event of events) filter.add([event])

    expect(filter.bytes).toBe(bytes)
    const covered = events.filter(({ receivedAt }) => receivedAt.getTime() >= filter.coveredFrom)
    expect(covered).toHaveLength(64)
    expect(covered.every(({ uuid }) => filter.mayContain(uuid))).toBe(true)
  })

  test('covers a young version 7 uuid, and no other, where it reaches back less than 30 days', async () => {
    const filter = await filterAfterStart([], { generationEvents: 16, mostBytes: 8 * 16 * 3 })
    for (const event of received(400, 0.05).toReversed()) filter.add([event])

    expect(filter.coveredFrom).toBeGreaterThan(noon - 7 * dayMs)
    expect(filter.covers(eventNumber(1), now)).toBe(false)
    expect(filter.covers(madeAt(noon), now)).toBe(true)
    expect(filter.covers(madeAt(noon - 8 * dayMs), now)).toBe(false)
    // a clock that fast is none that says anything
    expect(filter.covers(madeAt(noon + 2 * dayMs), now)).toBe(false)
  })

  test('stops reading history at the memory limit, and does not claim to cover the rest', async () => {
    const filter = await filterAfterStart(received(30, 1), { generationEvents: 8, mostBytes: 2 * 8 * 3 })
    expect(filter.covers(eventNumber(1000), now)).toBe(false)
    expect(filter.bytes).toBe(2 * 8 * 3)
  })
})
