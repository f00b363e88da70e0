import type { ExperimentAnswer, ExperimentCell, MetricMoments } from '#insights/kinds/experiment/answer'
import type { Filter } from '#filters/filter'
import type { Calendar } from '#insights/calendar/period'
import type {
  ExperimentQuery,
  MeasuredMetric,
  MetricAmount,
  ValueBound,
} from '#insights/kinds/experiment/schema'
import type { EventMatcher } from '#insights/query-fields'
import { momentsOf } from '#statistics/moments'
import { type TestEvent, timeOf } from '../product/test-engine'

const dayMs = 86_400_000
const hourMs = 3_600_000

interface ExposedUnit {
  unit: string
  variant: string
  at: number
  /** The first report, from which on the exposure is known. */
  reportedAt: number
  segment: string
}

/**
 * Experiments without SQL: each unit is followed from its first exposure on. Quantiles, and filters other than a
 * decomposition’s, are not covered.
 */
export function expectedExperiment(
  query: ExperimentQuery,
  events: readonly TestEvent[],
  calendar: Calendar,
): Pick<ExperimentAnswer, 'cells' | 'exposed'> {
  const from = Date.parse(query.phases[0] ?? '')
  const until = query.until === undefined ? calendar.now.getTime() : Date.parse(query.until)
  const human = events.filter(({ columns }) => (columns?.traffic ?? 'human') === 'human')
  const during = human.filter((event) => isBetween(event, from, until))
  const reports = during.filter((event) => isExposure(query, event) && unitIn(query, event) !== '')
  const units = exposedUnits(query, reports)
  const readable = human.filter((event) => isBetween(event, from - query.lookbackDays * dayMs, until))
  const atTheEnd = valuesKnownAt(query, { units, readable, known: until })
  const limited = query.metrics.map((metric, m) =>
    limitsOf(
      metric,
      atTheEnd.flatMap(({ metrics }) =>
        metrics[m]?.isCounted ? [numbersOf(metric, metrics[m].values)] : [],
      ),
    ),
  )
  const cells = query.course
    ? endsOfDays(from, until).flatMap((known) =>
        cellsOf(query, valuesKnownAt(query, { units, readable, known }), limited).map((cell) => ({
          ...cell,
          day: new Date(known - 1).toISOString().slice(0, 10),
        })),
      )
    : cellsOf(query, atTheEnd, limited)
  return { cells, exposed: exposureSets(query, reports) }
}

/** The ends of the days in UTC, of which the last is the end. */
function endsOfDays(from: number, until: number): number[] {
  const first = Math.floor(from / dayMs) + 1
  const ends = Array.from({ length: 400 }, (_, i) => (first + i) * dayMs).filter((end) => end < until)
  return [...ends, until]
}

type UnitValues = ReturnType<typeof valuesKnownAt>

function valuesKnownAt(
  query: ExperimentQuery,
  {
    units,
    readable,
    known,
  }: { units: readonly ExposedUnit[]; readable: readonly TestEvent[]; known: number },
) {
  return units
    .filter(({ reportedAt }) => reportedAt < known)
    .map((one) => ({
      ...one,
      phase: query.phases.slice(1).filter((start) => one.at >= Date.parse(start)).length,
      metrics: query.metrics.map((metric) => {
        const own = readable.filter(
          (event) => unitIn(query, event) === one.unit && timeOf(event).getTime() < known,
        )
        const before = own.filter((event) => isBetween(event, one.at - query.lookbackDays * dayMs, one.at))
        const hasBefore = query.lookbackDays > 0 && metric.type !== 'funnel'
        return {
          values: valuesOf(
            metric,
            own.filter((event) => isInWindow(metric, event, one.at)),
          ),
          before: hasBefore ? valuesOf(metric, before) : [],
          isCounted: !metric.onlyComplete || one.at + windowEnd(metric) <= known,
        }
      }),
    }))
}

function cellsOf(query: ExperimentQuery, values: UnitValues, limited: readonly Limits[][]): ExperimentCell[] {
  const keys = [
    ...new Set(values.map(({ variant, phase, segment }) => JSON.stringify([variant, phase, segment]))),
  ]
  return keys.map((key): ExperimentCell => {
    const members = values.filter((one) => JSON.stringify([one.variant, one.phase, one.segment]) === key)
    const [first] = members
    return {
      variant: first?.variant ?? '',
      phase: first?.phase ?? 0,
      segment: first?.segment ?? '',
      day: '',
      units: members.length,
      metrics: query.metrics.map((metric, m): MetricMoments => {
        const rows = members.flatMap(({ metrics }) => {
          const one = metrics[m]
          if (!one?.isCounted) return []
          return [[one.values, one.before].flatMap((row) => boundedRow(metric, row, limited[m]))]
        })
        const { n, means, deviations } = momentsOf(rows)
        const width = (rows[0] ?? emptyRow(metric, query)).length
        return rows.length > 0
          ? { n, means: [...means], deviations: deviations.map((row) => [...row]) }
          : { n: 0, means: zeros(width), deviations: zeros(width).map(() => zeros(width)) }
      }),
    }
  })
}

