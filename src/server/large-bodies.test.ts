import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { aFrontForEvents } from '#test/wire/front-for-events'
import { key, someWireServices } from '#test/wire/posthog-fixture'
import type { Dialect } from '#wire/dialect'
import { readConfig } from './config'
import { openFront } from './internal/front'
import { openLog } from './log'

const MB = 1024 ** 2

/** A front that may take 512 MB. It answers bodies once `answer` was called. */
async function aSmallFront() {
  const mayAnswer = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const take: Dialect['routes'][number]['respond'] = async ({ parsedBody }) => {
    if (parsedBody?.read === false) return { status: 413, body: parsedBody.detail }
    reached.resolve()
    await mayAnswer.promise
    return { status: 200, body: 'taken' }
  }
  const dialect: Dialect = { name: 'taking', routes: [{ methods: ['POST'], path: '/take', respond: take }] }
  const reading = readConfig({ PORT: '0', TILTH_MEMORY: '512m' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: [dialect],
  })
  front.use({
    wire: await someWireServices(),
    disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }),
  })
  onTestFinished(() => front.drain())
  onTestFinished(() => mayAnswer.resolve())
  const address = `http://127.0.0.1:${front.port}/take`
  const send = (bytes: number) =>
    fetch(address, { method: 'POST', body: JSON.stringify('a'.repeat(bytes - 2)) })
  return { address, send, answer: () => mayAnswer.resolve(), reached: reached.promise }
}

test('with 512 MB a body of 13.5 MB hears 413 with the limit, and one of 5 MB is taken', async () => {
  const { send, answer } = await aSmallFront()
  answer()

  const refused = await send(13.5 * MB)
  expect(refused.status).toBe(413)
  expect(await refused.text()).toContain('6 MB')
  expect((await send(5 * MB)).status).toBe(200)
})

test('with 512 MB a body of 4 MB that would take more than there is memory for once it is parsed hears 413', async () => {
  const { address, answer } = await aSmallFront()
  answer()
  const post = (body: BodyInit) => fetch(address, { method: 'POST', body })
  const keys = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n]))
  const events = (count: number) => JSON.stringify(Array.from({ length: count }, () => keys))

  const refused = await post(events(8000))
  expect(refused.status).toBe(413)
  expect(await refused.text()).toContain('Send fewer events')
  expect((await post(gzipSync(events(8000)))).status).toBe(413)
  const packedInText = `data=${encodeURIComponent(gzipSync(events(8000)).toString('base64'))}`
  expect((await post(packedInText)).status).toBe(413)
  expect((await post(events(1000))).status).toBe(200)
})

test('with 512 MB a second large body of the same network hears 503 until the first is answered', async () => {
  const { send, answer, reached } = await aSmallFront()
  const first = send(5 * MB)
  await reached

  const second = await send(5 * MB)
  expect(second.status).toBe(503)
  expect(second.headers.get('retry-after')).toBe('1')

  answer()
  expect((await first).status).toBe(200)
  expect((await send(5 * MB)).status).toBe(200)
})

test('with 512 MB bodies that arrive slowly take 24 MB together, and a small one is still answered', async () => {
  const { address, send, answer } = await aSmallFront()
  answer()
  const statuses: number[] = []
  const anyRefused = Promise.withResolvers<void>()
  for (let n = 0; n < 6; n++) {
    const sent = request(address, { method: 'POST', headers: { 'content-length': 6 * MB } }, (response) => {
      statuses.push(response.statusCode ?? 0)
      anyRefused.resolve()
    })
    sent.on('error', () => {})
    sent.write(Buffer.alloc(5 * MB, 'a'))
    onTestFinished(() => void sent.destroy())
  }
  await anyRefused.promise
  expect(statuses[0]).toBe(503)
  expect((await send(1000)).status).toBe(200)
})

test.each([
  ['as they are', (text: string) => text],
  ['packed', (text: string) => new Uint8Array(gzipSync(text))],
])('thousands of lines of an import are taken, %s', async (_how, encode) => {
  const { wire, send } = await aFrontForEvents()
  const lines = Array.from({ length: 3000 }, (_, n) =>
    JSON.stringify({
      event: 'ordered',
      properties: { time: 1_700_000_000 + n, distinct_id: `visitor ${n}`, $insert_id: `order-${n}` },
    }),
  )
  const answer = await send('/import?strict=1', encode(lines.join('\n')), {
    authorization: `Basic ${btoa(`${key}:`)}`,
  })
  expect(await answer.json()).toEqual({ code: 200, num_records_imported: 3000, status: 'OK' })
  expect(wire.events()).toHaveLength(3000)
})
