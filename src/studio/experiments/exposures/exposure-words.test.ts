import { expect, test } from 'vitest'
import { dimensionIn, firstDimension, groupLabel } from './exposure-words'

test.each([
  ['library', 'posthog-js 1.4', 'posthog-js 1.4'],
  ['browser', '', 'Unknown'],
  ['phase', '0', 'Phase 1'],
  ['ids', 'one', 'One id'],
  ['ids', 'several', 'Several ids'],
] as const)('the %s %j is called %s', (dimension, value, label) =>
  expect(groupLabel(dimension, value)).toBe(label),
)

test('only a dimension of the tabs is taken from the address', () => {
  expect(dimensionIn('country')).toBe('country')
  expect(dimensionIn('all')).toBeUndefined()
  expect(dimensionIn(undefined)).toBeUndefined()
})

test('the dimension that explains a mismatch comes first', () => {
  expect(firstDimension({ cause: undefined })).toBe('library')
  expect(firstDimension({ cause: { by: 'unknown' } })).toBe('library')
  const group = { by: 'group', value: 'Mobile Safari', units: 456, p: 0.67 } as const
  expect(firstDimension({ cause: { ...group, dimension: 'browser' } })).toBe('browser')
})
