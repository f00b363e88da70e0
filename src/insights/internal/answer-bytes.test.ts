import { expect, test } from 'vitest'
import { answerBytes } from './answer-bytes'

const rows = (count: number) => Array.from({ length: count }, (_, i) => [`id ${i}`, i])
const count = (value: unknown) => answerBytes(value, Infinity)

test('every letter, cell and key of an answer counts', () => {
  expect(count('x'.repeat(1000)) - count('x')).toBe(999)
  expect(count(rows(2000)) / count(rows(1000))).toBeCloseTo(2, 1)
  expect(count({ rows: rows(10), more: { total: null } })).toBeGreaterThan(count(rows(10)))
})

test('the size of an answer is counted no further than it has to be', () => {
  expect(answerBytes(rows(100_000), 1000)).toBeLessThan(1_000_000)
})
