import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginUpkeep } from './upkeep'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('every chore is done in each round, and one that fails keeps nobody from theirs', async () => {
  const [done, troubles]: [string[], unknown[]] = [[], []]
  const upkeep = beginUpkeep(
    [
      () => done.push('salts'),
      async () => {
        throw new Error('engine away')
      },
      async () => done.push('squash'),
    ],
    { everyMs: 1000, onTrouble: (problem) => troubles.push(problem) },
  )
  await vi.advanceTimersByTimeAsync(2000)
  expect(done).toEqual(['salts', 'squash', 'salts', 'squash'])
  expect(troubles).toHaveLength(2)

  upkeep.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(done).toHaveLength(4)
})

test('a chore that takes long is not begun a second time, and what fails after the end is not told', async () => {
  const begun: (() => void)[] = []
  const troubles: unknown[] = []
  const upkeep = beginUpkeep([() => new Promise((_, fail) => begun.push(() => fail(new Error('closed'))))], {
    everyMs: 1000,
    onTrouble: (problem) => troubles.push(problem),
  })
  await vi.advanceTimersByTimeAsync(3500)
  expect(begun).toHaveLength(1)

  upkeep.stop()
  begun[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(troubles).toEqual([])
})
