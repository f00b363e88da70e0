import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aFolder, aWorld, type FixedWorld } from '#test/product/fixture'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { type Job, Jobs, type JobTurn } from './jobs'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('in one front', () => {
  test('every job runs when it is due, and one that fails does not hold up the others', async () => {
    const { jobs, troubles } = await aFront()
    const done: string[] = []
    const all = jobs([
      { name: 'salts', everyMs: 1000, queue: 'q', run: () => done.push('salts') },
      {
        name: 'engine',
        everyMs: 1000,
        queue: 'q',
        run: async () => {
          throw new Error('engine away')
        },
      },
      { name: 'squash', everyMs: 2000, queue: 'q', run: async () => done.push('squash') },
    ])
    for (const _ of [1, 2]) {
      vi.advanceTimersByTime(1000)
      await settled()
    }
    expect(done.toSorted()).toEqual(['salts', 'salts', 'squash'])
    expect(troubles).toEqual(['engine', 'engine'])
    expect(all.counts()).toEqual([
      { name: 'salts', runs: 2, failures: 0 },
      { name: 'engine', runs: 2, failures: 2 },
      { name: 'squash', runs: 1, failures: 0 },
    ])

    all.stop()
    vi.advanceTimersByTime(5000)
    await settled()
    expect(done).toHaveLength(3)
  })

  test('one that takes long is not begun a second time, and what fails after the end is not told', async () => {
    const { jobs, troubles } = await aFront()
    const begun: (() => void)[] = []
    const run = () => new Promise((_, fail) => begun.push(() => fail(new Error('closed'))))
    const all = jobs([{ name: 'slow', everyMs: 1000, run }])
    vi.advanceTimersByTime(3500)
    await settled()
    expect(begun).toHaveLength(1)

    all.stop()
    begun[0]?.()
    await settled()
    expect(troubles).toEqual([])
  })

  test('two of one queue are never under way together, two of different queues may be', async () => {
    const { jobs } = await aFront()
    const begun: string[] = []
    const forever = (name: string) => () => {
      begun.push(name)
      return new Promise(() => {})
    }
    jobs([
      { name: 'a', everyMs: 1000, queue: 'q', run: forever('a') },
      { name: 'b', everyMs: 1000, queue: 'q', run: forever('b') },
      { name: 'c', everyMs: 1000, run: forever('c') },
    ])
    vi.advanceTimersByTime(1000)
    await settled()
    expect(begun).toEqual(['a', 'c'])
  })
})

describe('in fronts that share a store', () => {
  test('a shared job runs once in its time, in the first process that takes it', async () => {
    const { jobs, world } = await aFront()
    const done: string[] = []
    const shared = (front: string): Job => ({
      name: 'letters',
      everyMs: 60_000,
      isShared: true,
      run: () => done.push(front),
    })
    const [here, there] = [jobs([shared('here')]), jobs([shared('there')])]
    const bothTry = () => Promise.all([attempted(here), attempted(there)])

    await bothTry()
    expect(done).toHaveLength(1)

    world.advance('30 seconds')
    await bothTry()
    expect(done).toHaveLength(1)

    world.advance('30 seconds')
    await bothTry()
    expect(done).toHaveLength(2)

    await there.hurry('letters')
    expect(done).toEqual([expect.any(String), expect.any(String), 'there'])
  })

  test('what one front is at, no other begins, until the first must be dead', async () => {
    const { jobs, world } = await aFront()
    let begun = 0
    const hanging: Job = {
      name: 'letters',
      everyMs: 60_000,
      isShared: true,
      run: () => (begun++, new Promise(() => {})),
    }
    const [here, there] = [jobs([hanging]), jobs([hanging])]
    void here.hurry('letters')
    await expect.poll(() => begun).toBe(1)

    world.advance('50 seconds')
    await Promise.race([there.hurry('letters'), settled()])
    expect(begun).toBe(1)

    world.advance('11 seconds')
    void there.hurry('letters')
    await expect.poll(() => begun).toBe(2)
  })

  test('a run of an hour keeps its lease while its front lives', async () => {
    const { jobs, world } = await aFront()
    let begun = 0
    const long: Job = {
      name: 'letters',
      everyMs: 60_000,
      isShared: true,
      run: () => (begun++, new Promise(() => {})),
    }
    const [here, there] = [jobs([long]), jobs([long])]
    void here.hurry('letters')
    await expect.poll(() => begun).toBe(1)
    for (let minute = 0; minute < 60; minute++) {
      world.advance('50 seconds')
      vi.advanceTimersByTime(50_000)
      await settled()
    }
    await Promise.race([there.hurry('letters'), settled()])
    expect(begun).toBe(1)
  })

  test('a run that extends its lease goes on alone, until it was too late to', async () => {
    const { jobs, world } = await aFront()
    let begun = 0
    const turns: JobTurn[] = []
    const hanging: Job = {
      name: 'letters',
      everyMs: 60_000,
      isShared: true,
      run: (turn) => (begun++, turns.push(turn), new Promise(() => {})),
    }
    const [here, there] = [jobs([hanging]), jobs([hanging])]
    void here.hurry('letters')
    await expect.poll(() => begun).toBe(1)
    for (let n = 0; n < 3; n++) {
      world.advance('50 seconds')
      expect(await turns[0]?.extend()).toBe(true)
    }
    await Promise.race([there.hurry('letters'), settled()])
    expect(begun).toBe(1)

    world.advance('61 seconds')
    expect(await turns[0]?.extend()).toBe(false)
  })
})

/** As the timer does it, and waits for what becomes of it. */
async function attempted(jobs: Jobs): Promise<void> {
  await jobs.tick('letters')
}

async function aFront(): Promise<{
  jobs: (list: readonly Job[]) => Jobs
  world: FixedWorld
  troubles: string[]
}> {
  const store: Store = await openStore({ folder: aFolder() })
  onTestFinished(() => store.close())
  const world = aWorld()
  const troubles: string[] = []
  const jobs = (list: readonly Job[]) => {
    const all = new Jobs(list, { store, world, onTrouble: (_, job) => troubles.push(job) })
    onTestFinished(() => all.stop())
    all.begin()
    return all
  }
  return { jobs, world, troubles }
}
