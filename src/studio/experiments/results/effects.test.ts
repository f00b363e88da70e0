import { pInWords, pText } from '#experiments/results/p-value'
import { expect, test } from 'vitest'
import type { EffectEstimate, EstimatedComparison } from '#experiments/results/report'
import { effectOn, lossText, marginOn, unitOfEffects } from './effects'

const estimate = (value: number): EffectEstimate => ({
  value,
  standardError: 0.01,
  low: value - 0.02,
  high: value + 0.02,
  p: undefined,
  adjustedP: undefined,
  chance: undefined,
  loss: undefined,
})

const comparison: EstimatedComparison = {
  variant: 'test',
  state: 'estimated',
  relative: estimate(0.1),
  absolute: estimate(0.012),
  adjusted: { relative: estimate(0.12), absolute: estimate(0.013), varianceReduction: 0.3 },
  reading: 'better',
}

test('the adjusted estimate is shown first, the unadjusted beside it, on the same scale', () => {
  expect(effectOn(comparison, 'relative')).toMatchObject({
    main: { value: 0.12 },
    unadjusted: { value: 0.1 },
    varianceReduction: 0.3,
  })
  expect(effectOn(comparison, 'absolute')).toMatchObject({
    main: { value: 0.013 },
    unadjusted: { value: 0.012 },
  })
  expect(effectOn({ ...comparison, adjusted: undefined }, 'relative')).toEqual({
    main: comparison.relative,
    unadjusted: undefined,
    varianceReduction: undefined,
  })
})

test('without a value of the control, nothing is relative', () => {
  const onlyAbsolute = { ...comparison, relative: undefined, adjusted: undefined }
  expect(effectOn(onlyAbsolute, 'relative')).toBeUndefined()
  expect(effectOn(onlyAbsolute, 'absolute')?.main.value).toBe(0.012)
})

test('p-values', () => {
  expect([pText(0.00001), pInWords(0.00001)]).toEqual(['<0.0001', 'p < 0.0001'])
  expect([pText(0.0412), pInWords(0.0412)]).toEqual(['0.041', 'p = 0.041'])
})

test('differences of money are drawn on a scale of money', () => {
  expect(unitOfEffects({ shape: 'mean', currency: 'EUR' }, 'absolute')).toEqual({ currency: 'EUR' })
  expect(unitOfEffects({ shape: 'mean', currency: 'EUR' }, 'relative')).toBe('percent')
  expect(unitOfEffects({ shape: 'ratio' }, 'absolute')).toBe('number')
})

test.each([
  [0.0123, 'share', 'relative', '1.2%'],
  [-0.00001, 'mean', 'relative', '<0.1%'],
  [0.0000002, 'share', 'absolute', '<0.01 points'],
  [0.0123, 'share', 'absolute', '1.2 points'],
  [0.0326, 'mean', 'absolute', '0.033'],
] as const)('an expected loss of %d of a %s, %s, reads %s', (value, shape, scale, text) =>
  expect(lossText(value, { shape }, scale)).toBe(text),
)

test('an expected loss of money has its currency', () =>
  expect(lossText(0.0326, { shape: 'mean', currency: 'EUR' }, 'absolute')).toBe('€0.0326'))

test('a margin lies on the side that is worse, and only a guardrail has one', () => {
  const guardrail = { role: 'guardrail', goal: 'decrease', margin: 5 } as const
  const values = [{ variant: 'control', units: 10, value: 200, steps: [] }]
  expect(marginOn({ ...guardrail, values }, 'relative')).toBe(0.05)
  expect(marginOn({ ...guardrail, values }, 'absolute')).toBe(10)
  expect(marginOn({ ...guardrail, goal: 'increase', values }, 'relative')).toBe(-0.05)
  expect(marginOn({ ...guardrail, role: 'primary', values }, 'relative')).toBeUndefined()
})
