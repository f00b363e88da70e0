import { expect, onTestFinished, test } from 'vitest'
import { IngestGate } from './ingest-gate'

function aGate(now?: () => number): IngestGate {
  const gate = new IngestGate(now)
  onTestFinished(() => gate.close())
  return gate
}

test('a loop that stays late refuses events, and takes them once it is in time', () => {
  let now = 1000
  const gate = aGate(() => now)
  for (let late = 0; late < 4; late++) {
    gate.noteLag(150)
    expect(gate.isOverloaded(undefined)).toBe(false)
    now += 60
  }
  now += 60
  gate.noteLag(150)
  expect(gate.isOverloaded(undefined)).toBe(true)
  gate.noteLag(0)
  gate.noteLag(0)
  expect(gate.isOverloaded(undefined)).toBe(false)
})

test('one pause of a second refuses nothing', () => {
  let now = 1000
  const gate = aGate(() => now)
  gate.noteLag(1000)
  for (let turn = 0; turn < 20; turn++) {
    expect(gate.isOverloaded(undefined)).toBe(false)
    now += 20
    gate.noteLag(0)
  }
})

test('events that wait long for their turn are a reason to refuse more', () => {
  const gate = aGate()
  expect(gate.isOverloaded({ waitMs: 100 })).toBe(false)
  expect(gate.isOverloaded({ waitMs: 300 })).toBe(true)
})

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

test('hundreds of requests that come at once begin a few in each turn of the event loop, in their order', async () => {
  const gate = aGate()
  const begun: number[] = []
  for (let n = 0; n < 200; n++) {
    const entry = gate.enter(undefined)
    if (entry === true) begun.push(n)
    else void Promise.resolve(entry).then((mayEnter) => mayEnter && begun.push(n))
  }
  const perTurn: number[] = []
  for (let before = 0; begun.length < 200; before = begun.length) {
    await new Promise(setImmediate)
    perTurn.push(begun.length - before)
  }
  expect(Math.max(...perTurn.slice(1))).toBeLessThanOrEqual(64)
  expect(begun).toEqual(begun.toSorted((one, other) => one - other))
})

test('a request whose turn does not come in time is refused, and the next ones begin', async () => {
  const clock = { ms: 0 }
  const gate = aGate(() => clock.ms)
  const early = Array.from({ length: 100 }, () => gate.enter(undefined))
  clock.ms = 200
  const late = gate.enter(undefined)
  const entries = await Promise.all(early.map(async (mayEnter) => await mayEnter))
  expect(entries.filter((mayEnter) => !mayEnter)).toHaveLength(36)
  expect(await late).toBe(true)
  expect(gate.enter(undefined)).toBe(true)
})
