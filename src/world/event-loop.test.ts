import { afterEach, expect, test, vi } from 'vitest'
import { yieldIfLong } from './event-loop'

afterEach(() => void vi.useRealTimers())

function spend(ms: number): void {
  const until = process.hrtime.bigint() + BigInt(ms * 1_000_000)
  while (process.hrtime.bigint() < until);
}

/** Works step by step, and says after how many of them the event loop had a turn for the first time. */
async function stepsBeforeTurn(steps: number, msPerStep: number): Promise<number> {
  // a new turn, without what this one has used
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  let [done, doneAtTurn] = [0, steps]
  setImmediate(() => (doneAtTurn = done))
  for (; done < steps; done++) {
    await yieldIfLong()
    spend(msPerStep)
  }
  return doneAtTurn
}

test('long work lets others have the event loop after some milliseconds', async () => {
  expect(await stepsBeforeTurn(100, 1)).toBeLessThan(20)
})

test('short work goes on in its turn', async () => {
  expect(await stepsBeforeTurn(20, 0)).toBe(20)
})

test('several works share the milliseconds of a turn', async () => {
  let longest = 0
  let turnBeganAt = performance.now()
  let isOver = false
  const watch = (): void => {
    longest = Math.max(longest, performance.now() - turnBeganAt)
    turnBeganAt = performance.now()
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  const work = async () => {
    for (let step = 0; step < 30; step++) {
      await yieldIfLong()
      spend(1)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: 10 }, work))
  isOver = true
  expect(longest).toBeLessThan((performance.now() - began) / 4)
})

test('a test that stops the clock does not stop work', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'performance'] })
  for (let step = 0; step < 30; step++) {
    await yieldIfLong()
    spend(1)
  }
})
