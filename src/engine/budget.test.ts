import { expect, test } from 'vitest'
import {
  engineBudgetFor,
  formMemoryOf,
  memoryDivision,
  pagesWorkersFor,
  reservedDiskBytes,
  leastMemoryBytes,
  divideMemory,
} from './budget'

const MB = 1024 ** 2

test.each([
  // Tilth may use   front's heap   pages' heap   kept pages   engine, without its library
  [512, 132, 112, 8, 116],
  [1024, 173, 138, 26, 502],
  [2048, 255, 189, 62, 1273],
  [4096, 419, 291, 128, 2841],
  [16_384, 1024, 906, 128, 13_190],
])(
  'of %i MB the heap of the front takes %i, that of the pages %i, pages kept in memory %i, the engine %i',
  (whole, front, pages, kept, engine) => {
    const shares = divideMemory(whole * MB)
    const { frontHeapBytes, pagesHeapBytes, keptPagesBytes, engineBytes } = shares
    const parts = [frontHeapBytes, pagesHeapBytes, keptPagesBytes, engineBytes]
    expect(parts.map((bytes) => Math.round(bytes / MB))).toEqual([front, pages, kept, engine])
    const sum = Object.values<number>({ ...shares }).reduce((total, bytes) => total + bytes, 0)
    expect(sum).toBeLessThanOrEqual(whole * MB)
  },
)

test.each([
  // Tilth may use   cores   one query may hold
  [512, 2, 37],
  [1024, 2, 173],
  [2048, 2, 481],
  [8192, 4, 1613],
])('of %i MB on %i cores one query may hold %i', (whole, cores, query) => {
  expect(Math.round(engineBudgetFor(whole * MB, cores).queryBytes / MB)).toBe(query)
})

test.each([
  // Tilth may use   cores   processes for pages
  [512, 2, 1],
  [24_576, 2, 1],
  [8192, 16, 1],
  [16_384, 4, 2],
  [16_384, 64, 2],
  [32_768, 8, 3],
  [65_536, 16, 5],
])('of %i MB on %i cores, pages are rendered by %i processes', (whole, cores, workers) => {
  expect(pagesWorkersFor(whole * MB, cores)).toBe(workers)
  const one = divideMemory(whole * MB)
  const several = divideMemory(whole * MB, workers)
  const others = (workers - 1) * (one.pagesHeapBytes + memoryDivision.pagesBesideHeap)
  expect(several.engineBytes).toBe(one.engineBytes - others)
  expect(several.engineBytes).toBeGreaterThan(others)
})

test('the parts never add up to more than the whole, and something is always left to insert with', () => {
  for (let whole: number = leastMemoryBytes; whole < 64 * 1024 * MB; whole *= 1.3) {
    const shares = divideMemory(whole)
    const sum = Object.values<number>({ ...shares }).reduce((total, bytes) => total + bytes, 0)
    expect(sum).toBeLessThanOrEqual(whole)
    const budget = engineBudgetFor(whole, 2)
    const queries = budget.queryBytes * budget.queriesAtOnce
    const caches = budget.markCacheBytes + budget.indexCacheBytes + budget.compiledCacheBytes
    expect(budget.engineBytes).toBe(shares.engineBytes + memoryDivision.library)
    expect(memoryDivision.idle + queries + caches).toBeLessThan(budget.engineBytes)
    expect(3 * budget.spillBytes).toBeLessThan(budget.queryBytes)
  }
})

test.each([
  // Tilth may use   forms of visitors   forms of members
  [0, 2, 16],
  [512, 2, 16],
  [1024, 3, 21],
  [4096, 8, 32],
])('of %i MB the forms of visitors take %i, and those of members %i', (whole, visitors, members) => {
  const { visitorBytes, memberBytes } = formMemoryOf(whole * MB)
  expect([visitorBytes, memberBytes].map((bytes) => Math.round(bytes / MB))).toEqual([visitors, members])
  expect(divideMemory(whole * MB).formsBytes).toBe(visitorBytes + memberBytes)
})

test('with less memory than it takes, the engine is given what it takes', () => {
  expect(engineBudgetFor(0, 2)).toEqual(engineBudgetFor(leastMemoryBytes, 2))
})

test.each([
  // cores   threads of a query   queries at once   threads of merges
  [1, 1, 2, 1],
  [2, 2, 2, 1],
  [4, 4, 3, 2],
  [64, 64, 3, 4],
])('a query may take all of %i cores', (cores, queryThreads, queriesAtOnce, backgroundThreads) => {
  const budget = engineBudgetFor(65_536 * MB, cores)
  expect(budget).toMatchObject({ queryThreads, queriesAtOnce, backgroundThreads })
})

test.each([
  // Tilth may use   threads of a query
  [512, 1],
  [1024, 1],
  [2048, 2],
  [4096, 5],
])('in %i MB it has as many threads as there is room for in its memory', (whole, threads) => {
  expect(engineBudgetFor(whole * MB, 64).queryThreads).toBe(threads)
})

test.each([
  // disk     left free
  [1, 0.05],
  [4, 0.2],
  [5.12, 0.25],
  [1000, 0.25],
])('of a disk of %d GB, %d GB are left free', (disk, free) => {
  expect(reservedDiskBytes(disk * 1024 * MB) / (1024 * MB)).toBeCloseTo(free, 1)
})
