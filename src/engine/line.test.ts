import { expect, test } from 'vitest'
import { Line } from './line'

const patient = () => new AbortController().signal

/** Who has come to the counter so far, in order. */
function aLine(places: number) {
  const line = new Line(places)
  const served: string[] = []
  const leaving: Record<string, () => void> = {}
  const arrives = async (name: string, signal = patient()) => {
    leaving[name] = await line.enter(signal)
    served.push(name)
  }
  const leaves = async (name: string) => {
    leaving[name]?.()
    await settled()
  }
  return { line, served, arrives, leaves }
}

/** Everything that could go on without anybody leaving has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('as many as there are places go ahead, the others wait, first come first served', async () => {
  const { served, arrives, leaves } = aLine(2)
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
