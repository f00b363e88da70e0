import { type Sql, sql, strings } from '../../../engine/sql'
import type { Dimension } from '../../dimensions'
import { Events } from '../../events'
import { reaches, readPage } from '../../goal'
import type { Period } from '../../period'
import type { Scope } from '../../scope'
import { noSession } from '../../sessions'
import { isFound, isShown, visitRows, type Wanted } from '../../visits'
import type { BreakdownQuestion } from './question'

/** A dimension that each event has its own value of. */
export function ofEvents(
  question: BreakdownQuestion,
  dimension: Dimension,
  scope: Scope,
  period: Period,
  wanted: Wanted,
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
      having ${isFound(question.search, sql`value`)}
    )
    where ${isShown(wanted, sql`value`)}
    order by place`
}

/** Robots are nobody: what counts of them is what they ask for. */
const mostImportantFirst = ({ traffic }: BreakdownQuestion): Sql =>
  traffic === 'human' ? sql`visitors desc, events desc` : sql`events desc, visitors desc`

/** Who reached the goal at any time of the period. */
function converted({ goal, ...asked }: BreakdownQuestion, scope: Scope, period: Period): Sql {
  if (!goal) return sql`0`
  const events = new Events(scope, { ...asked, filter: undefined }, { period })
  const reached = reaches(goal, events)
  return sql`uniqExactIf(person, person in (select person from ${events.rows()} as events where ${reached}))`
}

/** How pages were read, for some of them. */
export const reading = (
  question: BreakdownQuestion,
  scope: Scope,
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

/** Of those who entered there. */
export const bounces = (
  question: BreakdownQuestion,
  scope: Scope,
  period: Period,
  pages: readonly string[],
): Sql => sql`
  select session_entry_path as page, sum(session_is_bounce) / count() as bounce_rate
  from (${visitRows(question, scope, period, { keys: ['$entry_pathname'] })})
  where session_views > 0 and page in ${strings(pages)}
  group by page`
