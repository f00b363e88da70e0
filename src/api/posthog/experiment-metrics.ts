import { z } from 'zod'
import { failedOutcome, type Outcome } from '#projects/problems'

/** The context of translating a metric: `filterOf` makes a filter of PostHog's property filters. */
export interface MetricContext {
  groupTypes: Readonly<Record<string, string>>
  filterOf: (given: unknown) => Outcome<{ filter: object | undefined }>
}

type MetricOutcome = Outcome<{ metric: object }>
type MeasuredOutcome = Outcome<{ measured: object }>

const node = z.looseObject({
  kind: z.string(),
  event: z.string().nullish(),
  custom_name: z.string().nullish(),
  math: z.string().nullish(),
  math_property: z.string().nullish(),
  properties: z.unknown().optional(),
})
type Node = z.infer<typeof node>

const metric = z.looseObject({
  kind: z.string(),
  metric_type: z.string().nullish(),
  uuid: z.string().nullish(),
  name: z.string().nullish(),
  goal: z.string().nullish(),
  source: z.unknown().optional(),
  series: z.array(z.unknown()).nullish(),
  numerator: z.unknown().optional(),
  denominator: z.unknown().optional(),
  conversion_window: z.number().nullish(),
  conversion_window_unit: z.string().nullish(),
  lower_bound_percentile: z.number().nullish(),
  upper_bound_percentile: z.number().nullish(),
  funnel_order_type: z.string().nullish(),
  count_query: z.looseObject({ series: z.array(z.unknown()).nullish() }).nullish(),
  funnels_query: z.looseObject({ series: z.array(z.unknown()).nullish() }).nullish(),
})
type Metric = z.infer<typeof metric>

/** Translates a metric of an experiment, in PostHog's present form or in its earlier one of two kinds of queries. */
export function metricFrom(given: unknown, context: MetricContext, otherName: string): MetricOutcome {
  const read = metric.safeParse(given)
  if (!read.success) return failedOutcome('It is in a form that is unknown here.')
  const measured = measuredFrom(read.data, context)
  if (!measured.done) return measured
  const window = windowOf(read.data)
  if (!window.done) return window
  return {
    done: true,
    metric: {
      ...(isId(read.data.uuid) && { id: read.data.uuid }),
      name: (read.data.name || nameOf(read.data) || otherName).slice(0, 200),
      goal: read.data.goal === 'decrease' ? 'decrease' : 'increase',
      measured: { ...measured.measured, ...(window.hours !== undefined && { windowHours: window.hours }) },
    },
  }
}

/** Whether it can be the id of a metric here. */
const isId = (text: string | null | undefined): text is string => /^[a-z0-9-]{1,40}$/.test(text ?? '')

function nameOf({ source, series, count_query, funnels_query }: Metric): string | undefined {
  const first = [source, series?.at(-1), count_query?.series?.[0], funnels_query?.series?.at(-1)].find(
    Boolean,
  )
  const read = node.safeParse(first)
  return read.success ? (read.data.custom_name ?? read.data.event ?? undefined) : undefined
}

function measuredFrom(given: Metric, context: MetricContext): MeasuredOutcome {
  if (given.kind === 'ExperimentTrendsQuery') return totalFrom(given.count_query?.series?.[0], given, context)
  if (given.kind === 'ExperimentFunnelsQuery') return funnelFrom(given.funnels_query?.series ?? [], context)
  const translate = measures[given.metric_type ?? '']
  return translate
    ? translate(given, context)
    : failedOutcome(`Tilth has no metric of the type “${given.metric_type ?? given.kind}”.`)
}

type Measure = (given: Metric, context: MetricContext) => MeasuredOutcome

const measures: Readonly<Record<string, Measure | undefined>> = {
  mean: (given, context) => totalFrom(given.source, given, context),
  funnel: (given, context) =>
    given.funnel_order_type === 'unordered'
      ? failedOutcome('The steps of a metric have an order here.')
      : funnelFrom(given.series ?? [], context),
  ratio: (given, context) => {
    const numerator = amountFrom(given.numerator, context)
    if (!numerator.done) return numerator
    const denominator = amountFrom(given.denominator, context)
    if (!denominator.done) return denominator
    return {
      done: true,
      measured: { type: 'ratio', numerator: numerator.amount, denominator: denominator.amount },
    }
  },
}

function totalFrom(source: unknown, given: Metric, context: MetricContext): MeasuredOutcome {
  const amount = amountFrom(source, context)
  if (!amount.done) return amount
  const { lower_bound_percentile: lower, upper_bound_percentile: upper } = given
  return {
    done: true,
    measured: {
      type: 'total',
      amount: amount.amount,
      ...(lower && lower > 0 && { atLeast: { percentile: lower * 100 } }),
      ...(upper && upper < 1 && { atMost: { percentile: upper * 100 } }),
    },
  }
}

/** Translates a funnel. With one step after the exposure it is a conversion. */
function funnelFrom(series: readonly unknown[], context: MetricContext): MeasuredOutcome {
  const steps: object[] = []
  for (const one of series) {
    const read = nodeFrom(one, context)
    if (!read.done) return read
    steps.push(read.happening)
  }
  const [first] = steps
  if (!first) return failedOutcome('It has no event.')
  return {
    done: true,
    measured: steps.length === 1 ? { type: 'conversion', happening: first } : { type: 'funnel', steps },
  }
}

/** Translates a number of events, or the sum of a property. */
function amountFrom(given: unknown, context: MetricContext): Outcome<{ amount: object }> {
  const read = nodeFrom(given, context)
  if (!read.done) return read
  const { math, math_property: property } = read.node
  if (math === null || math === undefined || math === 'total')
    return { done: true, amount: { happening: read.happening } }
  if (math === 'sum' && property) return { done: true, amount: { happening: read.happening, property } }
  return failedOutcome(`It is measured by “${math}”, and a metric here by a count or a sum.`)
}

function nodeFrom(given: unknown, { filterOf }: MetricContext): Outcome<{ node: Node; happening: object }> {
  const read = node.safeParse(given)
  if (!read.success) return failedOutcome('It has no event.')
  if (read.data.kind !== 'EventsNode')
    return failedOutcome(
      read.data.kind === 'ActionsNode'
        ? 'It is of an action. Describe the action by its event.'
        : `It is of a ${read.data.kind}, which Tilth does not have.`,
    )
  const filtered = filterOf(read.data.properties)
  if (!filtered.done) return filtered
  return {
    done: true,
    node: read.data,
    happening: { event: read.data.event ?? null, ...(filtered.filter && { filter: filtered.filter }) },
  }
}

const hoursIn: Readonly<Record<string, number | undefined>> = {
  second: 1 / 3600,
  minute: 1 / 60,
  hour: 1,
  day: 24,
  week: 168,
  month: 720,
}

function windowOf({
  conversion_window: amount,
  conversion_window_unit: unit,
}: Metric): Outcome<{ hours: number | undefined }> {
  if (!amount) return { done: true, hours: undefined }
  const hours = hoursIn[unit ?? 'hour']
  return hours === undefined
    ? failedOutcome(`Its window is in the unit “${unit}”, which is unknown here.`)
    : { done: true, hours: amount * hours }
}
