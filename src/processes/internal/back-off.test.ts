import { expect, test } from 'vitest'
import { BackOff } from './back-off'

/** A back-off with a clock of its own: `fail` loses the child and answers how long it was left alone. */
function aChild(plan = { first: 500, most: 30_000 }) {
  let now = 0
  const backOff = new BackOff(plan, () => now)
  const startedAt: number[] = []
  return {
    startedAt,
    fail(livedMs: number): number {
      now += livedMs
      const pause = backOff.pauseAfter(livedMs)
      now += pause
      startedAt.push(now)
      return pause
    },
  }
}

test('each quick failure doubles the pause, up to the most', () => {
  const child = aChild({ first: 10_000, most: 30_000 })
  expect([child.fail(0), child.fail(0), child.fail(0), child.fail(0)]).toEqual([
    10_000, 20_000, 30_000, 30_000,
  ])
})

test('a healthy minute makes the next failure count as the first', () => {
  const child = aChild({ first: 10_000, most: 30_000 })
  child.fail(0)
  child.fail(0)
  expect(child.fail(60_000)).toBe(10_000)
  expect(child.fail(59_999)).toBe(10_000)
  expect(child.fail(0)).toBe(20_000)
})

test('whatever the plan, no minute sees more than five restarts', () => {
  const child = aChild({ first: 1, most: 10 })
  for (let failure = 0; failure < 100; failure++) child.fail(failure % 7)
  const sixthInAMinute = child.startedAt.some((at, i) => at - (child.startedAt[i - 5] ?? -Infinity) < 60_000)
  expect(sixthInAMinute).toBe(false)
})
