import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { FairScheduler } from '#ingest/fair-scheduler'
import { BodyMemory } from './body-memory'
import { weightOf } from './internal/body-weight'
import { withOpenBody } from './open-body'

/** Returns the bytes that are reserved for a body while its dialect responds. */
async function reservedFor(body: string | Buffer, hasEventsAsTexts = false): Promise<number> {
  const bounds = { largestBytes: 2 ** 30, heldBytes: 2 ** 30 }
  const memory = new BodyMemory(bounds)
  const request = { headers: {}, body: Buffer.from(body), sender: 'ana', takesEvents: true, hasEventsAsTexts }
  const free = await withOpenBody(request, { scheduler: new FairScheduler(), memory }, () => {
    let left = bounds.heldBytes
    for (let step = left; step >= 1; step /= 2) {
      const reservation = memory.reserve('ben', left - step)
      if (!reservation) left -= step
      reservation?.release()
    }
    return left
  })
  return bounds.heldBytes - (free ?? Number.NaN)
}

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const asForm = (text: string | Buffer) => `data=${encodeURIComponent(base64(text))}`
const events = (count: number, event: object) => JSON.stringify(Array.from({ length: count }, () => event))

const ordinary = events(50, {
  event: 'x',
  properties: { distinct_id: 'v', $current_url: 'https://acme.example/', note: 'ab '.repeat(150) },
})
const smallest = events(1000, { event: 'e', distinct_id: 'a' })

test.each([
  ['base64', base64],
  ['base64 in a form', asForm],
  ['base64 in a form behind a space', (text: string) => asForm(text).replace('=', '=%20')],
  ['gzip in base64', (text: string) => base64(gzipSync(text))],
  [
    'gzip in base64 that does not begin like it',
    (text: string) => ` data=${base64(gzipSync(text))}`.slice(6),
  ],
])('%s weighs what it decodes to, and little more', async (_what, encode) => {
  for (const text of [ordinary, smallest]) {
    const weight = weightOf(Buffer.from(text))
    const reserved = await reservedFor(encode(text))
    expect(reserved).toBeGreaterThanOrEqual(0.99 * weight)
    expect(reserved).toBeLessThan(1.6 * weight)
  }
})

test.each([
  ['lines of forms', 'en=e\n'.repeat(1000), false],
  ['JSON in a form', `api_key=a&identification=${encodeURIComponent(smallest)}`, false],
  ['a list of texts', JSON.stringify({ requests: Array.from({ length: 1000 }, () => '?rec=1') }), true],
])('%s weigh as much as a thousand events', async (_what, body, hasEventsAsTexts) => {
  expect(await reservedFor(body, hasEventsAsTexts)).toBeGreaterThan(700 * 1000)
})
