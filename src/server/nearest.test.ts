import { expect, test } from 'vitest'
import { nearest } from './nearest'

test.each([
  ['TILTH_ULR', 'TILTH_URL'],
  ['TILTH_URI', 'TILTH_URL'],
  ['TILTH_MEM', 'TILTH_MEMORY'],
  ['COMPLETELY_ELSE', undefined],
])('%s most likely means %s', (typed, meant) => {
  expect(nearest(typed, ['TILTH_URL', 'TILTH_MEMORY', 'TILTH_DATA'])).toBe(meant)
})
