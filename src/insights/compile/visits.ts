import { isView } from '#engine/entry-page'
import { dateTime, type Sql, sql, string, strings, uint, uints } from '#engine/sql'
import { codesNamed } from '#events/value-names'
import { bucketColumn } from './internal/bucket-column'
import { countsBounceLength } from '../bounce-rule'
import type { DimensionName } from '../text/dimension-words'
import type { PageGroups } from '../text/page-groups'
import { dimensionOf } from './internal/dimensions'
import { distinctIn } from './internal/distinct'
import type { Filter, ColumnResolver, PropertyCondition } from '#filters/filter'
import { where } from '#filters/filter'
import { Events } from './internal/events'
import { type Goal, reachesGoal } from './goal'
import type { Buckets, Period } from '../calendar/period'
import type { BaseQuery, QueryScope } from '../scope'
import {
  columnsOf,
  idOf,
  idOfText,
  idsOf,
  isSessionTextKey,
  isSessionKey,
  noSession,
  type SessionTextKey,
  textColumnOf,
  sessionColumn,
  type SessionKey,
  withEventOrder,
} from './internal/sessions'

/** The counts of visits from which `figuresOf` computes the figures. */
export interface VisitCounts {
  visitors: number
  visits: number
  views: number
  bounces: number
  /** Visits with a page view: the denominator of the bounce rate. */
  visits_with_views: number
  seconds: number
  revenue: number
  converted: number
}

const visitCounts = (
  { goal }: Pick<VisitsBaseQuery, 'goal'>,
  scope: Pick<QueryScope, 'bounceRule' | 'isApproximate'>,
): Sql => sql`
  ${distinctIn(scope).of(sql`visitor`)} as visitors,
  count() as visits,
  sum(matching_views) as views,
  toUInt64(sum(session_is_bounce)) as bounces,
  countIf(session_views > 0) as visits_with_views,
  sum(${countsBounceLength(scope.bounceRule) ? sql`session_duration` : sql`if(session_is_bounce = 1, 0, session_duration)`}) as seconds,
  sum(visit_revenue) as revenue,
  ${goal ? distinctIn(scope).where(sql`visitor`, sql`goals > 0`) : sql`toUInt64(0)`} as converted`

/** The session keys that every statement about visits needs for these counts. */
const countedKeys: readonly SessionKey[] = ['$pageview_count', '$session_duration', '$is_bounce']

export interface VisitsBaseQuery extends BaseQuery {
  goal?: Goal | undefined
  /** Goals that are counted each, as `goal_hits` and `goal_revenue`. */
  goals?: readonly Goal[] | undefined
}

/** The columns of a visit's row besides the counts. */
interface VisitColumns {
  keys?: readonly SessionKey[]
  /** Keys whose values are replaced by a hash. */
  ids?: readonly SessionTextKey[]
  /** The groups that name hashed paths. */
  pageGroups?: PageGroups
  /** Adds `visiting_person`, whose hash is the visitor. */
  withPersons?: boolean
}

/**
 * One row for every session with at least one matching event. Its views and revenue are those of the matching events;
 * its begin, end and duration are those of the whole session. If several persons took part, it always counts for the
 * same one. Sessions and visitors are compared by half of their ids' bits, which is a third faster; among ten million,
 * the chance of a collision is one in half a million.
 */
export function visitRows(
  { filter, goal, goals = [], traffic, withoutTestAccounts }: VisitsBaseQuery,
  scope: QueryScope,
  period: Period,
  { keys = [], ids = [], pageGroups = [], withPersons = false }: VisitColumns = {},
): Sql {
  const events = new Events(scope, { traffic, withoutTestAccounts }, { period })
  // evaluated one level below, where a session's column is the joined one and not an aggregate
  const { ofEvents, ofSessions } = split(filter)
  const matches = ofEvents ? events.holds(ofEvents) : sql`true`
  const converts = goal ? reachesGoal(goal, events) : sql`false`
  const each = sql.join(goals.map((one) => sql`toUInt64(${reachesGoal(one, events)})`))
  const [goalSums, reachedGoals] =
    goals.length === 0
      ? [sql``, sql``]
      : [
          sql`, sumForEach(reached_goals) as goal_hits, sumForEach(arrayMap(hit -> hit * revenue, reached_goals)) as goal_revenue`,
          sql`, [${each}] as reached_goals`,
        ]
  const columns = new Set([...countedKeys, ...keys, ...keysIn(ofSessions)])
  return sql`
    select
      min(cityHash64(person)) as visitor,
      min(timestamp) as began,
      countIf(${isView} and is_match) as matching_views,
      sumIf(revenue, is_match) as visit_revenue,
      countIf(is_goal) as goals${goalSums}${withPersons ? personOfVisit : sql``}${columnsOf(columns, scope)}${idsOf(ids, pageGroups)}
    from (
      select *, ${matches} as is_match, ${converts} as is_goal${reachedGoals}
      from ${withEventOrder(events.rows())} as events
      where session_id != ${noSession}
    )
    group by cityHash64(session_id)
    having ${ofEvents ? sql`countIf(is_match) > 0` : sql`true`}
      and ${ofSessions ? where(ofSessions, sessionColumnResolver, scope.calendar.now) : sql`true`}`
}

