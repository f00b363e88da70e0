import { type Sql, sql, string } from '#engine/sql'
import { Events } from '../../compile/events'
import { exposure } from '../../compile/exposure'
import type { Period } from '../../calendar/period'
import type { QuestionScope } from '../../scope'
import type { ClientCoverageQuestion } from './question'

export interface ClientCoverageRow {
  served: number
  seen: number
}

export function clientCoverage(question: ClientCoverageQuestion, scope: QuestionScope, period: Period): Sql {
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