const zeros = (width: number): number[] => Array.from({ length: width }, () => 0)

const emptyRow = (metric: MeasuredMetric, { lookbackDays }: ExperimentQuery): number[] => {
  const own = valuesOf(metric, [])
  return lookbackDays > 0 && metric.type !== 'funnel' ? [...own, ...own] : own
}

export const isBetween = (event: TestEvent, from: number, until: number): boolean =>
  timeOf(event).getTime() >= from && timeOf(event).getTime() < until

export function isExposure(
  { exposure, flag }: ExperimentQuery,
  { event, properties = {} }: TestEvent,
): boolean {
  if (exposure.by === 'event') return event === exposure.event
  const name = exposure.by === 'flag' ? '$feature_flag_called' : '$feature_flag_seen'
  return event === name && properties['$feature_flag'] === flag
}

export const variantIn = ({ exposure }: ExperimentQuery, { properties = {} }: TestEvent): string =>
  properties[exposure.by === 'event' ? exposure.property : '$feature_flag_response'] ?? ''

export function unitIn(
  { unit }: ExperimentQuery,
  { person, session, properties = {}, groups = {} }: TestEvent,
): string {
  if (unit.by === 'person') return person
  if (unit.by === 'session') return session ?? ''
  return unit.by === 'device' ? (properties['$device_id'] ?? '') : (groups[unit.group] ?? '')
}

export const isPreview = ({ properties = {} }: TestEvent): boolean =>
  '$override_feature_flags' in properties ||
  '$feature_flag_original_response' in properties ||
  (properties['$current_url'] ?? '').includes('__experiment_variant=')

/** The time of the evaluation, where an SDK said it within the hour before. */
export function exposureTime(event: TestEvent): number {
  const sent = timeOf(event).getTime()
  const evaluated = Number(event.properties?.['$feature_flag_evaluated_at'] ?? 0)
  return evaluated <= sent && evaluated > sent - hourMs ? evaluated : sent
}

function exposedUnits(query: ExperimentQuery, reports: readonly TestEvent[]): ExposedUnit[] {
  const counted = reports.filter(
    (event) => !isPreview(event) && query.variants.includes(variantIn(query, event)),
  )
  return [...new Set(counted.map((event) => unitIn(query, event)))].flatMap((unit) => {
    const own = counted
      .filter((event) => unitIn(query, event) === unit)
      .toSorted(
        (one, other) =>
          exposureTime(one) - exposureTime(other) ||
          (variantIn(query, one) < variantIn(query, other) ? -1 : 1),
      )
    const seen = new Set(own.map((event) => variantIn(query, event)))
    const [first] = own
    if (!first || (seen.size > 1 && query.severalVariants === 'exclude')) return []
    const segment = query.segment ? (first.properties?.[query.segment.key] ?? '') : ''
    const reportedAt = Math.min(...own.map((event) => timeOf(event).getTime()))
    return [{ unit, variant: variantIn(query, first), at: exposureTime(first), reportedAt, segment }]
  })
}

function exposureSets(query: ExperimentQuery, reports: readonly TestEvent[]): ExperimentAnswer['exposed'] {
  const units = new Map<string, Set<string>>()
  for (const event of reports) {
    const variant = variantIn(query, event)
    const given = isPreview(event) ? '(preview)' : query.variants.includes(variant) ? variant : ''
    const seen = units.get(unitIn(query, event)) ?? new Set()
    units.set(unitIn(query, event), seen.add(given))
  }
  const counts = new Map<string, number>()
  for (const seen of units.values()) {
    const key = JSON.stringify([...seen].toSorted())
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, count]) => ({
    seen: (JSON.parse(key) as unknown[]).map(String),
    units: count,
  }))
}

const windowEnd = ({ delayHours, windowHours = 0 }: MeasuredMetric): number =>
  (delayHours + windowHours) * hourMs

export function isInWindow(metric: MeasuredMetric, event: TestEvent, exposedAt: number): boolean {
  const { delayHours, windowHours } = metric
  const from = exposedAt + delayHours * hourMs
  return isBetween(event, from, windowHours === undefined ? Infinity : from + windowHours * hourMs)
}

