import { identifier, type Sql, sql, string, strings, uint } from '#engine/sql'
import { type ExposureDimension, exposureDimensions } from './answer'
import { Events } from '#insights/compile/internal/events'
import { exposure as exposureEvent } from '#insights/compile/exposure'
import type { QueryScope } from '#insights/scope'
import { exposureSource, isOfExperiment, isOfFlag } from '../experiment/exposure-source'
import {
  evaluatedAt,
  type ExperimentRange,
  exposureOrder,
  indexOfOrder,
  indexOfVariant,
  isPreview,
  isUnit,
  nameOf,
  phaseAt,
  timeOfOrder,
  unitOf,
  unitValues,
  variantOf,
  widthOf,
} from '../experiment/query'
import type { ExperimentQuery, MeasuredMetric } from '../experiment/schema'
import type { ExposureForensicsQuery, ExposurePoint } from './schema'

const mostCells = 50_000

/** The number of units for each dimension, value, variant, phase and state. */
export function exposureCells(query: ExposureForensicsQuery, scope: QueryScope, range: ExperimentRange): Sql {
  const pairs = exposureDimensions.map((one) => sql`(${string(one)}, ${dimensionText(one)})`)
  const common = sql`library, browser, os, device, country, day, has_several_ids, phase, variant, state`
  // units that are alike are put into the dimensions together
  return sql`
    select
      pair.1 as dimension, pair.2 as value, variant, phase, state,
      sum(alike) as units,
      sum(alike_served) as served,
      sum(alike_viewed) as viewed,
      sum(alike_converted) as converted
    from (
      select
        ${common},
        count() as alike,
        countIf(is_served) as alike_served,
        countIf(is_viewed) as alike_viewed,
        countIf(is_converted) as alike_converted
      from (${exposedUnits(query, scope, range)})
      group by ${common}
    )
    array join [${sql.join(pairs)}] as pair
    group by dimension, value, variant, phase, state
    order by units desc, dimension, value, variant, phase, state
    limit ${uint(mostCells)}`
}

/** Units of several variants, whether they count or not. */
export function severalVariants(
  query: ExposureForensicsQuery,
  scope: QueryScope,
  range: ExperimentRange,
): Sql {
  const asked = { ...query, metric: undefined }
  // the sets that tell the cause are made for few units
  const ofSeveral = sql`
    select unit
    from (${orderedReports(asked, scope, range)})
    where is_counted
    group by unit
    having min(given_index) != max(given_index)`
  return sql`
    select seen, cause, count() as units
    from (${exposedUnits(asked, scope, range, sql`unit in (${ofSeveral})`)})
    where length(seen) > 1
    group by seen, cause
    order by units desc, seen, cause
    limit 200`
}

/** The persons of the units of a point, each once. */
export function personsAt(
  query: ExposureForensicsQuery,
  point: ExposurePoint,
  { scope, range }: { scope: QueryScope; range: ExperimentRange },
): Sql {
  const { state, counted, variant, phase, dimension, value, seen, cause } = point
  const conditions = [
    ...(state === undefined ? [] : [sql`state = ${string(state)}`]),
    ...(variant === undefined ? [] : [sql`variant = ${string(variant)}`]),
    ...(phase === undefined ? [] : [sql`phase = ${uint(phase)}`]),
    ...(dimension === undefined ? [] : [sql`${dimensionText(dimension)} = ${string(value ?? '')}`]),
    ...(seen === undefined ? [] : [sql`seen = ${strings(seen.toSorted())}`]),
    ...(cause === undefined ? [] : [sql`(length(seen) > 1 and cause = ${string(cause)})`]),
    ...isOrIsNot(sql`state = 'counted'`, counted),
    ...isOrIsNot(sql`is_served`, point.served),
    ...isOrIsNot(sql`is_viewed`, point.viewed),
    ...isOrIsNot(sql`is_converted`, point.converted),
    sql`true`,
  ]
  return sql`
    select distinct arrayJoin(persons) as person
    from (${exposedUnits(query, scope, range)})
    where ${sql.join(conditions, sql` and `)}`
}

const isOrIsNot = (claim: Sql, wanted: boolean | undefined): Sql[] =>
  wanted === undefined ? [] : [wanted ? claim : sql`not (${claim})`]

