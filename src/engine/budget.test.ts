import { expect, test } from 'vitest'
import { budgetFrom, division, keptFree, leastMemoryBytes } from './budget'

const MB = 1024 ** 2

test.each([
  // Tilth may use   cores   the engine's process   one question
  [1024, 2, 652, 141],
  [2048, 2, 1573, 509],
  [8192, 4, 7103, 1814],
])(
  'of %i MB on %i cores the engine’s process may hold %i MB, and one question %i',
  (whole, cores, engine, question) => {
    const budget = budgetFrom(whole * MB, cores)
    expect(Math.round(budget.engineBytes / MB)).toBe(engine)
    expect(Math.round(budget.questionBytes / MB)).toBe(question)
  },
)

test('the parts never add up to more than the whole, and something is always left to insert with', () => {
  for (let whole = leastMemoryBytes; whole < 64 * 1024 * MB; whole *= 1.3) {
    const budget = budgetFrom(whole, 2)
    const questions = budget.questionBytes * budget.questionsAtOnce
    const caches = budget.markCacheBytes + budget.indexCacheBytes + budget.compiledCacheBytes
    expect(budget.engineBytes + division.nodeProcesses).toBeLessThan(whole)
    expect(division.idle + questions + caches).toBeLessThan(budget.engineBytes)
    expect(3 * budget.spillBytes).toBeLessThan(budget.questionBytes)
  }
})

test('with less memory than it takes, the engine is given what it takes', () => {
  expect(budgetFrom(0, 2)).toEqual(budgetFrom(leastMemoryBytes, 2))
})

test.each([
  // cores   threads of a question   questions at once   threads of merges
  [1, 1, 2, 1],
  [2, 2, 2, 1],
  [4, 4, 3, 2],
  [64, 64, 3, 4],
])('a question may take all of %i cores', (cores, questionThreads, questionsAtOnce, backgroundThreads) => {
  const budget = budgetFrom(65_536 * MB, cores)
  expect(budget).toMatchObject({ questionThreads, questionsAtOnce, backgroundThreads })
})

test.each([
  // Tilth may use   threads of a question
  [512, 1],
  [1024, 1],
  [2048, 2],
  [4096, 6],
])('in %i MB it has as many threads as there is room for in its memory', (whole, threads) => {
  expect(budgetFrom(whole * MB, 64).questionThreads).toBe(threads)
})

test.each([
  // disk     left free
  [1, 0.05],
  [4, 0.2],
  [5.12, 0.25],
  [1000, 0.25],
])('of a disk of %d GB, %d GB are left free', (disk, free) => {
  expect(keptFree(disk * 1024 * MB) / (1024 * MB)).toBeCloseTo(free, 1)
})
