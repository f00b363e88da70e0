import { dateTime, identifier, type Sql, sql, string, strings, uint } from '#engine/sql'
import { type ExposureDimension, exposureDimensions } from '#insights/compile/experiment-answer'
import { Events } from '#insights/compile/internal/events'
import { exposure as exposureEvent } from '#insights/compile/exposure'
import type { QueryScope } from '#insights/scope'
import { exposureSource, isOfExperiment, isOfFlag } from '../../experiment/exposure-source'
import {
  evaluatedAt,
  type ExperimentRange,
  isPreview,
  isUnit,
  nameOf,
  phaseAt,
  unitOf,
  unitValues,
  widthOf,
} from '../../experiment/internal/query'
import type { ExperimentQuery, MeasuredMetric } from '../../experiment/schema'
import type { ExposureForensicsQuery, ExposurePoint } from '../schema'

const mostCells = 50_000

/** The number of units for each dimension, value, variant, phase and state. */
export function exposureCells(query: ExposureForensicsQuery, scope: QueryScope, range: ExperimentRange): Sql {
  const pairs = exposureDimensions.map((one) => sql`(${string(one)}, ${dimensionText(one)})`)
  return sql`
    select
      pair.1 as dimension, pair.2 as value, variant, phase, state,
      count() as units,
      countIf(is_served) as served,
      countIf(is_viewed) as viewed,
      countIf(is_converted) as converted
    from (${exposedUnits(query, scope, range)})
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
  return sql`
    select seen, cause, count() as units
    from (${exposedUnits({ ...query, metric: undefined }, scope, range)})
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
  if (dimension === 'ids') return sql`if(ids > 1, 'several', 'one')`
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

/** Every unit with a report of the flag, one row each, and what became of it. */
function exposedUnits(query: ExposureForensicsQuery, scope: QueryScope, range: ExperimentRange): Sql {
  const { variants, phases, metric } = query
  const known = strings(variants)
  const names = Object.keys(eventTexts)
  const texts = names.map((name) => {
    const column = identifier(`unit_${name}`, [`unit_${name}`])
    return sql`argMin(${column}, (not is_counted, at, given)) as ${identifier(name, names)}`
  })
  const converted = metric && metric.type !== 'quantile' && convertedUnits(query, metric, { scope, range })
  const isConverted = converted ? sql`unit in (${converted})` : sql`false`
  return sql`
    select
      unit,
      groupUniqArray(person) as persons,
      arraySort(groupUniqArrayIf(given, is_counted)) as seen,
      argMin(given, (not is_counted, not (given in ${known}), at, given)) as first_given,
      if(first_given in ${known}, first_given, '') as variant,
      min(if(is_counted, at, ${dateTime(lastInstant)})) as first_counted,
      if(first_counted = ${dateTime(lastInstant)}, min(at), first_counted) as exposed_at,
      ${stateOf(query)} as state,
      ${phaseAt(phases)} as phase,
      toString(toDate(exposed_at, ${string(scope.calendar.timeZone)})) as day,
      uniqExactIf(distinct_id, is_counted) as ids,
      countIf(serves and given in ${known}) > 0 as is_served,
      countIf(views and given in ${known}) > 0 as is_viewed,
      ${causeOf} as cause,
      ${isConverted} as is_converted,
      ${sql.join(texts)}
    from (${reports(query, scope, range)})
    where ${isUnit(query, sql`unit`)}
    group by unit`
}

const lastInstant = new Date('2105-01-01T00:00:00Z')

/** The first condition that left a unit without a counted exposure. */
const stateOf = ({ severalVariants: rule }: ExposureForensicsQuery): Sql => sql`
  multiIf(
    length(seen) = 1 or (length(seen) > 1 and ${rule === 'first' ? sql`true` : sql`false`}), 'counted',
    length(seen) > 1, 'several',
    countIf(is_exposing) = 0, 'not-exposed',
    countIf(is_exposing and not is_robot) = 0, 'robot',
    countIf(is_exposing and not is_robot and not is_preview) = 0, 'preview',
    countIf(is_exposing and not is_robot and not is_preview and is_entering) = 0, 'entry',
    'other')`

/** A cause is likely if each id, phase or device of the unit saw one variant only. */
const causeOf = sql`
  multiIf(
    countIf(is_exposing and is_preview) > 0, 'override',
    ids > 1 and uniqExactIf((distinct_id, given), is_counted) = ids, 'merge',
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
      ${isEntering} as is_entering,
      is_exposing and not is_robot and not is_preview and is_entering and given in ${strings(query.variants)} as is_counted,
      ${sql.join(texts)}
    from ${events.rows()} as events
    where is_exposing or serves or views`
}

/** The question whose units are those with values of some metrics. */
const asExperiment = (
  { kind: _, metric: _metric, ...question }: ExposureForensicsQuery,
  metrics: readonly MeasuredMetric[],
): ExperimentQuery => ({
  ...question,
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
