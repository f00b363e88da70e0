import { expect, test } from 'vitest'
import { chanceInWords, chanceText, estimateText, estimateWords, valueWords } from './estimate-words'
import type { MetricUnit } from './report'

const share: MetricUnit = { shape: 'share' }
const mean: MetricUnit = { shape: 'mean' }
const euros: MetricUnit = { shape: 'mean', currency: 'EUR' }
const yen: MetricUnit = { shape: 'ratio', currency: 'JPY' }

const around = (value: number, half: number) => ({ value, low: value - half, high: value + half })

test.each([
  // the first three digits of the half-width: 100 to 354 keep two digits, 355 to 949 one, 950 to 999 two of 1000
  [0.0702, 0.0162, '+7.0% (+5.4% to +8.6%)'],
  [0.0702, 0.0354, '+7.0% (+3.5% to +10.6%)'],
  [0.0702, 0.0356, '+7% (+3% to +11%)'],
  [0.0702, 0.0949, '+7% (−2% to +17%)'],
  [0.0702, 0.0951, '+7% (−2% to +17%)'],
  [0.0702, 0.00827, '+7.0% (+6.2% to +7.8%)'],
  [0.0702, 0.00951, '+7.0% (+6.1% to +8.0%)'],
  [0.0702, 0.00119, '+7.02% (+6.90% to +7.14%)'],
  // at least none, and at most two decimals of a percent
  [0.0702, 1.62, '+7% (−155% to +169%)'],
  [12.3, 1.62, '+1,230% (+1,068% to +1,392%)'],
  [0.0702, 0.000012, '+7.02% (+7.02% to +7.02%)'],
])('a relative effect of %d ± %d is %s', (value, half, written) =>
  expect(estimateText(around(value, half), share, { scale: 'relative' })).toBe(written),
)

test.each([
  [0.012, 0.008, share, '+1.2 points (+0.4 points to +2.0 points)'],
  [0.00004, 0.00001, share, '+0.0040 points (+0.0030 points to +0.0050 points)'],
  [-2.5, 1.2, mean, '−2.5 (−3.7 to −1.3)'],
  [1234, 400, mean, '+1,234 (+834 to +1,634)'],
  [0.000_034, 0.000_02, mean, '+0.000034 (+0.000014 to +0.000054)'],
  // money has the decimals in which it is paid, more, or none
  [3.2, 1.5, euros, '+€3.20 (+€1.70 to +€4.70)'],
  [-3.2, 4.5, euros, '−€3 (−€8 to +€1)'],
  [0.04, 0.0123, euros, '+€0.040 (+€0.028 to +€0.052)'],
  [35, 12.3, yen, '+¥35 (+¥23 to +¥47)'],
  [3.5, 1.23, yen, '+¥3.5 (+¥2.3 to +¥4.7)'],
] as const)('an absolute effect of %d ± %d of %o is %s', (value, half, unit, written) =>
  expect(estimateText(around(value, half), unit, { scale: 'absolute' })).toBe(written),
)

test.each([
  // the side of 0 that an end is on decides
  [{ value: 0.0604, low: 0.0004, high: 0.1204 }, '+6.04%', '+0.04%', '+12.04%'],
  [{ value: -0.061, low: -0.12, high: -0.002 }, '−6.1%', '−12.0%', '−0.2%'],
  // beyond the most decimals, the sign says it
  [{ value: 0.06, low: 0.00001, high: 0.12 }, '+6.00%', '+0.00%', '+12.00%'],
  // an estimate within its interval may be about 0
  [{ value: 0.0002, low: -0.0498, high: 0.0502 }, '+0%', '−5%', '+5%'],
  [{ value: 0, low: -0.05, high: 0.05 }, '0%', '−5%', '+5%'],
  [{ value: 0.5, low: 0, high: 1 }, '+50%', '0%', '+100%'],
])('%o does not hide a sign', (estimate, value, low, high) =>
  expect(estimateWords(estimate, share, 'relative')).toEqual({ value, low, high }),
)

test('an end that is not known is a dash', () =>
  expect(
    estimateText({ value: 0.5, low: 0.1, high: Number.POSITIVE_INFINITY }, mean, { scale: 'relative' }),
  ).toBe('+50% (+10% to –)'))

test('the level of the interval is written where it is asked for', () =>
  expect(estimateText(around(0.12, 0.08), share, { scale: 'relative', level: 0.995 })).toBe(
    '+12% (99.5% interval +4% to +20%)',
  ))

test.each([
  [0.1, share, 200, '10.00% of 200'],
  [0.25, share, undefined, '25.00%'],
  [0.12345, share, 12_000, '12.35% of 12,000'],
  [2.5, mean, undefined, '2.500'],
  [12_345.6, mean, undefined, '12,346'],
  [0.01234, mean, undefined, '0.01234'],
  [0, mean, 3, '0 of 3'],
  [123.456, euros, 40, '€123.46 of 40'],
  [0.01234, euros, undefined, '€0.0123'],
  [0, euros, undefined, '€0.00'],
  [350, yen, undefined, '¥350'],
  [null, euros, 0, '– of 0'],
] as const)('a value of %d of %o with %s units is %s', (value, unit, units, written) =>
  expect(valueWords(value, unit, units)).toBe(written),
)

test.each([
  [0.9995, '>99.9%', 'over 99.9%'],
  [0.99, '99.0%', '99.0%'],
  [0.5, '50.0%', '50.0%'],
  [0, '<0.1%', 'under 0.1%'],
])('a chance of %d is %s, and in a sentence %s', (chance, text, words) => {
  expect(chanceText(chance)).toBe(text)
  expect(chanceInWords(chance)).toBe(words)
})
