import { dateTime, float, identifier, type Sql, sql, string, strings, uint, uints } from '#engine/sql'
import type { Period } from '#insights/calendar/period'
import { eventNamesOf } from '#insights/compile/internal/event-matchers'
import { Events } from '#insights/compile/internal/events'
import { bothFilters, type EventMatcher } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { exposureSource, isOfExperiment } from './exposure-source'
import { metricValues, secondsToComplete } from './internal/metric-values'
import { type ExperimentQuery, matchersOf, type MeasuredMetric, type ValueBound } from './schema'

/** The units of one variant, phase, segment and day. */
export interface UnitsRow {
  variant: string
  phase: number
  segment: string
  day: string
  units: number
  /** Units whose exposure named the version of the flag. */
  versioned: number
  /** For each metric: its number of counted units, the means of its values, and their covariances row by row. */
  moments: number[][]
}

/** The number of units that were exposed to the same variants, or to a value that does not count. */
export interface ExposureSetRow {
  seen: string[]
  units: number
}

/** The range of time of an experiment: exposures, and events before and after them. */
export interface ExperimentRange {
  exposures: Period
  events: Period
  /** The times at which values are taken, for the course of the estimates; none for their state at the end. */
  knownAt: readonly Date[]
  /** Only so many units count; which ones follows from their ids, not from their behaviour. */
  mostUnits?: number
}

const never = new Date(0)

/** Selects exposures as `unit`, `given`, `at`, `sent`, `given_segment`, `given_version` and `is_preview`. */
function exposureRows(query: ExperimentQuery, scope: QueryScope, period: Period): Sql {
  const { event, property, filter } = exposureSource(query)
  const events = new Events(
    scope,
    { ...query, filter: bothFilters(bothFilters(query.filter, query.entry), filter) },
    { period, names: [event] },
  )
  const variant = events.property({ type: 'event', key: property }).text
  const segment = query.segment ? events.property(query.segment).text : sql`''`
  const at = evaluatedAt(events)
  const isExposing = isOfExperiment(query, events)
  return sql`
    select ${unitOf(query, events)} as unit, ${variant} as given, ${at} as at, timestamp as sent, ${segment} as given_segment, ${versionOf(query, events)} as given_version, ${isPreview(events)} as is_preview
    from ${events.rows()} as events
    where ${isExposing}`
}

/** The version of the flag that the client decided by; 0 if it does not say, or if it does not matter. */
const versionOf = ({ versions }: ExperimentQuery, events: Events): Sql =>
  versions
    ? sql`toUInt64OrZero(${events.property({ type: 'event', key: '$feature_flag_version' }).text})`
    : sql`toUInt64(0)`

/** Selects the same columns for the events that stand for exposures in a plan. */
function historyRows(
  { event, filter }: EventMatcher,
  query: ExperimentQuery,
  scope: QueryScope,
  period: Period,
): Sql {
  const events = new Events(
    scope,
    { ...query, filter: bothFilters(bothFilters(query.filter, query.entry), filter) },
    { period, names: event === null ? undefined : [event] },
  )
  return sql`
    select ${unitOf(query, events)} as unit, '' as given, timestamp as at, timestamp as sent, '' as given_segment, toUInt64(0) as given_version, ${isPreview(events)} as is_preview
    from ${events.rows()} as events`
}

const noSession = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/** The unit of an event: a UUID for persons and sessions, which is less than half of its text, otherwise a text. */
export function unitOf({ unit }: Pick<ExperimentQuery, 'unit'>, events: Events): Sql {
  if (unit.by === 'person') return sql`person`
  if (unit.by === 'session') return sql`session_id`
  if (unit.by === 'device') return events.property({ type: 'event', key: '$device_id' }).text
  return events.property({ type: 'group', group: unit.group, key: '$group_key' }).text
}

