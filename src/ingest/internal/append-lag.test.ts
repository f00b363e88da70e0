import { expect, test } from 'vitest'
import { AppendLag } from './append-lag'

test('a queue for the disk is too long once many wait and the oldest waits long', async () => {
  const clock = { ms: 0 }
  const lag = new AppendLag(() => clock.ms)
  const written = Promise.withResolvers<string>()
  const first = lag.during(written.promise)
  clock.ms = 1000
  expect(lag.isLong()).toBe(false)
  const others = Array.from({ length: 40 }, () => lag.during(written.promise))
  expect(lag.isLong()).toBe(true)
  written.resolve('written')
  expect(await first).toBe('written')
  await Promise.all(others)
  expect(lag.isLong()).toBe(false)
})
