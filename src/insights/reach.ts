import { dateTime, type Sql, sql, string } from '../engine/sql'
import type { Period } from './period'

/** A part of the events: between two instants, and of these names where some are given. */
export interface Reach {
  period: Period
  /** All of them when absent. */
  names?: readonly string[] | undefined
  /** Of these persons' numbers, by whatever they were ever known; everybody's when absent. */
  persons?: readonly string[] | undefined
}

export const traffics = ['human', 'ai', 'bot', 'feed', 'all'] as const
/** Numbers about people count people, unless they are asked about robots. */
export type Traffic = (typeof traffics)[number]

export const within = (period: Period): Sql[] => [
  sql`timestamp >= ${dateTime(period.from)}`,
  sql`timestamp < ${dateTime(period.until)}`,
  ...onItsDays(period),
]

/** The same for the engine's choice of what to read, without asking it of any row: there are others among them. */
export const roughlyWithin = (period: Period): Sql[] => [
  sql`indexHint(timestamp >= ${dateTime(period.from)} and timestamp < ${dateTime(period.until)})`,
  ...onItsDays(period),
]

/** What a day has room for in the engine; outside of that it takes one for another. */
const firstDay = Date.UTC(1970, 0, 1)
const lastDay = Date.UTC(2149, 5, 6)

/**
 * Events are kept by the day, and the engine does not find out by itself which days an instant is between: it would read
 * the whole of each month. Only a hint, which is never asked of a row.
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
