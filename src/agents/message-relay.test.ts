import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { relayMessages, type SendMessage } from './message-relay'

/** A client at one end and what it sends to at the other. */
function aRelay(send: SendMessage) {
  const input = new PassThrough()
  const lines: Record<string, unknown>[] = []
  const writeLine = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const ended = relayMessages({ input, writeLine, send })
  return {
    lines,
    write: (...messages: unknown[]) => {
      for (const message of messages)
        input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
    },
    end: async () => {
      input.end()
      await ended
    },
    untilLines: (count: number) =>
      vi.waitUntil(() => lines.length >= count, { timeout: patienceMs, interval: 5 }),
  }
}

const call = (id: number, name = 'run_sql') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name },
})
const idOf = (body: Uint8Array) => (JSON.parse(Buffer.from(body).toString()) as { id?: number }).id

test('an answer is passed on as it is, from a body of JSON and from a stream of events', async () => {
  const result = { jsonrpc: '2.0', id: 1, result: { text: 'a\nb 🌱' } }
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
  const bodies = [
    JSON.stringify(result),
    `: kept alive\n\nevent: message\ndata: ${JSON.stringify(progress)}\n\nevent: message\ndata: ${JSON.stringify(result)}\n\n`,
  ]
  const relay = aRelay(({ output }) => {
    // in small pieces, which also cut characters
    for (const byte of Buffer.from(bodies.shift() ?? '')) output.write(Buffer.from([byte]))
    return Promise.resolve({ status: 200, body: '' })
  })
  relay.write(call(1))
  await relay.untilLines(1)
  relay.write('', call(1))
  await relay.end()
  expect(relay.lines).toEqual([result, progress, result])
})

test('a message that is never answered holds up no other, and can be cancelled', async () => {
  const relay = aRelay(async ({ body, output, signal }) => {
    const id = idOf(body)
    if (id === 1)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    if (id !== undefined) output.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
    return { status: id === undefined ? 202 : 200, body: '' }
  })
  relay.write(call(1), call(2))
  await relay.untilLines(1)
  relay.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  await relay.end()
  expect(relay.lines).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
})

test('a revision is repeated in headers: the one agreed on, or that of the message', async () => {
  const sent: Record<string, string>[] = []
  const relay = aRelay(({ headers, body, output }) => {
    sent.push(headers)
    const id = idOf(body)
    const result = id === 1 ? { protocolVersion: '2025-06-18' } : {}
    if (id !== undefined) output.write(JSON.stringify({ jsonrpc: '2.0', id, result }))
    return Promise.resolve({ status: 200, body: '' })
  })
  relay.write({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
  await relay.untilLines(1)
  relay.write(call(2))
  await relay.untilLines(2)
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  relay.write({ ...call(3), params: { name: 'run_sql', _meta: meta } })
  await relay.end()
  expect(sent.map((headers) => headers['mcp-protocol-version'])).toEqual([
    undefined,
    '2025-06-18',
    '2026-07-28',
  ])
  expect(sent.map((headers) => headers['mcp-name'])).toEqual([undefined, undefined, 'run_sql'])
  expect(sent[2]).toMatchObject({ 'mcp-method': 'tools/call' })
})

test('a client that shows pictures has their session in later messages, and no other client has', async () => {
  const sessionsOf = async (capabilities: object) => {
    const sent: (string | undefined)[] = []
    const relay = aRelay(({ headers, output, body }) => {
      sent.push(headers['mcp-session-id'])
      output.write(JSON.stringify({ jsonrpc: '2.0', id: idOf(body), result: {} }))
      return Promise.resolve({ status: 200, body: '' })
    })
    relay.write({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities } })
    await relay.untilLines(1)
    relay.write(call(2))
    await relay.end()
    return sent[1]
  }
  const shows = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
  expect(await sessionsOf({ extensions: shows })).toBe('pictures')
  expect(await sessionsOf({ extensions: { 'io.modelcontextprotocol/ui': {} } })).toBeUndefined()
  expect(await sessionsOf({})).toBeUndefined()
})

test.each<[string, SendMessage, object]>([
  [
    'a refusal of Tilth',
    () => Promise.resolve({ status: 401, body: '{"error":{"message":"Send a secret key."}}' }),
    { code: -32_000, message: 'Send a secret key.' },
  ],
  [
    'a refusal of MCP',
    () =>
      Promise.resolve({
        status: 400,
        body: '{"jsonrpc":"2.0","id":7,"error":{"code":-32020,"message":"No such revision"}}',
      }),
    { code: -32_020, message: 'No such revision' },
  ],
  [
    'a page of another server',
    () => Promise.resolve({ status: 502, body: '<html>' }),
    { code: -32_000, message: 'HTTP 502.' },
  ],
  [
    'a lost connection',
    () => Promise.reject(new Error('Tilth at http://localhost:3000 stopped answering.')),
    { code: -32_000, message: 'Tilth at http://localhost:3000 stopped answering.' },
  ],
])('%s is the answer to the request, and the next one is sent', async (_, send, error) => {
  const relay = aRelay(send)
  relay.write(call(7), { jsonrpc: '2.0', method: 'notifications/initialized' }, call(7))
  await relay.end()
  const answer = { jsonrpc: '2.0', id: 7, error }
  expect(relay.lines).toEqual([answer, answer])
})

test('a line that is no message is refused', async () => {
  const relay = aRelay(() => Promise.reject(new Error('sent')))
  relay.write('hello', '[]', '"x"')
  await relay.end()
  expect(relay.lines.map(({ error }) => (error as { code: number }).code)).toEqual([
    -32_700, -32_700, -32_700,
  ])
})
