import { getHeapStatistics } from 'node:v8'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { divideMemory } from '#engine/budget'
import { mayKeepSourceMaps, heapFlags } from './node-limits'

const MB = 1024 ** 2

test.each([
  // heap   what is old   each of three spaces for what is young
  [80, 74, 2],
  [144, 138, 2],
  [359, 329, 10],
  [1024, 928, 32],
  [4096, 4000, 32],
])('of a heap of %i MB %i are for what is old, and three times %i for what is young', (heap, old, young) => {
  expect(heapFlags(heap * MB)).toEqual([`--max-old-space-size=${old}`, `--max-semi-space-size=${young}`])
  expect(old + 3 * young).toBeLessThanOrEqual(heap)
})

test('Node keeps to them', () => {
  const print = 'console.log(require("node:v8").getHeapStatistics().heap_size_limit)'
  const { stdout } = spawnSync(process.execPath, [...heapFlags(144 * MB), '-e', print], { encoding: 'utf8' })
  expect(Number(stdout) / MB).toBeLessThanOrEqual(144)
  expect(getHeapStatistics().heap_size_limit / MB).toBeGreaterThan(144)
})

test.each([
  [512, false],
  [1024, true],
])('of %i MB, the front may keep source maps: %s', (whole, isThere) => {
  expect(mayKeepSourceMaps(divideMemory(whole * MB).frontHeapBytes)).toBe(isThere)
})
