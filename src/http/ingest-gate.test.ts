import { expect, test } from 'vitest'
import { type EventRequest, IngestGate } from './ingest-gate'

const aGate = (limits: Partial<ConstructorParameters<typeof IngestGate>[0]> = {}) =>
  new IngestGate({ connections: 8192, bodyBytes: 10 * 1024 ** 2, ...limits })

const request = (more: Partial<EventRequest> = {}): EventRequest => ({
  sender: 'ana',
  bodyBytes: 1000,
  isInMemory: false,
  sendsAgain: true,
  ...more,
})

const once = request({ sendsAgain: false })
const batch = request({ bodyBytes: 100_000 })

/** Enters as often as told, and says which were admitted so far and how many were refused. */
function entries(gate: IngestGate, times: number, more: EventRequest | ((n: number) => EventRequest)) {
  const begun: number[] = []
  let refused = 0
  for (let n = 0; n < times; n++) {
    const entry = gate.enter(typeof more === 'function' ? more(n) : more)
    if (!entry) refused++
    else if (entry instanceof Promise) void entry.then(() => begun.push(n))
    else begun.push(n)
  }
  return { begun, refused }
}

const turns = async (times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await new Promise(setImmediate)
}

test('a refusal is answered within a quarter of a second, and counted', async () => {
  const gate = aGate()
  const order: string[] = []
  const refusal = gate.refuse().then(() => order.push('refused'))
  const later = new Promise((resolve) => setTimeout(resolve, 250)).then(() =>
    order.push('a quarter of a second'),
  )
  await Promise.all([refusal, later])
  expect(order).toEqual(['refused', 'a quarter of a second'])
  expect(gate.refused).toBe(1)
})

test('hundreds of requests that come at once begin a few in each turn of the event loop, in their order, and none is refused', async () => {
  const { begun, refused } = entries(aGate(), 200, request())
  expect(refused).toBe(0)
  const perTurn: number[] = []
  for (let before = begun.length; begun.length < 200; before = begun.length) {
    await turns(1)
    perTurn.push(begun.length - before)
  }
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(32)
  expect(begun).toEqual(begun.toSorted((one, other) => one - other))
})

test('a request that waits is not refused, however long its turn takes to come', async () => {
  const gate = aGate()
  const { begun } = entries(gate, 33, request())
  const until = performance.now() + 400
  // the event loop stands still, as that of a process that gets no processor
  while (performance.now() < until);
  await turns(2)
  expect(begun).toHaveLength(33)
})

test('what its client never sends again begins before the rest, and of the rest small requests before batches', async () => {
  const gate = aGate()
  entries(gate, 32, request({ sender: 'first' }))
  const batches = entries(gate, 60, batch)
  const small = entries(gate, 60, request())
  const first = entries(gate, 60, once)
  await turns(1)
  expect([first, small, batches].map(({ begun }) => begun.length)).toEqual([24, 7, 1])
  await turns(2)
  expect(first.begun).toHaveLength(60)
  expect(batches.begun.length).toBeLessThan(small.begun.length)
  await turns(20)
  expect([small.begun.length, batches.begun.length]).toEqual([60, 60])
})

test('senders take turns: hundreds of requests of one keep no other waiting', async () => {
  const gate = aGate()
  entries(gate, 500, request({ sender: 'noisy' }))
  const quiet = entries(gate, 3, request({ sender: 'quiet' }))
  await turns(1)
  expect(quiet.begun).toHaveLength(3)
})

test('only too many open requests are refused: batches first, what is never sent again last', () => {
  const gate = aGate({ connections: 1024 })
  const from = (more: EventRequest) => (n: number) => ({ ...more, sender: `sender ${n % 4}` })
  expect(entries(gate, 100, from(batch)).refused).toBe(84)
  expect(entries(gate, 300, from(request())).refused).toBe(44)
  expect(entries(gate, 600, from(once)).refused).toBe(88)
})

test('one sender fills half of a class, and leaves the rest to others', () => {
  const gate = aGate({ connections: 1024 })
  expect(entries(gate, 300, request()).refused).toBe(300 - 128)
  expect(entries(gate, 100, request({ sender: 'ben' })).refused).toBe(0)
})

test('a request that ends makes room for the next one', async () => {
  const gate = aGate({ connections: 64 })
  const left = gate.enter(request())
  expect(entries(gate, 10, request()).refused).toBe(3)
  ;(await left)?.()
  expect(entries(gate, 2, request()).refused).toBe(1)
})

test('bodies that wait in memory are counted, and a large one counts as a batch', () => {
  const gate = aGate({ bodyBytes: 1024 ** 2 })
  const inMemory = request({ bodyBytes: 16 * 1024, isInMemory: true })
  expect(entries(gate, 20, inMemory).refused).toBe(12)
  expect(entries(gate, 20, { ...inMemory, sendsAgain: false, sender: 'ben' }).refused).toBe(4)
  expect(entries(gate, 20, request()).refused).toBe(0)
})
