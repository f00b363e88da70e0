import type { Outcome } from '#projects/problems'
import type { ExperimentAnswer, ExperimentCell, MetricMoments, QuantileMoments } from './answer'
import { type AnswerTable, defineKind } from '#insights/kind'
import { bucketsOf, type Period } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import {
  boundsOf,
  type ExperimentRange,
  type ExposureSetRow,
  exposureSets,
  hasBefore,
  type MetricLimits,
  percentilesOf,
  pooledPercentiles,
  unitMoments,
  type UnitsRow,
  widthOf,
} from './query'
import { type QuantileRow, quantileRows } from './internal/quantile-rows'
import { experimentQuery, type ExperimentQuery, type ValueBound } from './schema'

export const experimentKind = defineKind<ExperimentQuery, ExperimentAnswer>({
  about:
    'The exposed units of each variant of a flag, and the moments of metrics after the exposure; the API of experiments fills it in.',
  query: experimentQuery,
  answer,
  table,
})

async function answer(
  query: ExperimentQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: ExperimentAnswer }>> {
  const range = rangeOf(query, scope)
  const limits = await limitsOf(query, scope, range)
  const [rows, sets, quantiles] = await Promise.all([
    scope.run<UnitsRow>(unitMoments(query, scope, range, limits)),
    query.history ? [] : scope.run<ExposureSetRow>(exposureSets(query, scope, range)),
    quantilesOf(query, scope, range),
  ])
  return {
    done: true,
    answer: {
      cells: rows.map((row) => cellOf(row, query, quantiles)),
      exposed: sets.map(({ seen, units }) => ({ seen, units })),
      limits: limits.map((each) => each.map(({ low, high }) => ({ low: low ?? null, high: high ?? null }))),
    },
  }
}

const dayMs = 86_400_000

/** Exposures lie between the first phase and the end; events also before it, where behaviour before counts. */
export function rangeOf(
  {
    phases,
    until,
    lookbackDays,
    course,
  }: Pick<ExperimentQuery, 'phases' | 'until' | 'lookbackDays' | 'course'>,
  scope: QueryScope,
): ExperimentRange {
  const from = new Date(phases[0] ?? scope.calendar.now)
  const end = until === undefined ? scope.calendar.now : new Date(until)
  return {
    exposures: { from, until: end },
    events: { from: new Date(from.getTime() - lookbackDays * dayMs), until: end },
    knownAt: course ? endsOfDays({ from, until: end }, scope) : [],
  }
}

const mostTimes = 60

/** The ends of the days of a period; of a long one every second, third and so on, and always the last. */
function endsOfDays({ from, until }: Period, { calendar }: QueryScope): Date[] {
  const starts = bucketsOf({ from, until }, 'day', calendar)?.starts ?? []
  const ends = [...starts.filter((start) => start > from), until]
  const step = Math.ceil(ends.length / mostTimes)
  return ends.filter((_, i) => (ends.length - 1 - i) % step === 0)
}

/** Percentiles are of the units of all variants together, as they are at the end: a bound of its own for each would hide an effect. */
export async function limitsOf(
  query: ExperimentQuery,
  scope: QueryScope,
  range: ExperimentRange,
): Promise<MetricLimits[]> {
  const asked = percentilesOf(query)
  const [row] =
    asked.length === 0
      ? []
      : await scope.run<{ percentiles: number[] }>(pooledPercentiles(query, scope, { ...range, knownAt: [] }))
  const limitOf = (bound: ValueBound | undefined, metric: number, value: number, side: 'low' | 'high') => {
    if (!bound || 'value' in bound) return bound?.value
    const place = asked.findIndex((one) => one.metric === metric && one.value === value && one.side === side)
    return row?.percentiles[place]
  }
  return query.metrics.map((metric, m) =>
    boundsOf(metric).map(({ low, high }, value) => ({
      low: limitOf(low, m, value, 'low'),
      high: limitOf(high, m, value, 'high'),
    })),
  )
}

/** The rows of each metric that is a quantile, by the metric's index. */
async function quantilesOf(
  query: ExperimentQuery,
  scope: QueryScope,
  range: ExperimentRange,
): Promise<Map<number, QuantileRow[]>> {
  const found = new Map<number, QuantileRow[]>()
  for (const [m, metric] of query.metrics.entries())
    if (metric.type === 'quantile')
      found.set(m, await scope.run<QuantileRow>(quantileRows(metric, query, scope, range)))
  return found
}

function cellOf(
  { variant, phase, segment, day, units, versioned, moments }: UnitsRow,
  query: ExperimentQuery,
  quantiles: ReadonlyMap<number, readonly QuantileRow[]>,
): ExperimentCell {
  const isHere = (row: QuantileRow) =>
    row.variant === variant && row.phase === phase && row.segment === segment && row.day === day
  return {
    variant,
    phase,
    segment,
    day,
    units,
    ...(query.versions && { versioned }),
    metrics: query.metrics.map((metric, m): MetricMoments | QuantileMoments => {
      const of = quantiles.get(m)
      if (of) return quantileMoments(of.find(isHere))
      const width = widthOf(metric)
      return readMoments(moments[m] ?? [], hasBefore(metric, query) ? 2 * width : width)
    }),
  }
}

function quantileMoments(row: QuantileRow | undefined): QuantileMoments {
  const [events = 0, units = 0, value = 0, low = 0, high = 0] = row?.numbers ?? []
  return { events, units, value, low, high }
}

/** The list of `momentsOf`, as moments. */
function readMoments(numbers: readonly number[], width: number): MetricMoments {
  const [n = 0] = numbers
  const triangle = numbers.slice(1 + width)
  const at = (i: number, j: number): number => {
    const [low, high] = i < j ? [i, j] : [j, i]
    return triangle[low * width - (low * (low - 1)) / 2 + (high - low)] ?? 0
  }
  const indexes = Array.from({ length: width }, (_, i) => i)
  return {
    n,
    means: numbers.slice(1, 1 + width),
    deviations: indexes.map((i) => indexes.map((j) => n * at(i, j))),
  }
}

function table({ cells }: ExperimentAnswer): AnswerTable {
  const metrics = Math.max(0, ...cells.map((cell) => cell.metrics.length))
  return {
    columns: [
      { name: 'Variant', as: 'text' },
      { name: 'Phase', as: 'number' },
      { name: 'Segment', as: 'text' },
      { name: 'Day', as: 'text' },
      { name: 'Units', as: 'number' },
      ...Array.from({ length: metrics }, (_, i) => ({ name: `Metric ${i + 1}`, as: 'number' as const })),
    ],
    rows: cells.map(({ variant, phase, segment, day, units, metrics: values }) => [
      variant,
      phase + 1,
      segment,
      day,
      units,
      ...values.map((metric) => ('value' in metric ? metric.value : valueIn(metric))),
    ]),
  }
}

/** The mean of the first value, which is the numerator of a ratio and the first step of a funnel. */
const valueIn = ({ means }: MetricMoments): number | null => means.at(0) ?? null
