import { type Sql, sql, strings } from '#engine/sql'
import { dimensionOf } from '#insights/compile/internal/dimensions'
import { Events } from '#insights/compile/internal/events'
import { reachesGoal, readPage } from '#insights/compile/goal'
import type { Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { idOf, idOfText, noSession } from '#insights/compile/internal/sessions'
import { type DimensionName, wordsOf } from '#insights/text/dimension-words'
import { matchesSearchTerm, isPanelRow, visitRows, type PanelRows } from '#insights/compile/visits'
import { grouped } from '#insights/compile/internal/page-groups'
import { isOfPath, type PageGroups } from '#insights/text/page-groups'
import type { BreakdownQuery } from './schema'
import { isOfReading } from './internal/sorting'

/**
 * Returns the rows of an event dimension. The count is called `times`: a column `events` would hide the table from
 * the joined statements.
 */
export function ofEvents(
  query: BreakdownQuery,
  name: DimensionName,
  sort: Sql | undefined,
  scope: QueryScope,
  period: Period,
  wanted: PanelRows,
): Sql {
  const dimension = dimensionOf(name)
  const names = dimension.names.length > 0 ? dimension.names : undefined
  const events = new Events(scope, query, { period, names })
  return sql`
    select value, visitors, times, converted, values_in_all
    from (
      select
        *,
        row_number() over (order by ${sort ? sql`${sort}, ` : sql``}${mostImportantFirst(query)}, value) as place,
        count() over () as values_in_all
      from (
        select
          ${valueOf(name, query, scope)} as value,
          ${events.distinct.of(sql`cityHash64(person)`)} as visitors,
          count() as times,
          ${converted(query, scope, period)} as converted
        from ${events.rows()}
        group by value
        having ${matchesSearchTerm(query.search, sql`value`, [name])}
      ) as counted
      ${sort && query.sort && isOfReading(query.sort) ? readingJoins(query, scope, period) : sql``}
    )
    where ${isPanelRow(wanted, sql`value`)}
    order by place`
}

/** Returns the value of an event; a path is that of its group. */
function valueOf(name: DimensionName, query: BreakdownQuery, scope: QueryScope): Sql {
  const { column } = dimensionOf(name)
  return isOfPath(wordsOf(name).key) ? grouped(column, pageGroupsOf(query, scope)) : column
}

const readingJoins = (query: BreakdownQuery, scope: QueryScope, period: Period): Sql => sql`
      left any join (
        select page as read_page, toNullable(seconds) as read_seconds, scroll as read_scroll
        from (${reading(query, scope, period)})
      ) as readings on readings.read_page = value
      left any join (
        select page as left_page, toNullable(bounce_rate) as bounce_rate
        from (${bounces(query, scope, period)})
      ) as departures on departures.left_page = value`

/** Sorts robots by requests, because they have no visitors, and people by visitors. */
const mostImportantFirst = ({ traffic }: BreakdownQuery): Sql =>
  traffic === 'human' ? sql`visitors desc, times desc` : sql`times desc, visitors desc`

/** Returns the persons who reached the goal in the period. */
function converted({ goal, ...asked }: BreakdownQuery, scope: QueryScope, period: Period): Sql {
  if (!goal) return sql`0`
  const events = new Events(scope, { ...asked, filter: undefined }, { period })
  const reached = reachesGoal(goal, events)
  const isReached = sql`person in (select person from ${events.rows()} as events where ${reached})`
  return events.distinct.where(sql`person`, isReached)
}

/** Returns the groups of pages that a query uses. */
export const pageGroupsOf = ({ groupPages }: BreakdownQuery, { pageGroups }: QueryScope): PageGroups =>
  groupPages ? pageGroups : []

/** Returns the reading statistics of some pages, or of all. */
export const reading = (
  query: BreakdownQuery,
  scope: QueryScope,
  period: Period,
  pages?: readonly string[],
): Sql => sql`
  select page, avg(seconds) as seconds, if(countIf(deepest > 0) > 0, avgIf(deepest, deepest > 0), null) as scroll
  from (
    select ${grouped(readPage, pageGroupsOf(query, scope))} as page, sum(engaged_ms) / 1000 as seconds, max(scroll_depth) as deepest
    from ${new Events(scope, query, { period }).rows()}
    where (engaged_ms > 0 or scroll_depth > 0) and ${isOneOf(pages)} and session_id != ${noSession}
    group by session_id, page
  )
  group by page`

const isOneOf = (pages: readonly string[] | undefined): Sql =>
  pages ? sql`page in ${strings(pages)}` : sql`true`

/** Returns the bounce rates of visits that began there. */
export function bounces(
  query: BreakdownQuery,
  scope: QueryScope,
  period: Period,
  pages?: readonly string[],
): Sql {
  const pageGroups = pageGroupsOf(query, scope)
  if (pages)
    return bouncesOf(pages, visitRows(query, scope, period, { ids: ['$entry_pathname'], pageGroups }))
  return sql`
  select ${grouped(sql`session_entry_path`, pageGroups)} as page, sum(session_is_bounce) / count() as bounce_rate
  from (${visitRows(query, scope, period, { keys: ['$entry_pathname'] })})
  where session_views > 0
  group by page`
}

/** Selects bounces. Entry pages of a few pages are numbers until they are counted, which takes half the time. */
const bouncesOf = (pages: readonly string[], visits: Sql): Sql => sql`
  with arrayMap(one -> ${idOfText(sql`one`)}, ${strings(pages)}) as ids
  select ${strings(pages)}[indexOf(ids, ${idOf('$entry_pathname')})] as page, sum(session_is_bounce) / count() as bounce_rate
  from (${visits})
  where session_views > 0 and has(ids, ${idOf('$entry_pathname')})
  group by ${idOf('$entry_pathname')}`
