import { expect, test } from 'vitest'
import { newGuard } from '#flags/guard-input'
import { metricOf, newMetric, paces, stepsFrom } from './guard-draft'

test.each(Object.entries(paces))('the pace %s is one the product takes', (_name, { steps }) => {
  const input = { flag: 'checkout', steps, metrics: [metricOf(newMetric())] }
  expect(newGuard.safeParse(input).error?.issues).toBeUndefined()
})

test('a flag that lets some in already begins there, at once', () => {
  expect(stepsFrom(paces['day']?.steps ?? [], 30)).toEqual([
    { percentage: 50, afterMinutes: 0 },
    { percentage: 100, afterMinutes: 360 },
  ])
})

test('a metric is none before it is chosen whole', () => {
  expect(metricOf(newMetric('event'))).toBeUndefined()
  expect(metricOf({ ...newMetric('goal'), which: 'g1' })).toEqual({ type: 'goal', goal: 'g1', worse: 20 })
  expect(metricOf({ ...newMetric('LCP'), worse: 5 })).toEqual({ type: 'vital', vital: 'LCP', worse: 5 })
})
