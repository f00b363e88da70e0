import { expect, test } from 'vitest'
import { openRateLimiter } from './rate-limiter'

test('lets so many pass in a span, and others whatever the first did', () => {
  let now = 0
  const pass = openRateLimiter({ limit: 2, windowMs: 1000, now: () => now })

  expect([pass('ana'), pass('ana'), pass('ana'), pass('ben')]).toEqual([true, true, false, true])
  now = 999
  expect(pass('ana')).toBe(false)
  now = 1000
  expect(pass('ana')).toBe(true)
})