const personOfVisit = sql`, argMin(person, cityHash64(person)) as visiting_person`

/** Selects each `person` who is counted among the visitors of visits that began in a period. */
export function visitorsOf(query: VisitsBaseQuery, scope: QueryScope, period: Period, began = period): Sql {
  return sql`
    select visiting_person as person
    from (${visitRows(query, scope, period, { withPersons: true })})
    where began >= ${dateTime(began.from)} and began < ${dateTime(began.until)}
    group by visiting_person`
}

/** Splits conditions that must all hold: those about sessions are evaluated on sessions, at no extra cost. */
function split(filter: Filter | undefined): { ofEvents?: Filter; ofSessions?: Filter } {
  if (!filter) return {}
  const parts = 'all' in filter ? filter.all : [filter]
  const ofSessions = parts.filter(isOfSessions)
  const ofEvents = parts.filter((part) => !isOfSessions(part))
  return {
    ...(ofEvents.length > 0 && { ofEvents: { all: ofEvents } }),
    ...(ofSessions.length > 0 && { ofSessions: { all: ofSessions } }),
  }
}

function isOfSessions(filter: Filter): boolean {
  return conditionsIn(filter).every(({ type }) => type === 'session')
}

function conditionsIn(filter: Filter): Exclude<Filter, { all: Filter[] } | { any: Filter[] }>[] {
  if ('all' in filter) return filter.all.flatMap(conditionsIn)
  return 'any' in filter ? filter.any.flatMap(conditionsIn) : [filter]
}

function keysIn(filter: Filter | undefined): SessionKey[] {
  const conditions = filter ? conditionsIn(filter) : []
  // an unknown key has no column, and `sessionColumn` resolves it as never set
  return conditions.flatMap((condition) =>
    condition.type === 'session' && isSessionKey(condition.key) ? [condition.key] : [],
  )
}

const sessionColumnResolver: ColumnResolver = {
  property: ({ key }: PropertyCondition) => sessionColumn(key),
  cohort: () => sql`false`,
}

/** The rows of a panel: the first ones, or for another period the same values. */
export type PanelRows = { limit: number; offset: number } | { values: readonly string[] }

interface VisitsStatementOptions {
  period: Period
  /** Without these there are rows of values only, and none of all visits and of each bucket. */
  buckets?: Buckets | undefined
  /** Dimensions of sessions. */
  dimensions: readonly DimensionName[]
  rows: PanelRows
  pageGroups?: PageGroups | undefined
  /** The first key by which rows are sorted, before the number of visitors. */
  sort?: Sql | undefined
  /** Only values that contain this text. */
  search?: string | undefined
}

/** A row of one grouping set: all visits, a bucket, or a value of a dimension. */
export type VisitRow = VisitCounts & {
  /** 0 for all visits, 1 for a bucket, and from 2 on the dimensions in the order of the request. */
  cut: number
  bucket: number
  /** A hash of the value, which is the same in each period. */
  id: string
  /** Empty if the values of another period were requested. */
  value: string
  values_in_all: number
}

const cuts = { all: 0, bucket: 1, firstDimension: 2 } as const

/**
 * Computes the figures, the time series and every panel that are asked for together in one statement, because grouping
 * events into visits takes most of the time. Values are numbers until they have been counted, and only then get their
 * names.
 */
export function visitsStatement(
  query: VisitsBaseQuery,
  scope: QueryScope,
  options: VisitsStatementOptions,
): Sql {
  const { period, buckets, rows, search, pageGroups = [] } = options
  const ids = options.dimensions.flatMap(textKeysOf)
  const sets = [...(buckets ? [[], [sql`bucket`]] : []), ...ids.map((id) => [idOf(id)])]
  const isKnown = 'values' in rows
  return sql`
    with visits as (
      select *${buckets ? sql`, ${bucketColumn(sql`began`, buckets)} as bucket` : sql``}
      from (${visitRows(query, scope, period, { ids, pageGroups })})
    ),
    counted as (
      select
        ${groupingSetOf(sets)} + ${uint(buckets ? cuts.all : cuts.firstDimension)} as cut,
        ${buckets ? sql`bucket` : sql`toUInt64(0) as bucket`},
        ${sql.join([sql`toUInt64(0)`, ...ids.map(idOf)], sql` + `)} as id,
        ${visitCounts(query, scope)}
      from visits
      group by grouping sets (${sql.join(sets.map((columns) => sql`(${sql.join(columns)})`))})
    ),
    named as (${isKnown ? withoutValues : withValues(ids, new Events(scope, query, { period }), pageGroups)})
    select * replace (toString(id) as id)
    from (
      select
        *,
        row_number() over (partition by cut order by ${options.sort ? sql`${options.sort}, ` : sql``}visitors desc, views desc, value) as place,
        count() over (partition by cut) as values_in_all
      from named
      where cut < ${uint(cuts.firstDimension)} or ${isKnown ? sql`true` : matchesSearchTerm(search, sql`value`, options.dimensions)}
    )
    where cut < ${uint(cuts.firstDimension)} or ${isPanelRow(rows, sql`concat(toString(cut), ' ', toString(id))`)}
    order by cut, place`
}

