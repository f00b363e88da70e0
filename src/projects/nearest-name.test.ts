import { expect, test } from 'vitest'
import { nearestName } from './nearest-name'

test.each([
  ['TILTH_ULR', 'TILTH_URL'],
  ['TILTH_URI', 'TILTH_URL'],
  ['TILTH_MEM', 'TILTH_MEMORY'],
  ['tilth url', 'TILTH_URL'],
  ['COMPLETELY_ELSE', undefined],
])('%s most likely means %s', (typed, meant) => {
  expect(nearestName(typed, ['TILTH_URL', 'TILTH_MEMORY', 'TILTH_DATA'])).toBe(meant)
})
