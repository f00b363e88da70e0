import { expect, test } from 'vitest'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { unitOf } from './metric-shape'

const window = { delayHours: 0, onlyComplete: false }
const bought = { happening: { event: 'bought' } }
const revenue = { ...bought, property: '$revenue' }

const metrics: readonly [name: string, measured: MeasuredMetric, shape: string, isMoney: boolean][] = [
  ['a sum of revenue', { type: 'total', amount: revenue, ...window }, 'mean', true],
  ['its other name', { type: 'total', amount: { ...bought, property: 'revenue' }, ...window }, 'mean', true],
  ['a sum of units', { type: 'total', amount: { ...bought, property: 'units' }, ...window }, 'mean', false],
  ['a number of events', { type: 'total', amount: bought, ...window }, 'mean', false],
  ['a conversion', { type: 'conversion', ...bought, ...window }, 'share', false],
  ['revenue per order', { type: 'ratio', numerator: revenue, denominator: bought, ...window }, 'ratio', true],
  [
    'orders per revenue',
    { type: 'ratio', numerator: bought, denominator: revenue, ...window },
    'ratio',
    false,
  ],
  [
    'a share of revenue',
    { type: 'ratio', numerator: revenue, denominator: revenue, ...window },
    'ratio',
    false,
  ],
  ['a mean of revenue', { type: 'value', of: 'mean', ...revenue, ...window }, 'ratio', true],
  ['a quantile of revenue', { type: 'quantile', level: 0.9, ...revenue, ...window }, 'quantile', true],
]

test.each(metrics)('%s', (_name, measured, shape, isMoney) =>
  expect(unitOf(measured, 'EUR')).toEqual(isMoney ? { shape, currency: 'EUR' } : { shape }),
)
