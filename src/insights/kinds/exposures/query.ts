import { dateTime, type Sql, sql, strings, uint } from '../../../engine/sql'
import { Events } from '../../events'
import type { Period } from '../../period'
import type { Scope } from '../../scope'
import { exposure } from '../../exposure'
import type { ExposuresQuestion } from './question'

/** Of a flag as a whole, of one value, or of one library: whoever got two values of it is one person still. */
export interface ExposureRow {
  flag: string
  part: 'whole' | 'value' | 'library'
  value: string
  library: string
  times: number
  persons: number
  first_asked: string
  last_asked: string
}

/** A project has ten thousand flags at most; beyond that are the ones that somebody asks for and nobody made. */
const mostRows = 50_000

/** Numbers of the period, but the first time and the last of all times: one look at the events tells both. */
export function exposures(question: ExposuresQuestion, scope: Scope, { from, until }: Period): Sql {
  const events = new Events(scope, question, { period: { from: ever, until }, names: [exposure.event] })
  const textOf = (key: string) => events.property({ type: 'event', key }).text
  const only = question.flags ? sql`asked_flag in ${strings(question.flags)}` : sql`asked_flag != ''`
  return sql`
    select
      asked_flag as flag,
      multiIf(grouping(asked_value) = 0, 'value', grouping(asked_by) = 0, 'library', 'whole') as part,
      asked_value as value,
      asked_by as library,
      countIf(timestamp >= ${dateTime(from)}) as times,
      uniqExactIf(person, timestamp >= ${dateTime(from)}) as persons,
      min(timestamp) as first_asked,
      max(timestamp) as last_asked
    from (
      select
        timestamp,
        person,
        toString(lib) as asked_by,
        ${textOf(exposure.flag)} as asked_flag,
        ${textOf(exposure.value)} as asked_value
      from ${events.rows()}
    )
    where ${only}
    group by grouping sets ((asked_flag, asked_value), (asked_flag, asked_by), (asked_flag))
    order by flag, persons desc, times desc, value, last_asked desc, library
    limit ${uint(mostRows)}`
}

const ever = new Date(0)
