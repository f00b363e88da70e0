import { expect, test } from 'vitest'
import { realWorld } from './world'

test('chance is never given out twice, however little of it is asked for', () => {
  const given = Array.from({ length: 20_000 }, () => Buffer.from(realWorld.random(10)).toString('hex'))
  expect(new Set(given).size).toBe(given.length)
})

test.each([0, 1, 10, 64, 65, 8192, 10_000])('%i bytes are as many', (amount) => {
  expect(realWorld.random(amount)).toHaveLength(amount)
})

test('what was given out is its owner’s alone', () => {
  const mine = realWorld.random(16)
  mine.fill(7)
  const others = Array.from({ length: 2000 }, () => realWorld.random(16))
  expect(others.some((bytes) => bytes.every((byte) => byte === 7))).toBe(false)
  expect(mine.every((byte) => byte === 7)).toBe(true)
})
