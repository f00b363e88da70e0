import { expect, test } from 'vitest'
import { explorationIn } from './exploration-question'

const metrics = [{ id: 'orders' }, { id: 'clicks' }]

test('an address names the division, the property and the metric', () => {
  expect(explorationIn({ by: 'metric', key: 'plan', metric: 'clicks' }, metrics)).toEqual({
    by: 'metric',
    key: 'plan',
    metric: 'clicks',
  })
})

test('unknown values become the first ones, and without a metric there is nothing to explore', () => {
  expect(explorationIn({ by: 'moon', metric: 'gone' }, metrics)).toEqual({
    by: 'event',
    key: '',
    metric: 'orders',
  })
  expect(explorationIn({ key: 'plan' }, [])).toBeUndefined()
})
