import type { Engine } from '../engine/engine'
import { dateTime, sql, type Sql, strings, uints, uuids } from '../engine/sql'
import type { PreparedEvent } from '../events/event'
import { isUuid } from './uuid'

/** What makes two events the same one. */
export type EventKey = string

export function keyOf({ projectId, uuid }: Pick<PreparedEvent, 'projectId' | 'uuid'>): EventKey {
  return `${projectId} ${uuid.toLowerCase()}`
}

/**
 * Which of these events the engine has already: sent again by a client that missed the answer, or stored just before a
 * crash. It looks on the days the events are about, however long ago those are. (The engine's own deduplication by token
 * is no help: it notes the token before the rows are there, and a crash in between loses them.)
 */
export async function knownTo(
  engine: Pick<Engine, 'query'>,
  events: readonly PreparedEvent[],
): Promise<Set<EventKey>> {
  // whatever is no UUID cannot be there, and will be refused by the engine itself
  const askable = events.filter(({ uuid }) => isUuid(uuid))
  if (askable.length === 0) return new Set()
  const rows = await engine.query<{ project: number; uuid: string }>(question(askable), { lane: 'ingest' })
  return new Set(rows.map(({ project, uuid }) => keyOf({ projectId: project, uuid })))
}

// `prewhere`, since the engine would otherwise begin with the times: twice the work, measured on a day of five million
const question = (events: readonly PreparedEvent[]): Sql => sql`
  select project_id as project, uuid
  from events
  prewhere uuid in (select arrayJoin(${uuids(events.map(({ uuid }) => uuid))}))
  where project_id in ${uints([...new Set(events.map(({ projectId }) => projectId))])}
    and toDate(timestamp) in (select toDate(arrayJoin(${strings(daysOf(events))})))
    and timestamp between ${dateTime(earliest(events))} and ${dateTime(latest(events))}`

/** The date of a second sending may differ a little: clocks are corrected by when it arrived. */
export const toleranceMs = 15 * 60_000

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
