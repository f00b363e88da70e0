import { expect, test } from 'vitest'
import { Slots } from './slots'

const patient = () => new AbortController().signal

/** A line at a counter: the people in it arrive, are served in order, and leave. */
function aLine(places: number, mostForOneProject = Math.max(1, places - 1)) {
  const line = new Slots<number | undefined>({ atOnce: places, perOwner: mostForOneProject })
  const served: string[] = []
  const leaving: Record<string, (() => void) | undefined> = {}
  const arrives = async (name: string, signal = patient(), project?: number) => {
    leaving[name] = await line.enter(project, signal)
    served.push(name)
  }
  const leaves = async (name: string) => {
    leaving[name]?.()
    await settled()
  }
  return { line, served, arrives, leaves }
}

/** Waits until all has gone on that can, without anyone leaving. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('as many as there are places go ahead, the others wait, first come first served', async () => {
  const { served, arrives, leaves } = aLine(2, 2)
  for (const name of ['ana', 'ben', 'cleo', 'dan']) void arrives(name)
  await settled()
  expect(served).toEqual(['ana', 'ben'])

  await leaves('ben')
  expect(served).toEqual(['ana', 'ben', 'cleo'])
  await leaves('ana')
  await leaves('cleo')
  await leaves('dan')
  void arrives('eve')
  void arrives('fay')
  void arrives('gil')
  await settled()
  expect(served).toEqual(['ana', 'ben', 'cleo', 'dan', 'eve', 'fay'])
})

test('who gives up waiting leaves the line, and the next one moves up', async () => {
  const { served, arrives, leaves } = aLine(1)
  const impatient = new AbortController()
  await arrives('ana')
  const gaveUp = expect(arrives('ben', impatient.signal)).rejects.toThrow('enough')
  void arrives('cleo')
  impatient.abort(new Error('enough'))
  await gaveUp
  await leaves('ana')
  expect(served).toEqual(['ana', 'cleo'])
})

test('who gave up before arriving takes no place', async () => {
  const { served, arrives } = aLine(1)
  await expect(arrives('ana', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  await arrives('ben')
  expect(served).toEqual(['ben'])
})

test('giving up after one’s turn has come changes nothing for the others', async () => {
  const { served, arrives, leaves } = aLine(1)
  const controller = new AbortController()
  await arrives('ana')
  const ben = arrives('ben', controller.signal)
  await leaves('ana')
  await ben
  controller.abort()
  void arrives('cleo')
  await settled()
  expect(served).toEqual(['ana', 'ben'])
  await leaves('ben')
  expect(served).toEqual(['ana', 'ben', 'cleo'])
})

test('a counter is busy from the second on, whether that one waits or not', async () => {
  const { line, arrives, leaves } = aLine(1)
  expect(line.isBusy).toBe(false)
  await arrives('ana')
  expect(line.isBusy).toBe(false)
  void arrives('ben')
  expect(line.isBusy).toBe(true)
  await leaves('ana')
  expect(line.isBusy).toBe(false)
})

test('a project with fifty slow statements keeps no other waiting, even one that never asked before', async () => {
  const { served, arrives } = aLine(2)
  for (let n = 1; n <= 50; n++) void arrives(`slow ${n}`, patient(), 1)
  await settled()
  expect(served).toEqual(['slow 1'])

  await arrives('quick', patient(), 2)
  expect(served).toEqual(['slow 1', 'quick'])
})

test('a slot that becomes free goes to the project that has none, however many wait before it', async () => {
  const { served, arrives, leaves } = aLine(3)
  for (let n = 1; n <= 50; n++) void arrives(`slow ${n}`, patient(), 1)
  for (let n = 1; n <= 50; n++) void arrives(`dull ${n}`, patient(), 2)
  void arrives('quick', patient(), 3)
  await settled()
  expect(served).toEqual(['slow 1', 'slow 2', 'dull 1'])

  await leaves('slow 1')
  expect(served.at(-1)).toBe('quick')
})

test('where two projects ask, one place is kept from each for the other', async () => {
  const { served, arrives, leaves } = aLine(3)
  await arrives('other', patient(), 2)
  await leaves('other')
  for (let n = 1; n <= 50; n++) void arrives(`slow ${n}`, patient(), 1)
  await settled()
  expect(served).toEqual(['other', 'slow 1', 'slow 2'])

  await arrives('quick', patient(), 2)
  expect(served.at(-1)).toBe('quick')
  await leaves('quick')
  expect(served.at(-1)).toBe('quick')
  await leaves('slow 1')
  expect(served.at(-1)).toBe('slow 3')
})

test('projects that wait take turns', async () => {
  const { served, arrives, leaves } = aLine(1)
  await arrives('a1', patient(), 1)
  for (const [name, project] of [
    ['a2', 1],
    ['a3', 1],
    ['b1', 2],
    ['b2', 2],
    ['c1', 3],
  ] as const)
    void arrives(name, patient(), project)
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await leaves(name)
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('an aborted query takes no turn of its project', async () => {
  const { served, arrives, leaves } = aLine(1)
  const impatient = new AbortController()
  await arrives('a1', patient(), 1)
  const gaveUp = expect(arrives('b1', impatient.signal, 2)).rejects.toThrow('enough')
  void arrives('b2', patient(), 2)
  impatient.abort(new Error('enough'))
  await gaveUp
  await leaves('a1')
  expect(served).toEqual(['a1', 'b2'])
})

const rules = {
  atOnce: 2,
  perOwner: 2,
  maxWaiting: 2,
  maxOfOwner: 10,
  maxWaitMs: 60_000,
}

test('more than may wait are refused at once, and those who wait come in the order of arrival', async () => {
  const limit = new Slots<string>(rules)
  const [first, second] = [await limit.enter('a'), await limit.enter('a')]
  const entered: string[] = []
  const third = limit.enter('a').then((release) => (entered.push('third'), release))
  const fourth = limit.enter('a').then((release) => (entered.push('fourth'), release))
  expect(await limit.enter('a')).toBeUndefined()
  first?.()
  // a second time is no second place
  first?.()
  const release = await third
  expect(entered).toEqual(['third'])
  second?.()
  release?.()
  ;(await fourth)?.()
  expect(entered).toEqual(['third', 'fourth'])
  expect(await Promise.all([limit.enter('a'), limit.enter('a')])).not.toContain(undefined)
})

test('one owner never has all places', async () => {
  const limit = new Slots<string>({ ...rules, maxOfOwner: 1 })
  const mine = await limit.enter('a')
  expect(await limit.enter('a')).toBeUndefined()
  expect(await limit.enter('b')).toBeDefined()
  mine?.()
  expect(await limit.enter('a')).toBeDefined()
})

test('a task that waits too long is refused and holds no slot', async () => {
  const limit = new Slots<string>({ ...rules, atOnce: 1, maxWaitMs: 1 })
  const first = await limit.enter('a')
  expect(await limit.enter('b')).toBeUndefined()
  first?.()
  expect(await limit.enter('b')).toBeDefined()
})

test('an owner with its share of the slots waits for its own, while another takes the free one', async () => {
  const limit = new Slots<string>({ ...rules, perOwner: 1 })
  const first = await limit.enter('a')
  const entered: string[] = []
  const second = limit.enter('a').then((release) => (entered.push('second of a'), release))
  const other = await limit.enter('b')
  const third = limit.enter('c').then((release) => (entered.push('c'), release))
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
