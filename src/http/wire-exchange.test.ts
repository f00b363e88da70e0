import { expect, onTestFinished, test } from 'vitest'
import { aFlag } from '#test/random/random-flags'
import { RawConnection } from '#test/start/raw-connection'
import { key, someWireServices } from '#test/wire/posthog-fixture'
import { BodyMemory } from '#wire/body-memory'
import type { Dialect } from '#wire/dialect'
import { posthog } from '#wire/posthog/posthog'
import { createRouteMatcher } from '#wire/route-matcher'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { IngestGate } from './ingest-gate'
import { usualLimits } from './limits'
import { openLog } from '#server/log'
import { readTrustedRequest } from './trusted-request'
import { plainWireResponse } from './wire-exchange'

/** A front with one address that streams, its listeners, and a way to send them text. */
async function aFront() {
  const listeners = new Set<(text: string) => void>()
  const dialect: Dialect = {
    name: 'streaming',
    routes: [
      {
        methods: ['GET'],
        path: '/stream',
        respond: () => ({
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          body: 'hello\n',
          stream: (send) => {
            listeners.add(send)
            return () => listeners.delete(send)
          },
        }),
      },
    ],
  }
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: [dialect],
    // far longer than a test may take: no answer under way is cut off
    limits: { ...usualLimits(), drainMs: 86_400_000 },
  })
  front.use({
    wire: await someWireServices(),
    disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }),
  })
  let isDrained = false
  const drain = async () => {
    if (!isDrained) await front.drain()
    isDrained = true
  }
  onTestFinished(drain)
  const send = (text: string) => listeners.forEach((one) => one(text))
  return { front, listeners, send, drain }
}

/** Makes a listener, with what it has heard. */
async function aListener(port: number) {
  const leaving = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${port}/stream`, { signal: leaving.signal })
  let receivedText = ''
  let hasEnded = false
  const listen = async () => {
    for await (const part of answer.body ?? []) receivedText += Buffer.from(part).toString()
    hasEnded = true
  }
  // it fails for listeners that leave by themselves
  listen().catch(() => {})
  return { heard: () => receivedText, hasEnded: () => hasEnded, leave: () => leaving.abort() }
}

test('flags that need no look-up are answered without a promise', async () => {
  const match = createRouteMatcher([posthog])('POST', '/flags', 'v=2')
  if (!match) throw new Error('There is no route.')
  const request = { method: 'POST', url: '/flags?v=2', headers: { host: 'tilth.example' } }
  const trusted = { trusted: { by: 'nobody' as const }, addresses: () => [] }
  const trustedRequest = readTrustedRequest({ ...request, socket: { remoteAddress: '203.0.113.7' } }, trusted)
  const body = Buffer.from(JSON.stringify({ token: key, distinct_id: 'ana' }))
  const response = plainWireResponse({ request, trustedRequest }, body, match, {
    wire: await someWireServices({}, [aFlag({ key: 'cta' })]),
    gate: new IngestGate({ connections: 100, bodyBytes: 2 ** 20 }),
    bodyMemory: new BodyMemory({ largestBytes: 2 ** 20, heldBytes: 2 ** 24 }),
  })
  expect(response).toMatchObject({ status: 200, body: expect.stringContaining('"cta"') })
})

test('messages are streamed to a client until it disconnects', async () => {
  const { front, listeners, send } = await aFront()
  const [ana, ben] = [await aListener(front.port), await aListener(front.port)]
  expect(listeners.size).toBe(2)
  send('one\n')
  await expect.poll(ana.heard).toBe('hello\none\n')
  ben.leave()
  await expect.poll(() => listeners.size).toBe(1)
  send('two\n')
  await expect.poll(ana.heard).toBe('hello\none\ntwo\n')
})

test('who listens does not hold up the end, and hears that it has come', async () => {
  const { front, listeners, send, drain } = await aFront()
  const ana = await aListener(front.port)
  await expect.poll(ana.heard).toBe('hello\n')
  const drained = drain()
  // a change that comes in the midst of it does no harm
  send('late\n')
  await drained
  await expect.poll(ana.hasEnded).toBe(true)
  expect(listeners.size).toBe(0)
})

test('who reads nothing is not told for ever', async () => {
  const { front, listeners, send } = await aFront()
  const talk = await RawConnection.open(front.port)
  talk.send('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => listeners.size).toBe(1)
  talk.socket.pause()
  await expect
    .poll(() => {
      for (let n = 0; n < 20; n++) send('x'.repeat(1024 * 1024))
      return listeners.size
    })
    .toBe(0)
  talk.close()
})

test('a HEAD request gets no body', async () => {
  const { front, listeners } = await aFront()
  const answer = await fetch(`http://127.0.0.1:${front.port}/stream`, { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  await expect.poll(() => listeners.size).toBe(0)
})
