import { type Sql, sql, strings } from '#engine/sql'
import type { Dimension } from '../../compile/dimensions'
import { Events } from '../../compile/events'
import { reachesGoal, readPage } from '../../compile/goal'
import type { Period } from '../../calendar/period'
import type { QuestionScope } from '../../scope'
import { noSession } from '../../compile/sessions'
import { matchesSearchTerm, isPanelRow, visitRows, type PanelRows } from '../../compile/visits'
import type { BreakdownQuestion } from './question'

/** Returns the rows of an event dimension. */
export function ofEvents(
  question: BreakdownQuestion,
  dimension: Dimension,
  scope: QuestionScope,
  period: Period,
  wanted: PanelRows,
): Sql {
  const names = dimension.names.length > 0 ? dimension.names : undefined
  const events = new Events(scope, question, { period, names })
  return sql`
    select *
    from (
      select
        ${dimension.column} as value,
        uniqExact(cityHash64(person)) as visitors,
        count() as events,
        ${converted(question, scope, period)} as converted,
        row_number() over (order by ${mostImportantFirst(question)}, value) as place,
        count() over () as values_in_all
      from ${events.rows()}
      group by value
      having ${matchesSearchTerm(question.search, sql`value`)}
    )
    where ${isPanelRow(wanted, sql`value`)}
    order by place`
}

/** Sorts robots by requests, because they have no visitors, and people by visitors. */
const mostImportantFirst = ({ traffic }: BreakdownQuestion): Sql =>
  traffic === 'human' ? sql`visitors desc, events desc` : sql`events desc, visitors desc`

/** Returns the persons who reached the goal in the period. */
function converted({ goal, ...asked }: BreakdownQuestion, scope: QuestionScope, period: Period): Sql {
  if (!goal) return sql`0`
  const events = new Events(scope, { ...asked, filter: undefined }, { period })
  const reached = reachesGoal(goal, events)
  return sql`uniqExactIf(person, person in (select person from ${events.rows()} as events where ${reached}))`
}

/** Returns the reading statistics of some pages. */
export const reading = (
  question: BreakdownQuestion,
  scope: QuestionScope,
  period: Period,
  pages: readonly string[],
): Sql => sql`
  select page, avg(seconds) as seconds, avgIf(deepest, deepest > 0) as scroll
  from (
    select ${readPage} as page, sum(engaged_ms) / 1000 as seconds, max(scroll_depth) as deepest
    from ${new Events(scope, question, { period }).rows()}
    where (engaged_ms > 0 or scroll_depth > 0) and page in ${strings(pages)} and session_id != ${noSession}
    group by session_id, page
  )
  group by page`

/** Returns the bounce rates of visits that began there. */
export const bounces = (
  question: BreakdownQuestion,
  scope: QuestionScope,
  period: Period,
  pages: readonly string[],
): Sql => sql`
  select session_entry_path as page, sum(session_is_bounce) / count() as bounce_rate
  from (${visitRows(question, scope, period, { keys: ['$entry_pathname'] })})
  where session_views > 0 and page in ${strings(pages)}
  group by page`
