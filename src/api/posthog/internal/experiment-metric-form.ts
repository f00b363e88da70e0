import type { ExperimentMetric } from '#experiments/experiment'
import type { Filter } from '#filters/filter'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'

type Matcher = { event: string | null; label?: string | undefined; filter?: Filter | undefined }

/** A metric in PostHog's form. Its id here is the `uuid` there, by which an ExperimentQuery names it. */
export const metricToPosthog = ({ id, name, goal, measured }: ExperimentMetric) => ({
  kind: 'ExperimentMetric',
  uuid: id,
  name,
  goal,
  ...measureOf(measured),
  ...(measured.windowHours !== undefined && {
    conversion_window: measured.windowHours,
    conversion_window_unit: 'hour',
  }),
})

function measureOf(measured: MeasuredMetric): object {
  switch (measured.type) {
    case 'conversion':
      return { metric_type: 'funnel', series: [nodeOf(measured.happening)] }
    case 'funnel':
      return { metric_type: 'funnel', series: measured.steps.map((step) => nodeOf(step)) }
    case 'ratio':
      return {
        metric_type: 'ratio',
        numerator: amountOf(measured.numerator),
        denominator: amountOf(measured.denominator),
      }
    case 'total':
      return { metric_type: 'mean', source: amountOf(measured.amount), ...percentilesOf(measured) }
    case 'value':
      return {
        metric_type: 'mean',
        source: nodeOf(measured.happening, maths[measured.of], measured.property),
      }
    default:
      return {
        metric_type: 'mean',
        source: nodeOf(measured.happening, `p${Math.round(measured.level * 100)}`, measured.property),
      }
  }
}

const maths = { mean: 'avg', min: 'min', max: 'max' } as const

const amountOf = ({ happening, property }: { happening: Matcher; property?: string | undefined }) =>
  property === undefined ? nodeOf(happening) : nodeOf(happening, 'sum', property)

function percentilesOf({ atLeast, atMost }: Extract<MeasuredMetric, { type: 'total' }>): object {
  return {
    ...(atLeast && 'percentile' in atLeast && { lower_bound_percentile: atLeast.percentile / 100 }),
    ...(atMost && 'percentile' in atMost && { upper_bound_percentile: atMost.percentile / 100 }),
  }
}

const nodeOf = ({ event, label, filter }: Matcher, math?: string, property?: string) => ({
  kind: 'EventsNode',
  event,
  ...(label !== undefined && { custom_name: label }),
  ...(math !== undefined && { math, math_property: property }),
  properties: filter ? propertiesOf(filter) : [],
})

/** PostHog joins the properties of a list by "and". */
export function propertiesOf(filter: Filter): object[] {
  if ('all' in filter) return filter.all.flatMap(propertiesOf)
  if ('any' in filter) return [{ type: 'OR', values: filter.any.flatMap(propertiesOf) }]
  if (filter.type === 'cohort')
    return [{ key: 'id', type: 'cohort', operator: filter.operator, value: filter.cohort }]
  const { key, operator, value = null, type } = filter
  return [{ key, operator, value, type }]
}
