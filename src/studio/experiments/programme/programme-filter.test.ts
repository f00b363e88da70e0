import { expect, test } from 'vitest'
import { programmeInAddress } from './programme-filter'
import { programmeFilterIn } from './read-programme-filter'

test.each([
  [{}, { period: '12mo', metric: undefined, search: undefined }],
  [
    { period: '90d', metric: 'orders', search: ' price ' },
    { period: '90d', metric: 'orders', search: 'price' },
  ],
  [
    { period: 'soon', metric: ['a', 'b'], search: '' },
    { period: '12mo', metric: undefined, search: undefined },
  ],
])('%o asks for %o', (address, filter) => expect(programmeFilterIn(address)).toEqual(filter))

test('the usual period is not in the address', () => {
  expect(programmeInAddress({ period: '12mo', metric: 'orders' })).toEqual({ metric: 'orders' })
  expect(programmeInAddress({ period: 'all' })).toEqual({ period: 'all' })
})