const textKeysOf = (name: DimensionName): SessionTextKey[] => {
  const { key } = dimensionOf(name)
  return key && isSessionTextKey(key) ? [key] : []
}

const withoutValues = sql`select *, '' as value from counted`

function withValues(ids: readonly SessionTextKey[], events: Events, pageGroups: PageGroups): Sql {
  const values = ids.map(
    (key) => sql`select toString(value) as value from ${events.valuesOf(textColumnOf(key, pageGroups))}`,
  )
  if (values.length === 0) return withoutValues
  return sql`
    select counted.*, names.value as value
    from counted
    left any join (
      select ${idOfText(sql`value`)} as id, value
      from (${sql.join(values, sql` union all `)})
    ) as names on names.id = counted.id`
}

/**
 * Returns the index of a row's set, each of which has one column or none. `grouping` has a bit for each column that is
 * not in the set; the last column's is the lowest.
 */
function groupingSetOf(sets: readonly (readonly Sql[])[]): Sql {
  const columns = sets.flat()
  const all = 2 ** columns.length - 1
  const masks = sets.map(([column]) =>
    column ? all - 2 ** (columns.length - 1 - columns.indexOf(column)) : all,
  )
  return sql`indexOf(${uints(masks)}, toUInt64(grouping(${sql.join(columns)}))) - 1`
}

/** Matches a search, also by the names of codes, such as DE by "germ". */
export function matchesSearchTerm(
  search: string | undefined,
  value: Sql,
  dimensions: readonly DimensionName[],
): Sql {
  if (!search) return sql`true`
  const codes = dimensions.flatMap((dimension) => codesNamed(dimension, search))
  const isPart = sql`positionCaseInsensitiveUTF8(${value}, ${string(search)}) > 0`
  return codes.length > 0 ? sql`(${isPart} or ${value} in ${strings(codes)})` : isPart
}

export const isPanelRow = (rows: PanelRows, key: Sql): Sql =>
  'values' in rows
    ? sql`${key} in ${strings(rows.values)}`
    : sql`(place > ${uint(rows.offset)} and place <= ${uint(rows.offset + rows.limit)})`

/** Returns the rows of one dimension. */
export const rowsOf = (rows: readonly VisitRow[], dimension: number): VisitRow[] =>
  rows.filter(({ cut }) => cut === cuts.firstDimension + dimension)

/** Returns the hashes of the values, to request them for another period. */
export const valuesShown = (rows: readonly VisitRow[]): string[] =>
  rows.filter(({ cut }) => cut >= cuts.firstDimension).map(({ cut, id }) => `${cut} ${id}`)

/** Returns the figures of the whole period and of each of its buckets. */
export function figuresIn(
  rows: readonly VisitRow[],
  { starts }: Buckets,
): { figures: VisitFigures; course: VisitFigures[] } {
  const byBucket = new Map(
    rows.flatMap((row) => (row.cut === cuts.bucket ? [[row.bucket, row] as const] : [])),
  )
  return {
    figures: figuresOf(rows.find(({ cut }) => cut === cuts.all) ?? noVisits),
    course: starts.map((start) => figuresOf(byBucket.get(start.getTime()) ?? noVisits)),
  }
}

/** The displayed figures. A share of zero visits is null, not zero. */
export interface VisitFigures {
  visitors: number
  visits: number
  views: number
  viewsPerVisit: number | null
  bounces: number
  bounceRate: number | null
  /** The visit duration in seconds; `countsBounceLength` says that of bounces. */
  duration: number | null
  revenue: number
  conversions: number
  conversionRate: number | null
}

export function figuresOf(counts: VisitCounts): VisitFigures {
  const { visitors, visits, views, bounces, visits_with_views, seconds, revenue, converted } = counts
  return {
    visitors,
    visits,
    views,
    viewsPerVisit: share(views, visits),
    bounces,
    bounceRate: share(bounces, visits_with_views),
    duration: share(seconds, visits),
    revenue,
    conversions: converted,
    conversionRate: share(converted, visitors),
  }
}

export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

export const noVisits: VisitCounts = {
  visitors: 0,
  visits: 0,
  views: 0,
  bounces: 0,
  visits_with_views: 0,
  seconds: 0,
  revenue: 0,
  converted: 0,
}