/** A unit’s value of a dimension, on the columns of `exposedUnits`. */
function dimensionText(dimension: ExposureDimension): Sql {
  if (dimension === 'all') return sql`''`
  if (dimension === 'phase') return sql`toString(phase)`
  if (dimension === 'ids') return sql`if(has_several_ids, 'several', 'one')`
  return identifier(dimension, exposureDimensions)
}

/** Texts of the event that exposed a unit. */
const eventTexts = {
  library: sql`trim(concat(toString(lib), ' ', toString(lib_version)))`,
  browser: sql`toString(browser)`,
  os: sql`toString(os)`,
  device: sql`toString(device)`,
  country: sql`toString(country)`,
}

/** Every unit with a report of the flag, or those of some units, one row each, and what became of it. */
function exposedUnits(
  query: ExposureForensicsQuery,
  scope: QueryScope,
  range: ExperimentRange,
  among: Sql = sql`true`,
): Sql {
  const { phases, metric } = query
  const names = Object.keys(eventTexts)
  const texts = names.map((name) => {
    const column = identifier(`unit_${name}`, [`unit_${name}`])
    return sql`argMin(${column}, order) as ${identifier(name, names)}`
  })
  const converted = metric && metric.type !== 'quantile' && convertedUnits(query, metric, { scope, range })
  const isConverted = converted ? sql`unit in (${converted})` : sql`false`
  return sql`
    select
      unit,
      groupUniqArray(person) as persons,
      arraySort(groupUniqArrayIf(given, is_counted)) as seen,
      ${variantOf(query, indexOfOrder(sql`min(order_of_known)`))} as variant,
      ${timeOfOrder(sql`min(order) % ${later}`)} as exposed_at,
      countIf(is_counted) > 0 as has_counted,
      minIf(given_index, is_counted) != maxIf(given_index, is_counted) as has_several_variants,
      ${stateOf(query)} as state,
      ${phaseAt(phases)} as phase,
      toString(toDate(exposed_at, ${string(scope.calendar.timeZone)})) as day,
      minIf(distinct_id, is_counted) != maxIf(distinct_id, is_counted) as has_several_ids,
      countIf(serves and given_index > 0) > 0 as is_served,
      countIf(views and given_index > 0) > 0 as is_viewed,
      ${causeOf} as cause,
      ${isConverted} as is_converted,
      ${sql.join(texts)}
    from (${orderedReports(query, scope, range)})
    where ${isUnit(query, sql`unit`)} and ${among}
    group by unit`
}

/** The reports of the flag; those that count come first in the `order`, and those of a variant in the `order_of_known`. */
const orderedReports = (query: ExposureForensicsQuery, scope: QueryScope, range: ExperimentRange): Sql => sql`
  select
    *,
    ${indexOfVariant(query, sql`given`)} as given_index,
    is_entering and given_index > 0 as is_counted,
    ${exposureOrder(sql`at`, sql`given_index`)} + if(is_counted, 0, ${later}) as order,
    order + if(given_index > 0, 0, ${later}) as order_of_known
  from (${reports(query, scope, range)})`

/** Added to the order of a report, it puts it after all others. */
const later = uint(2 ** 50)

/** The first condition that left a unit without a counted exposure. */
const stateOf = ({ severalVariants: rule }: ExposureForensicsQuery): Sql => sql`
  multiIf(
    has_counted and (${rule === 'first' ? sql`true` : sql`false`} or not has_several_variants), 'counted',
    has_counted, 'several',
    countIf(is_exposing) = 0, 'not-exposed',
    countIf(is_exposing and not is_robot) = 0, 'robot',
    countIf(is_exposing and not is_robot and not is_preview) = 0, 'preview',
    countIf(is_entering) = 0, 'entry',
    'other')`

/** A cause is likely if each id, phase or device of the unit saw one variant only. */
const causeOf = sql`
  multiIf(
    countIf(is_exposing and is_preview) > 0, 'override',
    has_several_ids and uniqExactIf((distinct_id, given), is_counted) = uniqExactIf(distinct_id, is_counted), 'merge',
    uniqExactIf(row_phase, is_counted) > 1 and uniqExactIf((row_phase, given), is_counted) = uniqExactIf(row_phase, is_counted), 'rules',
    uniqExactIf(device_id, is_counted) > 1 and uniqExactIf((device_id, given), is_counted) = uniqExactIf(device_id, is_counted), 'device',
    'unknown')`

