import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { engineError } from '#engine/failures'
import { eventNumbers, uuidNumber } from '#test/deep/crashlab/events'
import { RetryLoop } from './retry-loop'
import { RowStorer, rowToStore } from './store-rows'

function usedHeap(): number {
  setFlagsFromString('--expose-gc')
  // only a new context has what the flag defines
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('memory does not grow with each attempt while the engine takes no events', async () => {
  const person = uuidNumber(1)
  const rows = eventNumbers(0, 1000).map((event) => rowToStore(event, person))
  const heap: number[] = []
  let attempts = 0
  const storer = new RowStorer(
    {
      query: async () => [],
      insert: async () => expect.unreachable('every row fits its columns'),
      insertNative: async () => {
        attempts += 1
        if (attempts === 10 || attempts === 160) heap.push(usedHeap())
        if (attempts <= 160) throw engineError('unavailable', 'it is away')
      },
    },
    { keep: async () => {} },
    new RetryLoop({ first: 0, most: 0 }),
    () => {},
  )
  expect(await storer.store(await storer.prepare(rows))).toHaveLength(1000)

  const [early = Number.NaN, late = Number.NaN] = heap
  expect(late - early).toBeLessThan(1.5 * 1024 ** 2)
})
