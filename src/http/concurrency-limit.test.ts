import { expect, test } from 'vitest'
import { ConcurrencyLimit } from './concurrency-limit'

const rules = {
  maxConcurrent: 2,
  maxConcurrentPerNetwork: 2,
  maxWaiting: 2,
  maxPerNetwork: 10,
  maxWaitMs: 60_000,
}

test('more than may wait are refused at once, and those who wait come in the order of arrival', async () => {
  const limit = new ConcurrencyLimit(rules)
  const [first, second] = [await limit.acquire('a'), await limit.acquire('a')]
  const entered: string[] = []
  const third = limit.acquire('a').then((release) => (entered.push('third'), release))
  const fourth = limit.acquire('a').then((release) => (entered.push('fourth'), release))
  expect(await limit.acquire('a')).toBeUndefined()
  first?.()
  // a second time is no second place
  first?.()
  const release = await third
  expect(entered).toEqual(['third'])
  second?.()
  release?.()
  ;(await fourth)?.()
  expect(entered).toEqual(['third', 'fourth'])
  expect(await Promise.all([limit.acquire('a'), limit.acquire('a')])).not.toContain(undefined)
})

test('one network never has all places', async () => {
  const limit = new ConcurrencyLimit({ ...rules, maxPerNetwork: 1 })
  const mine = await limit.acquire('a')
  expect(await limit.acquire('a')).toBeUndefined()
  expect(await limit.acquire('b')).toBeDefined()
  mine?.()
  expect(await limit.acquire('a')).toBeDefined()
})

test('a request that waits too long is refused and holds no slot', async () => {
  const limit = new ConcurrencyLimit({ ...rules, maxConcurrent: 1, maxWaitMs: 1 })
  const first = await limit.acquire('a')
  expect(await limit.acquire('b')).toBeUndefined()
  first?.()
  expect(await limit.acquire('b')).toBeDefined()
})

test('a network with its share of the slots waits for its own, while another takes the free one', async () => {
  const limit = new ConcurrencyLimit({ ...rules, maxConcurrentPerNetwork: 1 })
  const first = await limit.acquire('a')
  const entered: string[] = []
  const second = limit.acquire('a').then((release) => (entered.push('second of a'), release))
  const other = await limit.acquire('b')
  const third = limit.acquire('c').then((release) => (entered.push('c'), release))
  expect(entered).toEqual([])
  // the slot of b is not for a, which was there before c
  other?.()
  const last = await third
  expect(entered).toEqual(['c'])
  first?.()
  ;(await second)?.()
  last?.()
  expect(entered).toEqual(['c', 'second of a'])
})
