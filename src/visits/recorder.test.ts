import { expect, test } from 'vitest'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import type { EventDelivery, JointReceipt } from '#wire/dialect'
import { VisitRecorder } from './recorder'

const delivered = (name: string): EventDelivery => ({ events: [anEvent({ name })], envelope: anEnvelope() })
const taken: JointReceipt = { taken: true, receipts: [] }
const notTaken: JointReceipt = { taken: false, retryAfterSeconds: 0.01 }

/** A journal that says one thing after the other, and the last one from then on. */
function aRecorder(...says: (JointReceipt | Error)[]) {
  const written: string[][] = []
  const troubles: unknown[] = []
  const recorder = new VisitRecorder({
    ingestTogether: async (deliveries) => {
      const reply = says.length > 1 ? says.shift() : says[0]
      if (reply instanceof Error) throw reply
      if (reply?.taken) written.push(deliveries.flatMap(({ events }) => events.map(({ name }) => name)))
      return reply ?? taken
    },
    onTrouble: (problem) => troubles.push(problem),
  })
  return { recorder, written, troubles, all: () => written.flat() }
}

test('what is noted at once is written together, and in order', async () => {
  const { recorder, written } = aRecorder(taken)
  for (const name of ['a', 'b', 'c']) recorder.note(delivered(name))
  await recorder.close()
  expect(written).toEqual([['a', 'b', 'c']])
})

test('never so much at a time that it is felt', async () => {
  const { recorder, written, all } = aRecorder(taken)
  const names = Array.from({ length: 1000 }, (_, i) => String(i))
  for (const name of names) recorder.note(delivered(name))
  await recorder.close()
  expect(all()).toEqual(names)
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(64)
})

test('a journal that refuses is asked again, and nothing is lost or turned round', async () => {
  const { recorder, all } = aRecorder(notTaken, notTaken, taken)
  recorder.note(delivered('a'))
  recorder.note(delivered('b'))
  await expect.poll(all).toEqual(['a', 'b'])
})

test('what cannot be written at all is lost and told, and what comes after it is not', async () => {
  const { recorder, all, troubles } = aRecorder(new Error('no'), taken)
  recorder.note(delivered('a'))
  await expect.poll(() => troubles).toHaveLength(1)
  recorder.note(delivered('b'))
  await recorder.close()
  expect([all(), recorder.lost]).toEqual([['b'], 1])
})

test('at the end no one waits for a journal that refuses', async () => {
  let asked = 0
  const recorder = new VisitRecorder({
    ingestTogether: async () => ({ taken: false, retryAfterSeconds: 3600 * ++asked }),
    onTrouble: () => {},
  })
  recorder.note(delivered('a'))
  await expect.poll(() => asked).toBe(1)
  await recorder.close()
  expect(asked).toBe(2)
})

test('no more is kept waiting than there is room for, and that is told once', async () => {
  const { recorder, troubles } = aRecorder(notTaken)
  for (let i = 0; i < 20_010; i++) recorder.note(delivered('a'))
  expect([recorder.lost, troubles.length]).toEqual([10, 1])
  await recorder.close()
})
