import { expect, test } from 'vitest'
import { newMetric } from './metric-presets'
import { changedMetric, isSaved, metricOfSaved, searchSaved, tagsOf } from './saved-metrics'

const measured = newMetric('metric-1', 'primary').measured
const orders = {
  id: 'orders',
  name: 'Orders',
  description: 'Paid only',
  goal: 'increase' as const,
  measured,
  tags: ['shop'],
}
const errors = {
  ...orders,
  id: 'errors',
  name: 'Errors',
  description: '',
  goal: 'decrease' as const,
  tags: ['health', 'shop'],
}

test.each([
  // typed         found
  ['', ['orders', 'errors']],
  ['ord', ['orders']],
  ['SHOP err', ['errors']],
  ['paid', ['orders']],
  ['nothing', []],
])('%j finds %j', (typed, found) => {
  expect(searchSaved([orders, errors], typed).map(({ id }) => id)).toEqual(found)
})

test('a metric refers to the saved one until its name, goal or definition is changed', () => {
  const chosen = metricOfSaved(newMetric('metric-1', 'guardrail'), errors)
  expect(chosen).toMatchObject({ id: 'metric-1', role: 'guardrail', name: 'Errors', savedMetric: 'errors' })
  expect(changedMetric(chosen, { role: 'primary', margin: 1 })).toHaveProperty('savedMetric', 'errors')
  for (const part of [{ name: 'Failures' }, { goal: 'increase' as const }, { measured }])
    expect(changedMetric(chosen, part)).not.toHaveProperty('savedMetric')
})

test('a metric no longer counts as saved once the saved one is removed', () => {
  const chosen = metricOfSaved(newMetric('metric-1', 'primary'), errors)
  expect(isSaved(chosen, [orders, errors])).toBe(true)
  expect(isSaved(chosen, [orders])).toBe(false)
  expect(isSaved(newMetric('metric-1', 'primary'), [orders])).toBe(false)
})

test('tags are listed once', () => {
  expect(tagsOf([orders, errors])).toEqual(['health', 'shop'])
})