/** Whether a column of `unitOf` has a unit. */
export function isUnit({ unit }: Pick<ExperimentQuery, 'unit'>, column: Sql): Sql {
  if (unit.by === 'person') return sql`true`
  return unit.by === 'session' ? sql`${column} != ${noSession}` : sql`${column} != ''`
}

/** SDKs send the exposure after the evaluation, and a conversion may overtake it in their queue. */
const latestReport = 60 * 60 * 1000

export function evaluatedAt(events: Events): Sql {
  const { text } = events.property({ type: 'event', key: '$feature_flag_evaluated_at' })
  const evaluated = sql`toInt64OrZero(${text})`
  const sent = sql`toUnixTimestamp64Milli(timestamp)`
  return sql`if(${evaluated} <= ${sent} and ${evaluated} > ${sent} - ${uint(latestReport)}, fromUnixTimestamp64Milli(${evaluated}, 'UTC'), timestamp)`
}

/** Previews and forced variants are reported as exposures to the assigned variant. */
export function isPreview(events: Events): Sql {
  const url = events.property({ type: 'event', key: '$current_url' }).text
  const isSet = (key: string) => events.property({ type: 'event', key }).isSet
  // posthog-js names all overrides on every event, and what the flag would have been on the exposure itself
  return sql`(position(${url}, '__experiment_variant=') > 0 or ${isSet('$override_feature_flags')} or ${isSet('$feature_flag_original_response')})`
}

/** The variants in the order of their bytes. */
const inOrder = ({ variants }: Pick<ExperimentQuery, 'variants'>): string[] =>
  variants.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))

/** The index of a variant, counted from 1; 0 for any other text. Texts beside millions of events would take half of the time. */
export const indexOfVariant = (query: Pick<ExperimentQuery, 'variants'>, given: Sql): Sql =>
  sql`toUInt16(indexOf(${strings(inOrder(query))}, ${given}))`

/** The variant of an index; an empty text for 0. */
export const variantOf = (query: Pick<ExperimentQuery, 'variants'>, index: Sql): Sql =>
  sql`arrayElement(${strings(['', ...inOrder(query)])}, ${index} + 1)`

/** A number by which exposures are ordered: by time, and at an instant by variant. Both can be read from it. */
export const exposureOrder = (at: Sql, index: Sql): Sql => sql`toUnixTimestamp64Milli(${at}) * 16 + ${index}`

export const timeOfOrder = (order: Sql): Sql =>
  sql`fromUnixTimestamp64Milli(bitShiftRight(${order}, 4), 'UTC')`

export const indexOfOrder = (order: Sql): Sql => sql`bitAnd(${order}, 15)`

/**
 * The first exposure of each unit, as `unit`, `variant_index`, `exposed_at`, `reported_at`, `version`, `phase`, `segment` and
 * `day`. An exposure is known from its first report on.
 */
function firstExposures(
  query: ExperimentQuery,
  scope: QueryScope,
  { exposures: period, mostUnits }: ExperimentRange,
): Sql {
  const { history } = query
  const isUsed =
    query.severalVariants === 'exclude' && !history ? sql`having min(given_index) = max(given_index)` : sql``
  return sql`
    select
      unit,
      min(order) as first,
      ${indexOfOrder(sql`first`)} as variant_index,
      ${timeOfOrder(sql`first`)} as exposed_at,
      min(sent) as reported_at,
      ${query.versions ? sql`argMin(given_version, order)` : sql`toUInt64(0)`} as version,
      ${phaseOf(query)} as phase,
      ${query.segment ? sql`argMin(given_segment, order)` : sql`''`} as segment,
      ${query.byDay ? sql`toString(toDate(exposed_at, ${string(scope.calendar.timeZone)}))` : sql`''`} as day
    from (
      select *, ${indexOfVariant(query, sql`given`)} as given_index, ${exposureOrder(sql`at`, sql`given_index`)} as order
      from (${history ? historyRows(history, query, scope, period) : exposureRows(query, scope, period)})
    )
    where not is_preview and ${isUnit(query, sql`unit`)} ${history ? sql`` : sql`and given_index > 0`}
    group by unit
    ${isUsed}
    ${mostUnits === undefined ? sql`` : sql`order by cityHash64(unit) limit ${uint(mostUnits)}`}`
}

