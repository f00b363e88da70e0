import { dateTime, type Sql, sql, string } from '#engine/sql'
import type { Period } from '../calendar/period'

/** A part of the events: between two instants, and with these names if given. */
export interface EventRange {
  period: Period
  /** All names if absent. */
  names?: readonly string[] | undefined
  /** Only events stored with these person ids, the earlier ids of merged persons included; all persons if absent. */
  persons?: readonly string[] | undefined
}

export const traffics = ['human', 'ai', 'bot', 'feed', 'all'] as const
/** The traffic that counts: people by default, or robots. */
export type Traffic = (typeof traffics)[number]

export const withinPeriod = (period: Period): Sql[] => [
  sql`timestamp >= ${dateTime(period.from)}`,
  sql`timestamp < ${dateTime(period.until)}`,
  ...onItsDays(period),
]

/** Every event that can be stored. */
export const allTime: Period = { from: new Date(0), until: new Date('2105-01-01T00:00:00Z') }

/** A coarse filter by which the engine skips data; it is not exact. */
export const roughlyWithinPeriod = (period: Period): Sql[] => [
  sql`indexHint(timestamp >= ${dateTime(period.from)} and timestamp < ${dateTime(period.until)})`,
  ...onItsDays(period),
]

/** The range of the engine's Date type; values outside of it overflow. */
const firstDay = Date.UTC(1970, 0, 1)
const lastDay = Date.UTC(2149, 5, 6)

/**
 * Events are sorted by day, and the engine does not derive the days from a range of instants: it would read whole
 * months. This index hint is not evaluated for rows.
 */
function onItsDays({ from, until }: Period): Sql[] {
  if (from.getTime() < firstDay || until.getTime() > lastDay) return []
  const last = new Date(Math.max(firstDay, until.getTime() - 1))
  return [
    sql`indexHint(toDate(timestamp) >= toDate(${dateTime(from)}) and toDate(timestamp) <= toDate(${dateTime(last)}))`,
  ]
}

export const ofTraffic = (traffic: Traffic): Sql[] =>
  traffic === 'all' ? [] : [sql`traffic = ${string(traffic)}`]
