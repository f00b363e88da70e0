import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, type FixedWorld } from '../../test/ground'
import { openStore } from '../store/open'
import type { Store } from '../store/store'
import { type Attempt, Throttle } from './throttle'

const attempt: Attempt = { account: 'ana@acme.example', address: '203.0.113.0/24' }
const elsewhere = (number: number) => `192.0.${number}.0/24`
const another = (number: number) => `member-${number}@acme.example`

async function aThrottle(): Promise<{ throttle: Throttle; world: FixedWorld; store: Store; fail: Fail }> {
  const world = aWorld()
  const store = await openStore({ folder: aFolder() })
  onTestFinished(() => store.close())
  const throttle = new Throttle({ store, world })
  const fail: Fail = (times, guess = () => attempt) =>
    store.transaction(async (transaction) => {
      for (let time = 0; time < times; time++) await throttle.failed(guess(time), transaction)
    })
  return { throttle, world, store, fail }
}

type Fail = (times: number, guess?: (time: number) => Attempt) => Promise<void>

describe.each<[string, (time: number) => Attempt, [number, number][]]>([
  [
    'one guesser at one account',
    () => attempt,
    [
      [0, 0],
      [4, 0],
      [5, 1],
      [6, 2],
      [7, 4],
      [14, 512],
      [15, 900],
      [100, 900],
    ],
  ],
  [
    'one guesser at many accounts',
    (time) => ({ ...attempt, account: another(time) }),
    [
      [19, 0],
      [20, 1],
      [21, 2],
      [29, 512],
      [30, 900],
      [100, 900],
    ],
  ],
  [
    'many guessers at one account',
    (time) => ({ ...attempt, address: elsewhere(time) }),
    [
      [19, 0],
      [20, 1],
      [24, 16],
      [25, 30],
      [200, 30],
    ],
  ],
  [
    'many guessers at many accounts',
    (time) => ({ account: another(time), address: elsewhere(time) }),
    [
      [299, 0],
      [300, 1],
      [302, 4],
      [303, 5],
      [400, 5],
    ],
  ],
])('%s', (_, guess, waits) => {
  test.each(waits)('after %i failures: the next one waits %i seconds', async (failures, seconds) => {
    const { throttle, fail } = await aThrottle()
    await fail(failures, guess)

    // whoever comes next shares with the others what they have in common, and nothing else
    const next = {
      account: guess(0).account === guess(1).account ? attempt.account : another(9999),
      address: guess(0).address === guess(1).address ? attempt.address : elsewhere(9999),
    }
    expect(await throttle.waitSeconds(next)).toBe(seconds)
  })
})

test('the wait runs down with the clock', async () => {
  const { throttle, world, fail } = await aThrottle()
  await fail(8)
  const waits: number[] = []
  for (let second = 0; second < 9; second++) {
    waits.push(await throttle.waitSeconds(attempt))
    world.advance('1 second')
  }

  expect(waits).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0])
})

test('all is forgotten an hour after the last failure, and leaves no trace', async () => {
  const { throttle, world, store, fail } = await aThrottle()
  await fail(500)
  world.advance('3599 seconds')
  await fail(1)
  world.advance('1 hour')
  expect(await throttle.waitSeconds(attempt)).toBe(0)

  world.advance('1 second')
  await fail(1, () => ({ account: 'other@acme.example', address: elsewhere(1) }))
  const rows = await store
    .tables<{ throttles: { bucket: string; failures: number } }>()
    .selectFrom('throttles')
    .select(['bucket', 'failures'])
    .orderBy('bucket')
    .execute()
  expect(rows.filter(({ failures }) => failures > 1)).toEqual([])
  expect(rows.map(({ bucket }) => bucket).filter((bucket) => bucket.includes('ana@'))).toEqual([])
})

test('the right password clears the guesser’s own slate and nobody else’s', async () => {
  const { throttle, fail } = await aThrottle()
  await fail(30)
  await throttle.succeeded(attempt)

  // what is left: the account (30 s at most) and the network
  expect(await throttle.waitSeconds({ ...attempt, address: elsewhere(1) })).toBe(30)
  expect(await throttle.waitSeconds({ ...attempt, account: another(1) })).toBe(900)
})

test('an account is not another one, nor is a network', async () => {
  const { throttle, fail } = await aThrottle()
  await fail(19)

  expect(await throttle.waitSeconds({ account: another(1), address: elsewhere(1) })).toBe(0)
  expect(await throttle.waitSeconds({ ...attempt, account: another(1) })).toBe(0)
  expect(await throttle.waitSeconds({ ...attempt, address: elsewhere(1) })).toBe(0)
})
