import { expect, test } from 'vitest'
import type { ExperimentMetric } from '../../experiment'
import { sharedMetrics } from './programme-metrics'

const orders = {
  type: 'conversion',
  happening: { event: 'ordered' },
  windowHours: 24,
  delayHours: 0,
  onlyComplete: false,
} as const
const metric = (more: Partial<ExperimentMetric>): ExperimentMetric => ({
  id: 'metric-1',
  name: 'Orders',
  role: 'primary',
  goal: 'increase',
  margin: 5,
  measured: orders,
  ...more,
})

test.each<[string, Partial<ExperimentMetric>, boolean]>([
  ['the same definition under another name', { name: 'Purchases', role: 'secondary' }, true],
  ['another window', { measured: { ...orders, windowHours: 48 } }, false],
  ['another goal', { goal: 'decrease' }, false],
  ['the same saved metric', { savedMetric: 'saved' }, true],
])('%s: the same metric or not', (_, other, isSame) => {
  const experiments = [{ metrics: [metric({})] }, { metrics: [metric(other)] }]
  const { metrics, metricOf } = sharedMetrics(experiments)
  expect(metrics.map(({ experiments: count }) => count)).toEqual(isSame ? [2] : [1, 1])
  const [first] = metrics
  expect(experiments.map((one) => metricOf(one, first?.key ?? '') !== undefined)).toEqual([true, isSame])
})

test('a saved metric stays the same when its definition changes', () => {
  const savedMetric = 'saved'
  const later = metric({ savedMetric, measured: { ...orders, windowHours: 48 } })
  const { metrics } = sharedMetrics([{ metrics: [metric({ savedMetric })] }, { metrics: [later] }])
  expect(metrics).toMatchObject([{ key: 'saved', experiments: 2 }])
})

test('the metric that most experiments have comes first, then the one that decides more of them', () => {
  const [many, deciding, explaining] = ['Many', 'Deciding', 'Also'].map((name) =>
    metric({ name, measured: { ...orders, happening: { event: name } } }),
  ) as [ExperimentMetric, ExperimentMetric, ExperimentMetric]
  const { metrics } = sharedMetrics([
    { metrics: [{ ...explaining, role: 'secondary' }, deciding, many] },
    { metrics: [many, many] },
  ])
  expect(metrics.map(({ name, experiments }) => [name, experiments])).toEqual([
    ['Many', 2],
    ['Deciding', 1],
    ['Also', 1],
  ])
})
