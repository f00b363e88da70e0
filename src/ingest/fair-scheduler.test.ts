import { expect, test } from 'vitest'
import { FairScheduler } from './fair-scheduler'

/** A clock that only work moves on, so that no test depends on the speed of the machine. */
function aShop() {
  const clock = { ms: 0 }
  const shares = new FairScheduler({ now: () => clock.ms, budgetMs: 8, sliceMs: 2 })
  const finished: string[] = []
  function* work(name: string, slices: number, msPerSlice: number): Generator<void, string> {
    for (let slice = 0; slice < slices; slice++) {
      clock.ms += msPerSlice
      if (slice < slices - 1) yield
    }
    finished.push(name)
    return name
  }
  const run = async (sender: string, name: string, slices: number, msPerSlice = 1) =>
    await shares.run(sender, work(name, slices, msPerSlice))
  return { clock, shares, finished, work, run }
}

test('work that fits into this turn of the loop is done at once, and its result is no promise', () => {
  const { shares, finished, work } = aShop()
  expect(shares.run('a', work('one', 2, 1))).toBe('one')
  expect(finished).toEqual(['one'])
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
  expect(await outcome).toBe('long')
})

test('a sender with little work comes before one with much', async () => {
  const { finished, run } = aShop()
  const noisy = Array.from({ length: 50 }, (_, n) => run('noisy', `noisy ${n}`, 1, 2))
  const quiet = run('quiet', 'quiet', 1)
  await Promise.all([...noisy, quiet])
  expect(finished.indexOf('quiet')).toBeLessThan(10)
})

test('a large batch does not hold up single events of the same sender', async () => {
  const { finished, run } = aShop()
  const batch = run('a', 'batch', 500)
  const singles = Array.from({ length: 10 }, (_, n) => run('a', `single ${n}`, 1))
  await Promise.all([batch, ...singles])
  expect(finished.at(-1)).toBe('batch')
})

test('work is done however long it waited, as on a machine that stands still for seconds', async () => {
  const { clock, finished, run } = aShop()
  const all = Array.from({ length: 100 }, (_, n) => run('a', `work ${n}`, 1, 2))
  clock.ms += 60_000
  await Promise.all(all)
  expect(finished).toHaveLength(100)
})

test('work that fails says so and leaves the others alone', async () => {
  const { run, shares } = aShop()
  function* failing(): Generator<void, string> {
    yield
    throw new Error('broken')
  }
  await expect(shares.run('a', failing())).rejects.toThrow('broken')
  expect(await run('a', 'next', 1)).toBe('next')
})

test('background work waits while senders have work, and then goes on a slice in each turn', async () => {
  const { clock, shares, finished, run } = aShop()
  function* history(): Generator<void, string> {
    for (let slice = 0; slice < 40; slice++) {
      clock.ms += 1
      yield
    }
    finished.push('history')
    return 'history'
  }
  const outcome = shares.runInBackground(history())
  const live = Array.from({ length: 60 }, (_, n) => run('a', `live ${n}`, 1, 2))
  await Promise.all(live)
  expect(finished).not.toContain('history')
  const before = clock.ms
  await new Promise(setImmediate)
  expect(clock.ms - before).toBeLessThanOrEqual(2)
  expect(await outcome).toBe('history')
})

test('background work comes to its end beside senders that always have work', async () => {
  const { clock, shares, run } = aShop()
  function* history(): Generator<void, string> {
    clock.ms += 2
    yield
    return 'history'
  }
  const outcome = shares.runInBackground(history())
  for (let turn = 0; turn < 40; turn++) {
    void run('a', 'live', 1, 4)
    await new Promise(setImmediate)
  }
  expect(await outcome).toBe('history')
})