/** The number of phases that had begun by a time, from 0. */
export const phaseAt = (phases: readonly string[], at: Sql = sql`exposed_at`): Sql =>
  phases.length === 1
    ? sql`0`
    : sql`arrayCount(begun -> begun <= toUnixTimestamp64Milli(${at}), ${uints(phases.slice(1).map(Date.parse))})`

/** The phase of the version, or of the time where the exposure names no version of a phase. */
function phaseOf({ phases, versions }: Pick<ExperimentQuery, 'phases' | 'versions'>): Sql {
  const [first, ...later] = versions ?? []
  if (first === undefined) return phaseAt(phases)
  return sql`if(version >= ${uint(first)}, arrayCount(begun -> begun <= version, ${uints(later)}), ${phaseAt(phases)})`
}

/** Counts units by the set of variants that they saw; an empty text stands for anything else that they were given. */
export function exposureSets(query: ExperimentQuery, scope: QueryScope, range: ExperimentRange): Sql {
  return sql`
    select seen, count() as units
    from (
      select
        unit,
        arraySort(groupUniqArray(multiIf(is_preview, '(preview)', given in ${strings(query.variants)}, given, ''))) as seen
      from (${exposureRows(query, scope, range.exposures)})
      where ${isUnit(query, sql`unit`)}
      group by unit
    )
    group by seen
    order by units desc
    limit 200`
}

/** The values of a metric in the columns of one unit. */
interface MetricColumns {
  after: readonly Sql[]
  before: readonly Sql[]
  isCounted: Sql
}

/** The column of `unitValues` with a metric’s value. */
export const nameOf = (metric: number, part: 'after' | 'before', i: number): Sql => {
  const name = `${part}_${metric}_${i}`
  return identifier(name, [name])
}

/** Returns the moments of every metric for each variant, phase, segment and day. */
export function unitMoments(
  query: ExperimentQuery,
  scope: QueryScope,
  range: ExperimentRange,
  limits: readonly MetricLimits[],
): Sql {
  const columns = query.metrics.map((metric, m) =>
    columnsOf(metric, m, { query, until: lastKnown(range), limits: limits[m] }),
  )
  return sql`
    select
      ${variantOf(query, sql`variant_index`)} as variant, phase, segment, day,
      count() as units,
      countIf(version > 0) as versioned,
      [${sql.join(columns.map(momentsOf))}] as moments
    from (${unitValues(query, scope, range)})
    group by variant_index, phase, segment, day
    order by variant, phase, segment, day`
}

/** Lower and upper bounds of a metric’s values, in the order of the values. */
export type MetricLimits = readonly { low: number | undefined; high: number | undefined }[]

export function columnsOf(
  metric: MeasuredMetric,
  m: number,
  { query, until, limits }: { query: ExperimentQuery; until: Sql; limits: MetricLimits | undefined },
): MetricColumns {
  const named = (part: 'after' | 'before') => boundedValues(metric, m, part, limits)
  const seconds = secondsToComplete(metric)
  return {
    after: named('after'),
    before: hasBefore(metric, query) ? named('before') : [],
    isCounted: seconds === 0 ? sql`true` : sql`since + toIntervalSecond(${uint(seconds)}) <= ${until}`,
  }
}

export function widthOf(metric: MeasuredMetric): number {
  if (metric.type === 'funnel') return metric.steps.length
  if (metric.type === 'quantile') return 0
  return metric.type === 'ratio' || metric.type === 'value' ? 2 : 1
}

