import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld } from '#test/product/fixture'
import { openStore } from '#store/open'
import { type SignInAttempt, GuessThrottle } from './throttle'

const attempt: SignInAttempt = { account: 'ana@acme.example', network: '203.0.113.0/24' }
const elsewhere = (number: number) => `192.0.${number}.0/24`
const neighbour = (number: number) => ({ ...attempt, address: `203.0.113.${number}` })
const another = (number: number) => `member-${number}@acme.example`

async function aThrottle() {
  const world = aWorld()
  const store = await openStore({ folder: aFolder() })
  onTestFinished(() => store.close())
  const throttle = new GuessThrottle({ store, world })
  const waitSeconds = async (one: SignInAttempt): Promise<number> => {
    const admission = await throttle.admit(one)
    return admission.admitted ? 0 : admission.seconds
  }
  /** Guesses wrongly so many times, and waits as long as it is told to. */
  const fail: Fail = async (times, guess = () => attempt) => {
    for (let time = 0; time < times; time++) {
      const seconds = await waitSeconds(guess(time))
      if (seconds === 0) continue
      world.advance(`${seconds} seconds`)
      expect(await waitSeconds(guess(time))).toBe(0)
    }
  }
  return { throttle, world, store, fail, waitSeconds }
}

type Fail = (times: number, guess?: (time: number) => SignInAttempt) => Promise<void>

describe.each<[string, (time: number) => SignInAttempt, [number, number][]]>([
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
    (time) => ({ ...attempt, network: elsewhere(time) }),
    [
      [19, 0],
      [20, 1],
      [24, 16],
      [25, 32],
      [26, 60],
      [200, 60],
    ],
  ],
  [
    'many guessers in one network',
    (time) => ({ account: another(time), network: attempt.network, address: `203.0.113.${time}` }),
    [
      [49, 0],
      [50, 1],
      [53, 8],
      [54, 10],
      [120, 10],
    ],
  ],
  [
    'many guessers at many accounts',
    (time) => ({ account: another(time), network: elsewhere(time) }),
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
    const { waitSeconds, fail } = await aThrottle()
    await fail(failures, guess)

    // the next guess shares with the others only what they have in common
    const next = {
      account: guess(0).account === guess(1).account ? attempt.account : another(9999),
      network: guess(0).network === guess(1).network ? attempt.network : elsewhere(9999),
      ...(guess(0).address !== undefined && { address: '203.0.113.255' }),
    }
    expect(await waitSeconds(next)).toBe(seconds)
  })
})

test('the wait runs down with the clock', async () => {
  const { waitSeconds, world, fail } = await aThrottle()
  await fail(8)
  const waits: number[] = []
  for (let second = 0; second < 9; second++) {
    waits.push(await waitSeconds(attempt))
    world.advance('1 second')
  }

  expect(waits).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0])
})

test('all is forgotten an hour after the last failure, and leaves no trace', async () => {
  const { waitSeconds, world, store, fail } = await aThrottle()
  await fail(40)
  world.advance('1 hour')
  expect(await waitSeconds(attempt)).toBe(0)

  world.advance('3601 seconds')
  await fail(1, () => ({ account: 'other@acme.example', network: elsewhere(1) }))
  const rows = await store
    .tables<{ throttles: { bucket: string; failures: number } }>()
    .selectFrom('throttles')
    .select(['bucket', 'failures'])
    .orderBy('bucket')
    .execute()
  expect(rows.filter(({ failures }) => failures > 1)).toEqual([])
  expect(rows.map(({ bucket }) => bucket).filter((bucket) => bucket.includes('ana@'))).toEqual([])
})

test('a right password clears the record of its guesser, and no more than its own guess of the others', async () => {
  const { throttle, waitSeconds, world, fail } = await aThrottle()
  await fail(30)
  world.advance('900 seconds')
  const admission = await throttle.admit(attempt)
  if (!admission.admitted) throw new Error('The wait was over.')
  await throttle.succeeded(attempt, admission)

  // two waits are left: the account's, and that of the address that guessed
  world.advance('3 seconds')
  expect(await waitSeconds({ ...attempt, network: elsewhere(1) })).toBe(57)
  expect(await waitSeconds({ ...attempt, account: another(1) })).toBe(897)
})

test('an account is not another one, nor is a network', async () => {
  const { waitSeconds, fail } = await aThrottle()
  await fail(19)

  expect(await waitSeconds({ account: another(1), network: elsewhere(1) })).toBe(0)
  expect(await waitSeconds({ ...attempt, account: another(1) })).toBe(0)
  expect(await waitSeconds({ ...attempt, network: elsewhere(1) })).toBe(0)
})

test('guesses at one account from a network do not delay other accounts of that network by a quarter of an hour', async () => {
  const { waitSeconds, fail } = await aThrottle()
  await fail(30, () => neighbour(7))

  expect(await waitSeconds({ ...neighbour(8), account: another(1) })).toBe(0)
  expect(await waitSeconds(neighbour(8))).toBeLessThanOrEqual(60)
})

test('endless guesses from other networks cannot keep an address from signing in', async () => {
  const { waitSeconds, world, fail } = await aThrottle()
  await fail(60, (time) => ({ ...attempt, network: elsewhere(time) }))
  const told = await waitSeconds(attempt)
  for (let second = 0; second < told; second++) {
    world.advance('1 second')
    await waitSeconds({ ...attempt, network: elsewhere(1000 + second) })
  }

  expect(told).toBe(60)
  expect(await waitSeconds(attempt)).toBe(0)
})

test('guesses from a known device neither wait for strangers nor slow them', async () => {
  const { waitSeconds, world, fail } = await aThrottle()
  await fail(60, (time) => ({ ...attempt, network: elsewhere(time) }))
  const known = { ...attempt, device: 'of-ana' }
  expect(await waitSeconds(known)).toBe(0)
  await fail(20, () => known)

  expect(await waitSeconds(known)).toBe(900)
  world.advance('1 hour')
  expect(await waitSeconds({ ...attempt, network: elsewhere(1) })).toBe(0)
})

test('a burst of guesses at the same moment is counted before any of them is judged', async () => {
  const { waitSeconds } = await aThrottle()
  const waits = await Promise.all(Array.from({ length: 50 }, () => waitSeconds(attempt)))

  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(5)
})
