import { expect, test } from 'vitest'
import { readingFigures } from '#flags/guard'
import type { MetricReport, NoEstimateReason } from '../../results/report'
import { guardrailReadings } from './guardrail-readings'

const readingsOf = (
  [control, treatment]: readonly [number, number],
  reason: NoEstimateReason,
  about: Partial<MetricReport> = {},
) => {
  const metric: MetricReport = {
    id: 'm',
    name: 'Errors',
    role: 'guardrail',
    goal: 'decrease',
    margin: 20,
    shape: 'share',
    values: [
      { variant: 'control', units: 200, value: control, steps: [] },
      { variant: 'new', units: 200, value: treatment, steps: [] },
    ],
    comparisons: [{ variant: 'new', state: 'no-estimate', reason }],
    limits: [],
    ...about,
  }
  return guardrailReadings({ metrics: [metric], phases: [] }, 100)
}

const stateOf = (...given: Parameters<typeof readingsOf>) => readingsOf(...given).readings[0]?.state

test('an error that everyone meets with the new variant, and no one else, is noticed without an estimate', () => {
  expect(stateOf([0, 1], 'no-variance')).toBe('broken')
  expect(stateOf([0, 0.5], 'no-variance')).toBe('broken')
  expect(stateOf([1, 0], 'no-variance', { goal: 'increase' })).toBe('broken')
  expect(stateOf([0, 3], 'no-variance', { shape: 'mean' })).toBe('broken')
})

test('what did not happen, or hardly, is no harm', () => {
  expect(stateOf([0, 0], 'no-variance')).toBe('well')
  expect(stateOf([1, 0], 'no-variance')).toBe('well')
  expect(stateOf([0, 0.015], 'too-few-conversions')).toBe('well')
})

test('something good that has not happened, or too few people, say nothing', () => {
  expect(stateOf([0, 0], 'no-variance', { goal: 'increase' })).toBe('too-few')
  expect(stateOf([0, 1], 'too-few-units')).toBe('too-few')
})

test.each([
  [{ shape: 'mean', currency: 'EUR' }, '8 EUR against 12.3 EUR'],
  [{ shape: 'mean' }, '8 against 12.3'],
] as const)('the figures of %o are %s', (unit, words) => {
  const { metrics, readings } = readingsOf([12.34, 8], 'no-variance', unit)
  expect(metrics.flatMap((metric, i) => (readings[i] ? [readingFigures(metric, readings[i])] : []))).toEqual([
    words,
  ])
})
