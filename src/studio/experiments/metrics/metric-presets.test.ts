import { expect, test } from 'vitest'
import { measuredMetric } from '#insights/kinds/experiment/schema'
import {
  freeMetricId,
  metricPresets,
  newMetric,
  presetNames,
  presetOf,
  whyIncomplete,
} from './metric-presets'
import { metricWords } from './metric-words'

test.each(presetNames)(
  'the preset %s is recognised again, and is one that the product takes once complete',
  (name) => {
    const text = JSON.stringify(metricPresets[name].measured())
    const complete = JSON.parse(
      text.replaceAll('"event":""', '"event":"ordered"').replaceAll('"property":""', '"property":"price"'),
    )
    expect(presetOf(metricPresets[name].measured())).toBe(name)
    expect(measuredMetric.parse(complete)).toEqual(complete)
  },
)

test('a metric without event, property or name is not complete', () => {
  const metric = { ...newMetric('metric-1', 'primary'), name: 'Orders' }
  expect(whyIncomplete(metric)).toBe('Choose an event.')
  const always = { delayHours: 0, onlyComplete: false }
  const ordered = { event: 'ordered' }
  const sum = { type: 'total', amount: { happening: ordered, property: '' }, ...always } as const
  expect(whyIncomplete({ ...metric, measured: sum })).toBe('Choose a property.')
  const conversion = { type: 'conversion', happening: ordered, ...always } as const
  expect(whyIncomplete({ ...metric, name: ' ', measured: conversion })).toBe('Name the metric.')
  expect(whyIncomplete({ ...metric, measured: conversion })).toBeUndefined()
})

test('a new metric gets an id that none has', () => {
  expect(freeMetricId([newMetric('metric-2', 'primary')])).toBe('metric-3')
})

test.each([
  [
    { type: 'conversion', happening: { event: 'ordered' }, windowHours: 168 },
    'Share with “ordered”, within 7 days',
  ],
  [
    { type: 'total', amount: { happening: { event: null }, property: 'price' }, delayHours: 1 },
    'Sum of “price” of any event, from 1 hour after the exposure',
  ],
  [{ type: 'funnel', steps: [{ event: 'cart' }, { event: 'ordered' }] }, 'Share with “cart”, then “ordered”'],
])('%j in words is %j', (measured, words) => {
  expect(metricWords(measuredMetric.parse(measured))).toBe(words)
})
