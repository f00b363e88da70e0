import { type Engine, EngineError } from '#engine/engine'
import { partNamedIn } from '#engine/failures'
import { dateTime, sql, type Sql, strings, uints, uuids } from '#engine/sql'
import type { PreparedEvent } from '#events/event'
import { isUuid, timeOfUuid } from '../uuid'

/** Two events with the same key are duplicates. */
export type EventKey = string

export function keyOf({ projectId, uuid }: Pick<PreparedEvent, 'projectId' | 'uuid'>): EventKey {
  return `${projectId} ${uuid.toLowerCase()}`
}

/**
 * Returns which of these events the engine has already. A client that missed the response sends them again, or a crash
 * followed the insert. The query covers the dates of the events, however old those are. (The engine's own deduplication
 * by token does not help: it stores the token before the rows, so a crash in between loses them.)
 */
export async function findStoredByDate(
  engine: Pick<Engine, 'query'>,
  events: readonly PreparedEvent[],
): Promise<Set<EventKey>> {
  // the engine has no event with an invalid uuid, and will reject it
  const askable = events.filter(({ uuid }) => isUuid(uuid))
  if (askable.length === 0) return new Set()
  const rows = await skippingDamagedParts((intact) =>
    engine.query<{ project: number; uuid: string }>(storedByDateQuery(askable, intact), { lane: 'ingest' }),
  )
  return new Set(rows.map(({ project, uuid }) => keyOf({ projectId: project, uuid })))
}

/**
 * Returns which of these events the engine received in the last 30 days, whatever their date. Most version 7 uuids are
 * new, so those are searched in the last two days only. This assumes that the client's clock is at most a day fast.
 */
export async function findReceivedRecently(
  engine: Pick<Engine, 'query'>,
  events: readonly PreparedEvent[],
  now: Date,
): Promise<Set<EventKey>> {
  const young: PreparedEvent[] = []
  const others: PreparedEvent[] = []
  for (const event of events) {
    if (!isUuid(event.uuid)) continue
    const ageMs = Math.abs(now.getTime() - (timeOfUuid(event.uuid) ?? 0))
    const group = ageMs < dayMs ? young : others
    group.push(event)
  }
  const found = await Promise.all([
    findReceivedSince(engine, young, now.getTime() - 2 * dayMs),
    findReceivedSince(engine, others, now.getTime() - 31 * dayMs),
  ])
  return new Set(found.flat())
}

async function findReceivedSince(
  engine: Pick<Engine, 'query'>,
  events: readonly PreparedEvent[],
  since: number,
): Promise<EventKey[]> {
  if (events.length === 0) return []
  const rows = await skippingDamagedParts((intact) =>
    engine.query<{ project: number; uuid: string }>(
      sql`
        select project_id as project, uuid
        from events
        prewhere uuid in (select arrayJoin(${uuids(events.map(({ uuid }) => uuid))}))
        where ${intact}
          and project_id in ${uints([...new Set(events.map(({ projectId }) => projectId))])}
          and received_at >= ${dateTime(new Date(since))}`,
      { lane: 'ingest' },
    ),
  )
  return rows.map(({ project, uuid }) => keyOf({ projectId: project, uuid }))
}

// without `prewhere` the engine filters by time first: twice the work, measured on a day of five million events
const storedByDateQuery = (events: readonly PreparedEvent[], intact: Sql): Sql => sql`
  select project_id as project, uuid
  from events
  prewhere uuid in (select arrayJoin(${uuids(events.map(({ uuid }) => uuid))}))
  where ${intact}
    and project_id in ${uints([...new Set(events.map(({ projectId }) => projectId))])}
    and toDate(timestamp) in (select toDate(arrayJoin(${strings(daysOf(events))})))
    and timestamp between ${dateTime(earliest(events))} and ${dateTime(latest(events))}`

/** The most damaged parts excluded one by one. With more, the engine has detached them by then, or is unusable. */
const maxDamagedParts = 16

/**
 * Reads from every part except the damaged ones, so that storing continues whether or not those can be detached. An
 * event in a damaged part counts as not stored; answers do not include it either.
 */
export async function skippingDamagedParts<Row>(ask: (intact: Sql) => Promise<Row[]>): Promise<Row[]> {
  const damaged: string[] = []
  for (;;) {
    try {
      return await ask(damaged.length > 0 ? sql`_part not in ${strings(damaged)}` : sql`true`)
    } catch (problem) {
      const part = damagedPartIn(problem)
      if (part === undefined || damaged.includes(part) || damaged.length >= maxDamagedParts) throw problem
      damaged.push(part)
    }
  }
}

function damagedPartIn(problem: unknown): string | undefined {
  if (!(problem instanceof EngineError) || problem.failure !== 'corrupted') return undefined
  return problem.cause instanceof Error ? partNamedIn(problem.cause.message) : undefined
}

/** The date of a duplicate may differ a little, because clocks are corrected by the arrival time. */
const toleranceMs = 15 * 60_000

const dayMs = 86_400_000

function daysOf(events: readonly PreparedEvent[]): string[] {
  const days = new Set<number>()
  for (const { at } of events) {
    days.add(Math.floor((at.getTime() - toleranceMs) / dayMs))
    days.add(Math.floor((at.getTime() + toleranceMs) / dayMs))
  }
  return [...days].map((day) => new Date(day * dayMs).toISOString().slice(0, 10))
}

function earliest(events: readonly PreparedEvent[]): Date {
  return new Date(events.reduce((least, { at }) => Math.min(least, at.getTime()), Infinity) - toleranceMs)
}

function latest(events: readonly PreparedEvent[]): Date {
  return new Date(events.reduce((most, { at }) => Math.max(most, at.getTime()), -Infinity) + toleranceMs)
}