/** The reports of the flag, those of robots and previews among them. */
function reports(query: ExposureForensicsQuery, scope: QueryScope, range: ExperimentRange): Sql {
  const source = exposureSource(query)
  const events = new Events(
    scope,
    { ...query, traffic: 'all' },
    {
      period: range.exposures,
      names: [...new Set([exposureEvent.event, exposureEvent.seen, source.event])],
    },
  )
  const textOf = (key: string) => events.property({ type: 'event', key }).text
  const ofFlag = isOfFlag(query, events)
  const isExposing = sql`(event = ${string(source.event)} and ${isOfExperiment(query, events)} and ${source.filter ? events.holds(source.filter) : sql`true`})`
  const isServed = sql`(event = ${string(exposureEvent.event)} and ${ofFlag})`
  const isViewed = sql`(event = ${string(exposureEvent.seen)} and ${ofFlag})`
  const given = sql`if(${isExposing}, ${textOf(source.property)}, ${textOf(exposureEvent.value)})`
  const isEntering = query.entry ? events.holds(query.entry) : sql`true`
  const texts = Object.entries(eventTexts).map(
    ([name, text]) => sql`${text} as ${identifier(`unit_${name}`, [`unit_${name}`])}`,
  )
  return sql`
    select
      ${unitOf(query, events)} as unit,
      person,
      distinct_id,
      ${textOf('$device_id')} as device_id,
      ${given} as given,
      ${evaluatedAt(events)} as at,
      ${phaseAt(query.phases, sql`at`)} as row_phase,
      ${isExposing} as is_exposing,
      ${isServed} as serves,
      ${isViewed} as views,
      traffic != 'human' as is_robot,
      ${isPreview(events)} as is_preview,
      is_exposing and not is_robot and not is_preview and (${isEntering}) as is_entering,
      ${sql.join(texts)}
    from ${events.rows()} as events
    where is_exposing or serves or views`
}

/** The query whose units are those with values of some metrics. */
const asExperiment = (
  { kind: _, metric: _metric, ...query }: ExposureForensicsQuery,
  metrics: readonly MeasuredMetric[],
): ExperimentQuery => ({
  ...query,
  kind: 'experiment',
  metrics: [...metrics],
  lookbackDays: 0,
  byDay: false,
  course: false,
})

/** The value of a metric that is above 0 if the unit had its event. */
const convertingValue = (metric: MeasuredMetric, m: number): Sql => valueName(metric, m, 'after')

const valueName = (metric: MeasuredMetric, m: number, part: 'after' | 'before'): Sql =>
  nameOf(m, part, metric.type === 'funnel' || metric.type === 'value' ? widthOf(metric) - 1 : 0)

function convertedUnits(
  query: ExposureForensicsQuery,
  metric: MeasuredMetric,
  { scope, range }: { scope: QueryScope; range: ExperimentRange },
): Sql {
  return sql`
    select unit
    from (${unitValues(asExperiment(query, [metric]), scope, range)})
    where ${convertingValue(metric, 0)} > 0`
}

/** Counts the counted units that had the metric’s event only before their exposure, and only outside of its window. */
export function otherConversions(
  query: ExposureForensicsQuery,
  metric: MeasuredMetric,
  { scope, range }: { scope: QueryScope; range: ExperimentRange },
): Sql {
  const { windowHours: _window, ...unlimited } = { ...metric, delayHours: 0, onlyComplete: false }
  const anyTime: MeasuredMetric = unlimited
  const before = metric.type === 'funnel' ? sql`0` : valueName(metric, 1, 'before')
  const [inWindow, after] = [convertingValue(metric, 0), convertingValue(anyTime, 1)]
  const days = Math.ceil((range.exposures.until.getTime() - range.exposures.from.getTime()) / 86_400_000)
  const asked = { ...asExperiment(query, [metric, anyTime]), lookbackDays: Math.max(1, days) }
  return sql`
    select
      countIf(${inWindow} <= 0 and ${after} > 0) as outside,
      countIf(${inWindow} <= 0 and ${after} <= 0 and ${before} > 0) as before
    from (${unitValues(asked, scope, range)})`
}