export const hasBefore = ({ type }: MeasuredMetric, { lookbackDays }: ExperimentQuery): boolean =>
  lookbackDays > 0 && type !== 'funnel' && type !== 'quantile'

/** A unit without a value of a property stays without one, and of several values the mean is bounded, not their sum. */
function boundedValues(
  metric: MeasuredMetric,
  m: number,
  part: 'after' | 'before',
  limits: MetricLimits | undefined,
): Sql[] {
  const names = Array.from({ length: widthOf(metric) }, (_, i) => nameOf(m, part, i))
  const [amount, count] = names
  const [own] = limits ?? []
  const isUnbounded = own?.low === undefined && own?.high === undefined
  if (metric.type !== 'value' || !amount || !count || isUnbounded)
    return names.map((name, i) => bounded(name, limits?.[i]))
  return [sql`if(${count} > 0, ${bounded(sql`(${amount} / ${count})`, own)} * ${count}, 0)`, count]
}

function bounded(value: Sql, limits: MetricLimits[number] | undefined): Sql {
  const low = limits?.low === undefined ? value : sql`greatest(${value}, ${float(limits.low)})`
  return limits?.high === undefined ? low : sql`least(${low}, ${float(limits.high)})`
}

/** The number of counted units, the means, and the upper triangle of the covariances. */
function momentsOf({ after, before, isCounted }: MetricColumns): Sql {
  const values = [...after, ...before]
  const pairs = values.flatMap((one, i) => values.slice(i).map((other) => [one, other] as const))
  return sql`[${sql.join([
    sql`toFloat64(countIf(${isCounted}))`,
    ...values.map((value) => sql`ifNotFinite(avgIf(${value}, ${isCounted}), 0)`),
    ...pairs.map(([one, other]) => sql`ifNotFinite(covarPopStableIf(${one}, ${other}, ${isCounted}), 0)`),
  ])}]`
}

/** Selects one row for each exposed unit, with its values of every metric. */
export function unitValues(query: ExperimentQuery, scope: QueryScope, range: ExperimentRange): Sql {
  const events = new Events(scope, query, { period: range.events, names: namesOf(query) })
  const columns = query.metrics.flatMap((metric, m) => {
    const { after, before } = metricValues(metric, events, hasBefore(metric, query))
    return [
      ...after.map((value, i) => sql`, ${value} as ${nameOf(m, 'after', i)}`),
      ...before.map((value, i) => sql`, ${value} as ${nameOf(m, 'before', i)}`),
    ]
  })
  const source = eventsOfExposed(query, events, { scope, range })
  const isCourse = range.knownAt.length > 0
  const knownAt = isCourse ? sql`, known_at` : sql``
  // values that were not asked for are constant, and not gathered over all events
  const phase = query.phases.length > 1 ? sql`any(phase)` : phaseAt(query.phases)
  const version = query.versions ? sql`any(version)` : sql`0`
  const segment = query.segment ? sql`any(segment)` : sql`''`
  const day = isCourse ? sql`any(day_known)` : query.byDay ? sql`any(day)` : sql`''`
  return sql`
    select unit_of_event as unit, any(variant_index) as variant_index, ${version} as version, ${phase} as phase, ${segment} as segment, ${day} as day, any(exposed_at) as since ${knownAt}
      ${sql.join(columns, sql``)}
    ${source}
    group by unit_of_event ${knownAt}`
}

/** The end of the time whose events count. */
export const lastKnown = ({ knownAt, events }: ExperimentRange): Sql =>
  knownAt.length === 0 ? dateTime(events.until) : sql`known_at`

