import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { anEnvelope, anIngestContext } from '#test/product/ingest-fixture'
import type { Json } from '#events/event'
import { JournalDraft } from '#ingest/internal/journal-draft'
import { prepare } from '#ingest/prepare'
import { weighInSlices, weightOf } from './body-weight'
import { parseJson } from '../decode-body'
import { incomingEvent } from '../posthog/events'

const keys = (n: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}-${n}`, i]))

const shapes: [string, (n: number) => Json][] = [
  ['smallest', () => ({ event: 'e', distinct_id: 'a' })],
  ['small', (n) => ({ event: 'clicked', properties: { distinct_id: `v-${n}`, plan: 'team', n } })],
  [
    'ordinary',
    (n) => ({ event: 'x', properties: { distinct_id: `v-${n}`, ...keys(n, 8), note: 'ab '.repeat(150) } }),
  ],
  ['with many keys', (n) => ({ event: 'x', distinct_id: `v-${n}`, properties: keys(n, 60) })],
  [
    'with empty objects',
    (n) => ({
      event: 'x',
      distinct_id: `v-${n}`,
      properties: { a: Array.from({ length: 100 }, () => ({})) },
    }),
  ],
  [
    'with many numbers',
    (n) => ({
      event: 'x',
      distinct_id: `v-${n}`,
      properties: { a: Array.from({ length: 500 }, (_, i) => i % 7) },
    }),
  ],
]

const count = 2000

test.each(shapes)(
  '%s events take no more memory on their way to the journal than is reserved',
  async (_name, make) => {
    const bytes = Buffer.from(JSON.stringify(Array.from({ length: count }, (_, n) => make(n))))
    const context = await anIngestContext()
    const before = memoryHeld()
    const text = bytes.toString()
    const parsed = parseJson(text)
    const draft = new JournalDraft()
    for (const event of parsed.read && Array.isArray(parsed.what) ? parsed.what : []) {
      const prepared = prepare(incomingEvent(event), anEnvelope(), context)
      if (prepared.kept) draft.add(prepared.event)
    }
    draft.finish()
    const held = memoryHeld() - before
    expect(draft.events).toBe(count)
    expect(text.length + Number(parsed.read)).toBeGreaterThan(count)
    expect(weightOf(bytes)).toBeGreaterThan(0.8 * held)
  },
)

test('a body weighs the same in slices', () => {
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, keys: [n, {}] }))))
  const weighing = weighInSlices(bytes)
  let slices = 0
  let step = weighing.next()
  for (; !step.done; step = weighing.next()) slices++
  expect(step.value).toBe(weightOf(bytes))
  expect(slices).toBe(Math.ceil(bytes.length / 65_536))
})

/** Returns the memory on the heap and beside it, once all that can be is collected. */
function memoryHeld(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
