import { expect, test } from 'vitest'
import { FairScheduler } from './fair-scheduler'

/** A clock that only work moves on, so that no test depends on the speed of the machine. */
function aShop(longestWaitMs = 150) {
  const clock = { ms: 0 }
  const shares = new FairScheduler({ now: () => clock.ms, budgetMs: 8, sliceMs: 2, longestWaitMs })
  const finished: string[] = []
  function* work(name: string, slices: number, msPerSlice: number): Generator<void, string> {
    for (let slice = 0; slice < slices; slice++) {
      clock.ms += msPerSlice
      if (slice < slices - 1) yield
    }
    finished.push(name)
    return name
  }
  const run = (sender: string, name: string, slices: number, msPerSlice = 1) =>
    shares.run(sender, work(name, slices, msPerSlice))
  return { clock, shares, finished, run }
}

test('work that fits into this turn of the loop is done at once', async () => {
  const { finished, run } = aShop()
  const outcome = run('a', 'one', 2)
  expect(finished).toEqual(['one'])
  expect(await outcome).toEqual({ done: true, value: 'one' })
})

test('long work leaves room for other requests between its slices', async () => {
  const { clock, finished, run } = aShop()
  let turns = 0
  const outcome = run('a', 'long', 100)
  while (finished.length === 0) {
    const before = clock.ms
    await new Promise(setImmediate)
    turns++
    expect(clock.ms - before).toBeLessThanOrEqual(10)
  }
  expect(turns).toBeGreaterThan(9)
  expect(await outcome).toMatchObject({ done: true })
})

test('a sender with little work comes before one with much', async () => {
  const { finished, run } = aShop(10_000)
  const noisy = Array.from({ length: 50 }, (_, n) => run('noisy', `noisy ${n}`, 1, 2))
  const quiet = run('quiet', 'quiet', 1)
  await Promise.all([...noisy, quiet])
  expect(finished.indexOf('quiet')).toBeLessThan(10)
})

test('a large batch does not hold up single events of the same sender', async () => {
  const { finished, run } = aShop(10_000)
  const batch = run('a', 'batch', 500)
  const singles = Array.from({ length: 10 }, (_, n) => run('a', `single ${n}`, 1))
  await Promise.all([batch, ...singles])
  expect(finished.at(-1)).toBe('batch')
})

test('what waits too long is refused, the noisy sender’s and not the quiet one’s', async () => {
  const { shares, run } = aShop(50)
  const noisy = Array.from({ length: 100 }, (_, n) => run('noisy', `noisy ${n}`, 1, 2))
  await new Promise(setImmediate)
  const quiet = run('quiet', 'quiet', 1)
  expect(await quiet).toMatchObject({ done: true })
  const outcomes = await Promise.all(noisy)
  const refused = outcomes.filter(({ done }) => !done).length
  expect(refused).toBeGreaterThan(50)
  expect(outcomes.length - refused).toBeGreaterThan(20)
  expect(shares.refused).toBe(refused)
  expect(shares.waitMs).toBe(0)
})

test('work that fails says so and leaves the others alone', async () => {
  const { run, shares } = aShop()
  function* failing(): Generator<void, string> {
    yield
    throw new Error('broken')
  }
  await expect(shares.run('a', failing())).rejects.toThrow('broken')
  expect(await run('a', 'next', 1)).toMatchObject({ done: true })
})
