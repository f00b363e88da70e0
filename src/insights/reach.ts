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

export const within = ({ from, until }: Period): Sql[] => [
  sql`timestamp >= ${dateTime(from)}`,
  sql`timestamp < ${dateTime(until)}`,
]

export const ofTraffic = (traffic: Traffic): Sql[] =>
  traffic === 'all' ? [] : [sql`traffic = ${string(traffic)}`]
