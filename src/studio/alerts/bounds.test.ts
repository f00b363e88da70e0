import { expect, test } from 'vitest'
import { alertCondition } from '#alerts/condition'
import { boundsOf } from './AlertPreview'

const change = (part: object) => alertCondition.parse({ type: 'relative', interval: 'day', by: 30, ...part })

test('a fall by a share has a line below, at each interval by its own earlier number', () => {
  expect(boundsOf(change({ does: 'fall' }), { against: [null, 10, 100] })).toMatchObject([
    { label: 'Alert below', values: [null, 7, 70] },
  ])
})

test('a change by an amount has a line on each side', () => {
  expect(boundsOf(change({ does: 'change', as: 'amount' }), { against: [50, null] })).toMatchObject([
    { label: 'Alert above', values: [80, null] },
    { label: 'Alert below', values: [20, null] },
  ])
})

test('a threshold has none', () => {
  const threshold = alertCondition.parse({ type: 'threshold', interval: 'day', is: 'below', value: 5 })
  expect(boundsOf(threshold, {})).toEqual([])
})
