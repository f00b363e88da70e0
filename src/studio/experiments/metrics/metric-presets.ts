import type { Experiment } from '#experiments/experiment'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { EventMatcher } from '#insights/query-fields'

type ExperimentMetric = Experiment['metrics'][number]

/** A kind of metric as the editor offers it, with what it begins with. */
interface MetricPreset {
  label: string
  hint: string
  goal: ExperimentMetric['goal']
  measured: () => MeasuredMetric
  /** Whether the editor shows such a metric as this kind; the first that fits is used. */
  fits: (measured: MeasuredMetric) => boolean
}

/** An event that is not chosen yet. */
export const noEvent: EventMatcher = { event: '' }
const always = { delayHours: 0, onlyComplete: false }
const vitals = '$web_vitals'
const surveySent = 'survey sent'

export const vitalProperties = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'].map((name) => `$web_vitals_${name}_value`)

export const metricPresets = {
  conversion: {
    label: 'Conversion',
    hint: 'The share of people who did something',
    goal: 'increase',
    measured: () => ({ type: 'conversion', happening: noEvent, ...always }),
    fits: (measured) => measured.type === 'conversion' && !(measured.delayHours > 0 && measured.windowHours),
  },
  count: {
    label: 'Count',
    hint: 'How often each person did something',
    goal: 'increase',
    measured: () => ({ type: 'total', amount: { happening: noEvent }, ...always }),
    fits: (measured) => measured.type === 'total' && measured.amount.property === undefined,
  },
  revenue: {
    label: 'Revenue',
    hint: 'What each person brought, values above the 99th percentile bounded',
    goal: 'increase',
    measured: () => ({
      type: 'total',
      amount: { happening: { event: null }, property: '$revenue' },
      atMost: { percentile: 99 },
      ...always,
    }),
    fits: (measured) => measured.type === 'total' && measured.amount.property === '$revenue',
  },
  sum: {
    label: 'Sum of a property',
    hint: 'The sum of a property for each person',
    goal: 'increase',
    measured: () => ({ type: 'total', amount: { happening: noEvent, property: '' }, ...always }),
    fits: (measured) => measured.type === 'total',
  },
  survey: {
    label: 'Survey answer',
    hint: 'The mean rating of people who answered',
    goal: 'increase',
    measured: () => ({
      type: 'value',
      of: 'mean',
      happening: { event: surveySent },
      property: '',
      ...always,
    }),
    fits: (measured) => measured.type === 'value' && measured.happening.event === surveySent,
  },
  average: {
    label: 'Average of a property',
    hint: 'The mean, smallest or largest value, of people who have one',
    goal: 'increase',
    measured: () => ({ type: 'value', of: 'mean', happening: noEvent, property: '', ...always }),
    fits: (measured) => measured.type === 'value',
  },
  ratio: {
    label: 'Ratio',
    hint: 'One total divided by another, as revenue per order',
    goal: 'increase',
    measured: () => ({
      type: 'ratio',
      numerator: { happening: noEvent },
      denominator: { happening: noEvent },
      ...always,
    }),
    fits: (measured) => measured.type === 'ratio',
  },
  funnel: {
    label: 'Funnel',
    hint: 'The share of people who went through steps in their order',
    goal: 'increase',
    measured: () => ({ type: 'funnel', steps: [noEvent, noEvent], ...always }),
    fits: (measured) => measured.type === 'funnel',
  },
  retention: {
    label: 'Retention',
    hint: 'The share of people who came back in the second week',
    goal: 'increase',
    measured: () => ({
      type: 'conversion',
      happening: { event: '$pageview' },
      delayHours: 7 * 24,
      windowHours: 7 * 24,
      onlyComplete: true,
    }),
    fits: (measured) => measured.type === 'conversion',
  },
  vital: {
    label: 'Web vital',
    hint: 'How fast pages are: the 75th percentile of page views',
    goal: 'decrease',
    measured: () => ({
      type: 'quantile',
      happening: { event: vitals },
      property: '$web_vitals_LCP_value',
      level: 0.75,
      ...always,
    }),
    fits: (measured) => measured.type === 'quantile' && measured.happening.event === vitals,
  },
  quantile: {
    label: 'Percentile of a property',
    hint: 'A percentile over all events of the variant',
    goal: 'increase',
    measured: () => ({ type: 'quantile', happening: noEvent, property: '', level: 0.9, ...always }),
    fits: (measured) => measured.type === 'quantile',
  },
} as const satisfies Record<string, MetricPreset>

export type MetricPresetName = keyof typeof metricPresets

// the keys of the table above
export const presetNames = Object.keys(metricPresets) as MetricPresetName[]

export const presetOf = (measured: MeasuredMetric): MetricPresetName =>
  presetNames.find((name) => metricPresets[name].fits(measured)) ?? 'conversion'

export const newMetric = (id: string, role: ExperimentMetric['role']): ExperimentMetric => ({
  id,
  name: '',
  role,
  goal: 'increase',
  margin: 5,
  measured: metricPresets.conversion.measured(),
})

/** An id that no other metric of the experiment has. */
export function freeMetricId(metrics: readonly ExperimentMetric[]): string {
  const taken = new Set(metrics.map(({ id }) => id))
  let number = metrics.length + 1
  while (taken.has(`metric-${number}`)) number += 1
  return `metric-${number}`
}

/** The events of a metric. */
function matchersOf(measured: MeasuredMetric): readonly EventMatcher[] {
  if (measured.type === 'funnel') return measured.steps
  if (measured.type === 'ratio') return [measured.numerator.happening, measured.denominator.happening]
  return [measured.type === 'total' ? measured.amount.happening : measured.happening]
}

/** Why the metric cannot be added yet; undefined if it is complete. */
export function whyIncomplete({ name, measured }: ExperimentMetric): string | undefined {
  if (matchersOf(measured).some(({ event }) => event === '')) return 'Choose an event.'
  const properties =
    measured.type === 'ratio'
      ? [measured.numerator.property, measured.denominator.property]
      : [
          measured.type === 'total'
            ? measured.amount.property
            : 'property' in measured
              ? measured.property
              : undefined,
        ]
  if (properties.includes('')) return 'Choose a property.'
  return name.trim() === '' ? 'Name the metric.' : undefined
}
