import type { Experiment, ExperimentMetric } from '#experiments/experiment'

type Measured = ExperimentMetric['measured']

/**
 * An ordinary insight about the events of a metric while the experiment ran, split by the flag’s value. Undefined where
 * no insight counts alike.
 */
export function insightOf(
  { measured }: Pick<ExperimentMetric, 'measured'>,
  { flag, startedAt, endedAt }: Pick<Experiment, 'flag' | 'startedAt' | 'endedAt'>,
  now: Date,
): object | undefined {
  if (!startedAt) return undefined
  const period = `${startedAt.toISOString()}..${(endedAt ?? now).toISOString()}`
  const breakdown = { type: 'event', key: `$feature/${flag}` }
  if (measured.type === 'funnel')
    return { kind: 'funnel', period, steps: measured.steps, window: windowOf(measured) }
  const counted = seriesOf(measured)
  return counted && { kind: 'trend', period, breakdowns: [breakdown], ...counted }
}

function seriesOf(
  measured: Exclude<Measured, { type: 'funnel' }>,
): { series: object[]; formulas?: object[] } | undefined {
  const ofProperty = (math: string, key: string) => ({ math, property: { type: 'event', key } })
  if (measured.type === 'conversion')
    return { series: [{ ...measured.happening, measure: { math: 'persons' } }] }
  if (measured.type === 'total') return { series: [totalOf(measured.amount)] }
  if (measured.type === 'value') {
    const math = measured.of === 'mean' ? 'average' : measured.of
    return { series: [{ ...measured.happening, measure: ofProperty(math, measured.property) }] }
  }
  if (measured.type === 'ratio')
    return {
      series: [measured.numerator, measured.denominator].map((one) => ({ ...totalOf(one), isHidden: true })),
      formulas: [{ text: 'A / B', label: 'Ratio' }],
    }
  return measured.level === 0.5
    ? { series: [{ ...measured.happening, measure: ofProperty('median', measured.property) }] }
    : undefined
}

const totalOf = ({ happening, property }: Extract<Measured, { type: 'total' }>['amount']) => ({
  ...happening,
  measure:
    property === undefined ? { math: 'total' } : { math: 'sum', property: { type: 'event', key: property } },
})

/** Whole hours; without a window, as long as a funnel can be told to wait for an experiment. */
const windowOf = ({ windowHours }: Measured) =>
  windowHours === undefined
    ? { amount: 90, unit: 'day' }
    : { amount: Math.max(1, Math.round(windowHours)), unit: 'hour' }
