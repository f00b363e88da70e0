import { float, int, type Sql, sql, strings, uint } from '#engine/sql'
import { type BreakdownRanges, rangeColumns } from '#insights/compile/internal/breakdowns'
import { bucketColumn } from '#insights/compile/internal/bucket-column'
import { Events } from '#insights/compile/internal/events'
import { eventNamesOf } from '#insights/compile/internal/event-matchers'
import type { Buckets } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { neededSteps } from './internal/attempts'
import { numeral } from './internal/numerals'
import { momentOf } from './internal/packing'
import type { FunnelQuery, FunnelShape } from './schema'
import { funnelSpecOf, entrants, runs } from './internal/entrants'
import type { FunnelTimeRange } from './internal/funnel-time-ranges'

/** The steps reached by persons with one value; the rank after the last shown value is that of all others. */
export interface StepsRow {
  place: number
  key: string
  persons: number[]
  medians: (number | null)[]
  averages: (number | null)[]
  /** The number of values. */
  in_all: number
}

export function steps(query: FunnelQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql {
  const figures = figuresOf(query)
  return sql`
    select
      1 as place,
      '' as key,
      1 as in_all,
      [${sql.join(figures.persons.map(computedAtOnce))}] as persons,
      [${sql.join(figures.medians.map(computedAtOnce))}] as medians,
      [${sql.join(figures.averages.map(computedAtOnce))}] as averages
    from (${runs({ ...query, breakdown: undefined }, scope, timeRange)})`
}

/**
 * Returns the values with the most entrants first. A person with several of the other values counts once among the
 * others; times are of all their attempts. There may be many values, so they are merged as aggregate states.
 */
export function stepsByValue(
  query: FunnelQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  const figures = figuresOf(query)
  const list = (all: readonly FunnelAggregate[], name: Sql) =>
    sql`[${sql.join(all.map((figure, i) => mergedFromState(figure, sql`${name}[${numeral(i + 1)}]`)))}]`
  return sql`
    select
      place,
      min(key) as key,
      any(values_in_all) as in_all,
      ${list(figures.persons, sql`states_of_persons`)} as persons,
      ${list(figures.medians, sql`states_of_medians`)} as medians,
      ${list(figures.averages, sql`states_of_averages`)} as averages
    from (
      select
        *,
        count() over () as values_in_all,
        least(row_number() over (order by size desc, key), ${uint(query.limit + 1)}) as place
      from (
        select
          key,
          count() as size,
          [${sql.join(figures.persons.map(keptAsState))}] as states_of_persons,
          [${sql.join(figures.medians.map(keptAsState))}] as states_of_medians,
          [${sql.join(figures.averages.map(keptAsState))}] as states_of_averages
        from (${runsByKey(query, scope, timeRange, ranges)})
        group by key
      )
    )
    group by place
    order by place`
}

/** Returns one row for each cohort of a person. */
function runsByKey(
  query: FunnelQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
  withPersons = false,
): Sql {
  const all = runs({ ...query, withPersons }, scope, timeRange, ranges)
  return query.breakdown?.type === 'cohort'
    ? sql`select who, persons, arrayJoin(key) as key, moments from (${all})`
    : all
}

/** An aggregate that is computed at once, or kept as a state and merged. */
interface FunnelAggregate {
  name: 'countIf' | 'uniqExactIf' | 'quantileExactInclusiveIf' | 'avgIf'
  of: Sql
}

const aggregates = {
  countIf: { once: sql`countIf`, kept: sql`countIfState`, merged: sql`countIfMerge` },
  uniqExactIf: { once: sql`uniqExactIf`, kept: sql`uniqExactIfState`, merged: sql`uniqExactIfMerge` },
  avgIf: { once: sql`avgIf`, kept: sql`avgIfState`, merged: sql`avgIfMerge` },
  quantileExactInclusiveIf: {
    once: sql`quantileExactInclusiveIf(0.5)`,
    kept: sql`quantileExactInclusiveIfState(0.5)`,
    merged: sql`quantileExactInclusiveIfMerge(0.5)`,
  },
} as const

const computedAtOnce = ({ name, of }: FunnelAggregate): Sql => sql`${aggregates[name].once}(${of})`
const keptAsState = ({ name, of }: FunnelAggregate): Sql => sql`${aggregates[name].kept}(${of})`
const mergedFromState = ({ name }: FunnelAggregate, state: Sql): Sql =>
  sql`${aggregates[name].merged}(${state})`

/** The aggregates of each step; the first one has no times. */
function figuresOf(query: FunnelQuery): Record<'persons' | 'medians' | 'averages', FunnelAggregate[]> {
  const { breakdown, attribution } = query
  const isSeveral = breakdown?.type === 'cohort' || attribution === 'all steps'
  const numbers = query.steps.map((_, i) => i)
  return {
    persons: numbers.map((i) =>
      isSeveral
        ? { name: 'uniqExactIf', of: sql`who, ${momentAt(i)} > 0` }
        : { name: 'countIf', of: sql`${momentAt(i)} > 0` },
    ),
    medians: numbers.map((i) => ({ name: 'quantileExactInclusiveIf', of: timeOf(query, i) })),
    averages: numbers.map((i) => ({ name: 'avgIf', of: timeOf(query, i) })),
  }
}

function timeOf(query: FunnelShape, step: number): Sql {
  const previous = previousStep(query, step)
  if (previous === undefined) return sql`toFloat64(0), false`
  return sql`${secondsBetween(previous, step)}, ${momentAt(step)} > 0`
}

/** The step that everyone at this step has done. */
export const previousStep = (query: FunnelShape, step: number): number | undefined =>
  neededSteps(query).findLast((place) => place < step)

const momentAt = (step: number): Sql => sql`moments[${numeral(step + 1)}]`

const secondsBetween = (from: number, to: number): Sql => sql`((${momentAt(to)} - ${momentAt(from)}) / 1000)`

export interface FunnelTrendRow {
  bucket: number
  entered: number
  converted: number
}

/** Counts a person in each interval in which they began an attempt, and as converted if one of those was completed. */
export function trend(
  query: FunnelQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  buckets: Buckets,
): Sql {
  const { packing } = funnelSpecOf(query, timeRange)
  const moment = sql`${momentOf(sql`attempt[1]`, packing)} + ${int(timeRange.from.getTime())}`
  const bucket = bucketColumn(sql`fromUnixTimestamp64Milli(${moment})`, buckets)
  const isConverted = sql`length(attempt) = ${numeral(neededSteps(query).length)}`
  const asked = { ...query, breakdown: undefined, withAll: true }
  return sql`
    select bucket, count() as entered, countIf(isConverted) as converted
    from (
      select who, began.1 as bucket, max(began.2) as isConverted
      from (${entrants(asked, scope, timeRange, [])})
      array join arrayDistinct(arrayMap(attempt -> (${bucket}, ${isConverted}), tries)) as began
      group by who, bucket
    )
    group by bucket
    order by bucket`
}

export interface BinRow {
  bin: number
  persons: number
  least: number
  most: number
  bins: number
  median: number
  average: number
}

const mostBins = 60

/** The number of bins is the cube root of the number of values. */
export function times(query: FunnelQuery, scope: QueryScope, timeRange: FunnelTimeRange): Sql {
  const { from, to } = betweenOf(query)
  return sql`
    select
      least(floor((seconds - shortest) / greatest((longest - shortest) / wanted, 0.001)), wanted - 1) as bin,
      count() as persons,
      any(shortest) as least,
      any(longest) as most,
      any(wanted) as bins,
      any(middle) as median,
      any(mean) as average
    from (
      select
        seconds,
        min(seconds) over () as shortest,
        max(seconds) over () as longest,
        quantileExactInclusive(0.5)(seconds) over () as middle,
        avg(seconds) over () as mean,
        least(ceil(cbrt(count() over ())), ${float(mostBins)}) as wanted
      from (
        select ${secondsBetween(from, to)} as seconds
        from (${runs({ ...query, breakdown: undefined }, scope, timeRange)})
        where ${momentAt(from)} > 0 and ${momentAt(to)} > 0
      )
    )
    group by bin
    order by bin`
}

export const betweenOf = ({ between, steps: all }: Pick<FunnelQuery, 'between' | 'steps'>) =>
  between ?? { from: 0, to: all.length - 1 }

/** Returns the ranges of the numbers that a breakdown divides into bins. */
export function rangesOf(
  query: FunnelQuery,
  scope: QueryScope,
  { from, readUntil }: FunnelTimeRange,
): Sql | undefined {
  const reach = { period: { from, until: readUntil }, names: eventNamesOf(query.steps) }
  const events = new Events(scope, query, reach)
  const columns = rangeColumns(query.breakdown ? [query.breakdown] : [], events)
  return columns && sql`select ${columns} from ${events.rows()} as events`
}

/** A point: which of the persons who did the previous step. */
export interface FunnelPoint {
  step: number
  outcome: 'converted' | 'dropped'
  /** Only persons with one of these values of the breakdown, or with none of them. */
  values?: { among: boolean; keys: string[] } | undefined
}

export function personsAt(
  query: FunnelQuery,
  { step, outcome, values }: FunnelPoint,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Sql {
  const previous = previousStep(query, step)
  const isThere = sql`${momentAt(step)} > 0`
  const isHere = previous === undefined ? sql`true` : sql`${momentAt(previous)} > 0`
  const which = outcome === 'converted' ? isThere : sql`${isHere} and not (${isThere})`
  const source = values
    ? runsByKey(query, scope, timeRange, ranges, true)
    : runs({ ...query, breakdown: undefined, withPersons: true }, scope, timeRange)
  const isValue = values
    ? sql`(key in ${strings(values.keys)}) = ${numeral(values.among ? 1 : 0)}`
    : sql`true`
  return sql`select distinct arrayJoin(persons) as person from (${source}) where ${which} and ${isValue}`
}
