import { expect, test } from 'vitest'
import { StallWatch } from './crashlab/stall-watch'

test('the lab reports that storing stands still while events wait, once', () => {
  const watch = new StallWatch()
  const seen = [0, 20_000, 44_000, 46_000, 60_000].map((now) =>
    watch.failureAt(now, { accepted: 100 + now, stored: 28, pending: 72 + now }),
  )
  expect(seen.map((failure) => failure !== undefined)).toEqual([false, false, false, true, false])
  expect(seen[3]).toBe('nothing was stored for 46 s while 46072 events waited')
})

test.each([
  ['slow progress', (n: number) => ({ accepted: 1000, stored: n, pending: 1000 - n })],
  ['nothing to store', () => ({ accepted: 1000, stored: 1000, pending: 0 })],
  ['a front that does not answer', () => undefined],
])('the lab takes %s for no standstill', (_, countsAt) => {
  const watch = new StallWatch()
  const seen = Array.from({ length: 10 }, (__, n) => watch.failureAt(n * 30_000, countsAt(n)))
  expect(seen.filter(Boolean)).toEqual([])
})