export function valuesOf(metric: MeasuredMetric, events: readonly TestEvent[]): number[] {
  if (metric.type === 'conversion') return [events.some((one) => isWanted(one, metric.happening)) ? 1 : 0]
  if (metric.type === 'total') return [totalOf(metric.amount, events)]
  if (metric.type === 'ratio') return [totalOf(metric.numerator, events), totalOf(metric.denominator, events)]
  if (metric.type === 'funnel') return stepsReached(metric.steps, events)
  if (metric.type === 'quantile') return []
  const numbers = events
    .filter((one) => isWanted(one, metric.happening))
    .flatMap((one) => numbersIn(one, metric.property))
  if (metric.of === 'mean') return [sumOf(numbers), numbers.length]
  if (numbers.length === 0) return [0, 0]
  return [metric.of === 'min' ? Math.min(...numbers) : Math.max(...numbers), 1]
}

const isWanted = ({ event, properties = {} }: TestEvent, wanted: EventMatcher): boolean =>
  (wanted.event === null || event === wanted.event) && (!wanted.filter || holds(wanted.filter, properties))

/** The filters that a decomposition puts on events. */
function holds(filter: Filter, properties: Record<string, string>): boolean {
  if ('all' in filter) return filter.all.every((one) => holds(one, properties))
  if ('any' in filter || filter.type !== 'event') throw new Error('This filter has no evaluator here.')
  const value = properties[filter.key]
  const texts = [filter.value].flat().map(String)
  if (filter.operator === 'is_set') return value !== undefined
  if (filter.operator === 'is_not_set') return value === undefined
  if (filter.operator === 'exact') return value !== undefined && texts.includes(value)
  if (filter.operator === 'is_not') return value === undefined || !texts.includes(value)
  throw new Error(`The operator ${filter.operator} has no evaluator here.`)
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

function numbersIn({ properties = {} }: TestEvent, key: string): number[] {
  const text = properties[key] ?? ''
  return /^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : []
}

function totalOf({ happening, property }: MetricAmount, events: readonly TestEvent[]): number {
  const matching = events.filter((one) => isWanted(one, happening))
  return property === undefined ? matching.length : sumOf(matching.flatMap((one) => numbersIn(one, property)))
}

/** The number of steps that can be found one after the other, from any first step on. */
function stepsReached(steps: readonly EventMatcher[], events: readonly TestEvent[]): number[] {
  const sorted = events.toSorted((one, other) => timeOf(one).getTime() - timeOf(other).getTime())
  let reached = 0
  for (const event of sorted) {
    const wanted = steps[reached]
    if (wanted !== undefined && isWanted(event, wanted)) reached += 1
  }
  return steps.map((_, i) => (reached > i ? 1 : 0))
}

type Limits = { low: number | undefined; high: number | undefined }

function limitsOf(metric: MeasuredMetric, rows: readonly number[][]): Limits[] {
  const sides = metric.type === 'ratio' ? [metric.numerator, metric.denominator] : [metric]
  return sides.map((side, i) => {
    const bounds: { atLeast?: ValueBound | undefined; atMost?: ValueBound | undefined } =
      'atMost' in side || 'atLeast' in side ? side : {}
    const of = (bound: ValueBound | undefined) =>
      bound &&
      ('value' in bound
        ? bound.value
        : percentileOf(
            rows.flatMap((row) => row[i] ?? []),
            bound.percentile,
          ))
    return { low: of(bounds.atLeast), high: of(bounds.atMost) }
  })
}

/** The numbers of a unit that bounds are about; none of a unit without a value. */
function numbersOf({ type }: MeasuredMetric, row: readonly number[]): number[] {
  const [amount = 0, count = 0] = row
  if (type !== 'value') return [...row]
  return count > 0 ? [amount / count] : []
}

function boundedRow(metric: MeasuredMetric, row: readonly number[], limits: readonly Limits[] | undefined) {
  if (metric.type !== 'value') return row.map((value, i) => clamped(value, limits?.[i]))
  const [, count = 0] = row
  const [mean] = numbersOf(metric, row)
  return row.length === 0 ? [] : [mean === undefined ? 0 : clamped(mean, limits?.[0]) * count, count]
}

/** Linear between the two values around the rank. */
function percentileOf(values: readonly number[], percentile: number): number {
  if (values.length === 0) return 0
  const sorted = values.toSorted((one, other) => one - other)
  const rank = (percentile / 100) * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0]
  return low + (high - low) * (rank - Math.floor(rank))
}

function clamped(value: number, limits: Limits | undefined): number {
  const low = limits?.low === undefined ? value : Math.max(value, limits.low)
  return limits?.high === undefined ? low : Math.min(low, limits.high)
}
