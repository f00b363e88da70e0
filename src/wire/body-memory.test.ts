import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BodyMemory } from './body-memory'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const memoryOf = (heldBytes: number) => new BodyMemory({ largestBytes: heldBytes, heldBytes })

test('one sender takes half of the memory, or everything with a single body', () => {
  const memory = memoryOf(100)
  const whole = memory.reserve('ana', 100)
  expect(whole).toBeDefined()
  expect(memory.reserve('ben', 1)).toBeUndefined()
  whole?.release()

  expect(memory.reserve('ana', 50)).toBeDefined()
  expect(memory.reserve('ana', 1)).toBeUndefined()
  expect(memory.reserve('ben', 50)).toBeDefined()
  expect(memory.reserve('cem', 1)).toBeUndefined()
})

test('a reservation grows only where there is room, and its release gives back what it grew to', () => {
  const memory = memoryOf(100)
  const first = memory.reserve('ana', 10)
  const second = memory.reserve('ben', 30)
  expect(first?.resize(71)).toBe(false)
  expect(first?.resize(70)).toBe(true)
  expect(memory.reserve('cem', 1)).toBeUndefined()
  second?.release()
  expect(memory.reserve('cem', 30)).toBeDefined()
  first?.release()
  expect(memory.reserve('dan', 70)).toBeDefined()
})

test('who finds no room gets it in the order of arrival, past a body that does not fit yet', async () => {
  const memory = memoryOf(100)
  const [first, second] = [memory.reserve('ana', 50), memory.reserve('ben', 50)]
  const admitted: string[] = []
  const large = memory.reserveFor('cem', 10).then((reservation) => (admitted.push('large'), reservation))
  const small = memory.reserveFor('dan', 4).then((reservation) => (admitted.push('small'), reservation))
  first?.release()
  await small
  second?.release()
  expect((await small)?.resize(0)).toBe(true)
  await large
  expect(admitted).toEqual(['small', 'large'])
})

test('room for bodies that are not read yet is promised once for each that leaves', async () => {
  const memory = memoryOf(400_000)
  const [first, second] = [memory.reserve('ana', 200_000), memory.reserve('ben', 200_000)]
  const waiting = ['cem', 'dan'].map((sender) => memory.waitForSpaceToRead(sender, 20_000))
  first?.release()
  expect(await Promise.race(waiting.map(async (one, index) => (await one, index)))).toBe(0)
  second?.release()
  expect(await Promise.all(waiting)).toEqual([true, true])
  expect(memory.reserve('eve', 400_000)).toBeDefined()
})

test('who finds no room for a second is refused, and one more of hundreds at once', async () => {
  const memory = memoryOf(100)
  memory.reserve('ana', 100)
  const waiting = Array.from({ length: 257 }, () => memory.reserveFor('ben', 1))
  expect(await waiting[256]).toBeUndefined()
  const read = memory.waitForSpaceToRead('cem', 20_000)
  expect(await read).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 257 }, () => undefined))
})

test('a small body waits as long as it takes, and gets room before large ones that came earlier', async () => {
  const memory = memoryOf(100)
  const all = memory.reserve('ana', 100)
  const admitted: string[] = []
  const large = memory.reserveFor('ben', 5).then((reservation) => reservation && admitted.push('large'))
  vi.advanceTimersByTime(900)
  const small = Promise.resolve(memory.reserveForSmall('cem', 90)).then((reservation) => {
    admitted.push('small')
    return reservation
  })
  vi.advanceTimersByTime(60_000)
  await large
  all?.release()
  expect((await small).resize(100)).toBe(true)
  expect(admitted).toEqual(['small'])
})