/** The events of exposed units with the columns of their exposure, as the clauses from `from` on. */
export function eventsOfExposed(
  query: ExperimentQuery,
  events: Events,
  { scope, range }: { scope: QueryScope; range: ExperimentRange },
): Sql {
  // the engine swaps the sides of an inner join, and then holds all events in memory instead of all units
  const clauses = sql`
    from (${eventsOfUnits(query, events)}) as events
    left any join (${firstExposures(query, scope, range)}) as exposed on exposed.unit = events.unit_of_event
    where exposed_at > ${dateTime(never)} and timestamp >= exposed_at - toIntervalDay(${uint(query.lookbackDays)})`
  return range.knownAt.length === 0 ? clauses : atEachTime(clauses, range.knownAt, scope)
}

/** Repeats each event for each time at which it and its unit’s exposure were known. */
function atEachTime(clauses: Sql, times: readonly Date[], { calendar }: QueryScope): Sql {
  const instants = sql.join(times.map((time) => dateTime(time)))
  return sql`
    from (
      select *, known_at, toString(toDate(known_at - toIntervalMillisecond(1), ${string(calendar.timeZone)})) as day_known
      from (select * ${clauses}) as events
      array join arrayFilter(time -> time > timestamp and time > reported_at, [${instants}]) as known_at
    ) as events`
}

const eventsOfUnits = (query: ExperimentQuery, events: Events): Sql =>
  sql`select *, ${unitOf(query, events)} as unit_of_event from ${events.rows()} as events where ${isUnit(query, sql`unit_of_event`)}`

/** A unit without any event of a metric counts as well: it has its exposure. */
export function namesOf(query: ExperimentQuery): string[] | undefined {
  const { history } = query
  const names = eventNamesOf([...query.metrics.flatMap(matchersOf), ...(history ? [history] : [])])
  return names && [...new Set([...names, ...(history ? [] : [exposureSource(query).event])])]
}

/** Returns the percentiles of the values of all units together, in the order in which `percentilesOf` asks for them. */
export function pooledPercentiles(query: ExperimentQuery, scope: QueryScope, range: ExperimentRange): Sql {
  const statements = percentilesOf(query).map(({ metric, value, percentile }) => {
    const of = query.metrics[metric]
    const isCounted = of
      ? columnsOf(of, metric, { query, until: lastKnown(range), limits: undefined }).isCounted
      : sql`true`
    const [amount, count] = [nameOf(metric, 'after', value), nameOf(metric, 'after', 1)]
    const [bounds, among] =
      of?.type === 'value'
        ? [sql`${amount} / ${count}`, sql`${isCounted} and ${count} > 0`]
        : [amount, isCounted]
    return sql`ifNotFinite(quantileExactInclusiveIf(${float(percentile / 100)})(${bounds}, ${among}), 0)`
  })
  return sql`select [${sql.join(statements)}] as percentiles from (${unitValues(query, scope, range)})`
}

interface AskedPercentile {
  metric: number
  value: number
  side: 'low' | 'high'
  percentile: number
}

/** The percentiles that bound values. */
export function percentilesOf({ metrics }: ExperimentQuery): AskedPercentile[] {
  return metrics.flatMap((one, metric) =>
    boundsOf(one).flatMap(({ low, high }, value) => [
      ...askedIn(low).map((percentile) => ({ metric, value, side: 'low' as const, percentile })),
      ...askedIn(high).map((percentile) => ({ metric, value, side: 'high' as const, percentile })),
    ]),
  )
}

const askedIn = (bound: ValueBound | undefined): number[] =>
  bound && 'percentile' in bound ? [bound.percentile] : []

/** The bounds of each value of a metric. */
export function boundsOf(metric: MeasuredMetric): { low?: ValueBound; high?: ValueBound }[] {
  const of = ({
    atLeast,
    atMost,
  }: {
    atLeast?: ValueBound | undefined
    atMost?: ValueBound | undefined
  }) => ({
    ...(atLeast && { low: atLeast }),
    ...(atMost && { high: atMost }),
  })
  if (metric.type === 'ratio') return [of(metric.numerator), of(metric.denominator)]
  if (metric.type === 'total' || metric.type === 'value') return [of(metric)]
  return []
}
