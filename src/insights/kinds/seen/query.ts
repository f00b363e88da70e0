import { type Sql, sql, string } from '../../../engine/sql'
import { Events } from '../../events'
import { exposure } from '../../exposure'
import type { Period } from '../../period'
import type { Scope } from '../../scope'
import type { SeenQuestion } from './question'

export interface SeenRow {
  served: number
  seen: number
}

export function seen(question: SeenQuestion, scope: Scope, period: Period): Sql {
  const events = new Events(scope, question, { period, names: [exposure.event, exposure.seen] })
  const isAbout = question.flag
    ? sql`${events.property({ type: 'event', key: exposure.flag }).text} = ${string(question.flag)}`
    : sql`true`
  return sql`
    select countIf(was_served) as served, countIf(was_served and has_seen) as seen
    from (
      select
        person,
        countIf(event = ${string(exposure.event)} and lib = ${string(exposure.site)}) > 0 as was_served,
        countIf(event = ${string(exposure.seen)}) > 0 as has_seen
      from ${events.rows()}
      where ${isAbout}
      group by person
    )`
}
