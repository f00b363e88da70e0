import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { caseCount } from '#test/random/differential'
import { RawConnection } from '#test/start/raw-connection'
import { refuseConnection } from '../refusals'
import { FastLane, formatHeaders } from './fast-lane'
import { readPlainHead } from './plain-request'

/** A request as it reached a handler. */
interface ReceivedRequest {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** The turns of the event loop that suffice for an answer. */
const turnsToAnswer = 5

const echo = (request: ReceivedRequest): string => JSON.stringify(request)

/** A server of `node:http` that says what it heard, with or without a fast lane before it. */
class EchoServer {
  readonly server: Server
  readonly sockets: Socket[] = []
  /** The number of requests that the lane answered. */
  plain = 0
  lane: FastLane | undefined
  /** The promise that the next requests wait for, of those that the lane answers. */
  gate: Promise<unknown> | undefined

  constructor(hasLane: boolean, patienceMs = 60_000) {
    this.server = createServer(
      { requireHostHeader: false, keepAliveTimeout: 65_000 },
      (request, response) => {
        const { method, url, headers } = request
        const respond = (bytes: Buffer): void => {
          const body = echo({ method, url, headers, body: bytes.toString('latin1') })
          response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body)
        }
        // later than the parser goes on with the same bytes, as real handlers do; what is aborted has no answer
        buffer(request).then(
          (bytes) => setImmediate(() => respond(bytes)),
          () => {},
        )
      },
    )
    this.server.on('clientError', refuseConnection)
    if (!hasLane) return
    this.lane = new FastLane(this.server, {
      keepAliveMs: 65_000,
      patienceMs,
      find: ({ method, url, headers }) =>
        url.startsWith('/not-plain')
          ? undefined
          : {
              maxBodyBytes: 50_000,
              answer: (bytes) => {
                if (url === '/changed-mind') return this.gate ? this.gate.then(() => undefined) : undefined
                this.plain++
                const body = echo({ method, url, headers, body: bytes.toString('latin1') })
                const headerLines = formatHeaders({ 'content-length': Buffer.byteLength(body) })
                const answer = { status: 200, headerLines, body: Buffer.from(body) }
                return this.gate ? this.gate.then(() => answer) : answer
              },
            },
    })
  }

  async listen(): Promise<this> {
    this.server.on('connection', (socket) => this.sockets.push(socket))
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return this
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port // it listens on a port
  }

  close(): void {
    this.lane?.destroy()
    this.server.closeAllConnections()
    this.server.close()
  }

  /** Everything that is answered to these pieces, of which each arrives alone, before the client's end and ours. */
  async answersTo(...pieces: readonly Buffer[]): Promise<unknown> {
    const talk = await RawConnection.open(this.port)
    const { localPort } = talk.socket
    for (const [i, piece] of pieces.entries()) {
      if (i === pieces.length - 1) talk.socket.end(piece)
      else {
        talk.send(piece)
        await this.untilRead(localPort, pieces.slice(0, i + 1))
      }
    }
    const answers = await talk.waitUntilClosed()
    return answers.map(({ status, headers: { date, ...headers }, body }) => ({
      status,
      headers,
      body,
      isDated: date !== undefined,
    }))
  }

  private async untilRead(localPort: number | undefined, pieces: readonly Buffer[]): Promise<void> {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
    for (;;) {
      const socket = this.sockets.findLast(({ remotePort }) => remotePort === localPort)
      if (socket && (socket.bytesRead >= bytes || socket.destroyed)) break
      await new Promise(setImmediate)
    }
    for (let turn = 0; turn < turnsToAnswer; turn++) await new Promise(setImmediate)
  }
}

const bare = new EchoServer(false)
const fast = new EchoServer(true)
beforeAll(async () => {
  await Promise.all([bare.listen(), fast.listen()])
})
afterAll(() => {
  bare.close()
  fast.close()
})

/** Heads as SDKs and browsers send them. */
const heads = {
  posthogJs:
    'POST /e/?ip=0&_=1795238145339&ver=1.449.2 HTTP/1.1\r\nHost: example.com\r\nConnection: keep-alive\r\n' +
    'Content-Length: 11\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\r\n' +
    'Content-Type: text/plain\r\nAccept: */*\r\nOrigin: https://example.com\r\nSec-Fetch-Site: cross-site\r\n' +
    'Referer: https://example.com/\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-US,en;q=0.9\r\n\r\n',
  server:
    'POST /batch/ HTTP/1.1\r\nhost: localhost:3000\r\nuser-agent: posthog-node/5.10.0\r\ncontent-type: application/json\r\n' +
    'content-length: 11\r\nx-forwarded-for: 203.0.113.7\r\n\r\n',
  browser:
    'GET /blog/hello?utm_source=a%20b HTTP/1.1\r\nHost: garden.example\r\nConnection: keep-alive\r\n' +
    'Cookie: a=b; c=d\r\nAccept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\nSec-Fetch-Dest: document\r\n\r\n',
} as const
const body = '{"event":1}'
const requestOf = (head: string): string => (head.startsWith('GET') ? head : head + body)
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

describe('plain requests', () => {
  test.each(Object.entries(heads))('the lane answers what %s sends as node:http does', async (_, head) => {
    const request = bytesOf(requestOf(head))
    const before = fast.plain
    expect(await fast.answersTo(request)).toEqual(await bare.answersTo(request))
    expect(fast.plain).toBe(before + 1)
  })

  test.each(Object.entries(heads))('%s may be cut at any byte', async (_, head) => {
    const request = bytesOf(requestOf(head))
    const expected = await bare.answersTo(request)
    for (let cut = 1; cut < request.length; cut++)
      expect(await fast.answersTo(request.subarray(0, cut), request.subarray(cut))).toEqual(expected)
  })

  test('a large body and a large response', async () => {
    const request = bytesOf(heads.server.replace('11', '40000') + 'x'.repeat(40_000))
    const before = fast.plain
    expect(await fast.answersTo(request)).toEqual(await bare.answersTo(request))
    expect(fast.plain).toBe(before + 1)
  })

  test('a connection carries many requests, one after the other', async () => {
    const talk = await RawConnection.open(fast.port)
    const before = fast.plain
    for (let n = 1; n <= 5; n++) await talk.send(requestOf(heads.server)).waitForResponses(n)
    expect(fast.plain).toBe(before + 5)
    expect(talk.responses().map(({ headers }) => headers['keep-alive'])).toEqual(Array(5).fill('timeout=65'))
    talk.close()
  })
})

describe('what is left to node:http, with its bytes', () => {
  const plain = heads.server
  const others: Record<string, string> = {
    'two requests at once': requestOf(plain) + requestOf(heads.browser),
    'more bytes than were announced': `${requestOf(plain)}x`,
    'a body in chunks': `${plain.replace('content-length: 11', 'transfer-encoding: chunked')}b\r\n${body}\r\n0\r\n\r\n`,
    'a length and chunks': requestOf(plain.replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n')),
    'two lengths': requestOf(plain.replace('\r\n\r\n', '\r\nContent-Length: 11\r\n\r\n')),
    'a list of lengths': requestOf(plain.replace('content-length: 11', 'content-length: 11, 11')),
    'a length with a sign': requestOf(plain.replace('content-length: 11', 'content-length: +11')),
    'a length in hexadecimal': requestOf(plain.replace('content-length: 11', 'content-length: 0xb')),
    'no length': plain.replace('content-length: 11\r\n', ''),
    'a GET with a body': requestOf(plain).replace('POST', 'GET'),
    'no host': requestOf(plain.replace('host: localhost:3000\r\n', '')),
    'two hosts': requestOf(plain.replace('\r\n\r\n', '\r\nHost: evil.example\r\n\r\n')),
    'an empty host': requestOf(plain.replace('localhost:3000', '')),
    'a folded header': requestOf(plain.replace('\r\n\r\n', '\r\nx-long: a\r\n b\r\n\r\n')),
    'a blank before a colon': requestOf(plain.replace('user-agent:', 'user-agent :')),
    'a blank after a value': requestOf(plain.replace('application/json', 'application/json ')),
    'a tab before a value': requestOf(plain.replace('user-agent: ', 'user-agent:\t')),
    'bare line feeds': requestOf(plain.replaceAll('\r\n', '\n')),
    'a bare carriage return': requestOf(plain.replace('application/json', 'application\rjson')),
    'a zero byte': requestOf(plain.replace('application/json', 'application\0json')),
    'a byte above ASCII': requestOf(plain.replace('application/json', 'applicati\u00f6n/json')),
    'HTTP/1.0': requestOf(plain.replace('HTTP/1.1', 'HTTP/1.0')),
    'a whole address': requestOf(plain.replace('/batch/', 'http://example.com/batch/')),
    'a fragment': requestOf(plain.replace('/batch/', '/batch/#x')),
    'two slashes': requestOf(plain.replace('/batch/', '//batch/')),
    'an escape in the path': requestOf(plain.replace('/batch/', '/b%61tch/')),
    'another method': requestOf(plain.replace('POST', 'PUT')),
    'a method in lower case': requestOf(plain.replace('POST', 'post')),
    'the last request': requestOf(plain.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')),
    'an upgrade': requestOf(plain.replace('\r\n\r\n', '\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n')),
    'an expectation': requestOf(plain.replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n')),
    'a trailer': requestOf(plain.replace('\r\n\r\n', '\r\ntrailer: x\r\n\r\n')),
    'an empty line first': `\r\n${requestOf(plain)}`,
    'a head of 20 kB': requestOf(plain.replace('\r\n\r\n', `\r\nx-large: ${'a'.repeat(20_000)}\r\n\r\n`)),
    'sixty headers': requestOf(
      plain.replace('\r\n\r\n', `${Array.from({ length: 60 }, (_, n) => `\r\nx-${n}: 1`).join('')}\r\n\r\n`),
    ),
    TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'half a head': plain.slice(0, 40),
    'half a body': requestOf(plain).slice(0, -4),
    nothing: '',
    'what no handler wants': requestOf(plain.replace('/batch/', '/not-plain/')),
    'what its handler gives back': requestOf(plain.replace('/batch/', '/changed-mind')),
    'a body that is larger than its handler takes': plain.replace('11', '60000') + 'x'.repeat(60_000),
    'a body that is larger than the lane takes': plain.replace('11', '200000') + 'x'.repeat(200_000),
  }

  test.each(Object.entries(others))('%s', async (what, text) => {
    const before = fast.plain
    expect(await fast.answersTo(bytesOf(text))).toEqual(await bare.answersTo(bytesOf(text)))
    expect([what, fast.plain]).toEqual([what, before])
  })

  test('a connection that was given away stays with node:http, in the order of its requests', async () => {
    const talk = await RawConnection.open(fast.port)
    const before = fast.plain
    await talk.send(requestOf(heads.server)).waitForResponses(1)
    await talk.send(requestOf(heads.server.replace('/batch/', '/not-plain/'))).waitForResponses(2)
    await talk.send(requestOf(heads.server)).waitForResponses(3)
    expect(fast.plain).toBe(before + 1)
    const urls = talk.responses().map(({ body: text }) => JSON.parse(text).url)
    expect(urls).toEqual(['/batch/', '/not-plain/', '/batch/'])
    talk.close()
  })

  test('requests that come before the answer to the first one are answered after it', async () => {
    const server = await new EchoServer(true).listen()
    onTestFinished(() => server.close())
    const { promise, resolve } = Promise.withResolvers<void>()
    server.gate = promise
    const talk = await RawConnection.open(server.port)
    talk.send(requestOf(heads.server))
    await expect.poll(() => server.plain).toBe(1)
    talk.send(requestOf(heads.browser)).send(requestOf(heads.posthogJs))
    await expect.poll(() => server.sockets[0]?.bytesRead).toBeGreaterThan(requestOf(heads.server).length)
    expect(talk.responses()).toEqual([])
    resolve()
    const answers = await talk.waitForResponses(3)
    expect(answers.map(({ body: text }) => JSON.parse(text).method)).toEqual(['POST', 'GET', 'POST'])
    talk.close()
  })

  test('a client that has closed its half gets no answer where the handler changes its mind', async () => {
    const server = await new EchoServer(true).listen()
    onTestFinished(() => server.close())
    const { promise, resolve } = Promise.withResolvers<void>()
    server.gate = promise
    const talk = await RawConnection.open(server.port)
    talk.socket.end(requestOf(heads.server.replace('/batch/', '/changed-mind')))
    await expect.poll(() => server.sockets[0]?.readableEnded).toBe(true)
    resolve()
    expect(await talk.waitUntilClosed()).toEqual([])
    expect(await server.answersTo(bytesOf(requestOf(heads.browser)))).toMatchObject([{ status: 200 }])
  })

  test('a connection that says nothing, and one that does not come to an end, are given away in time', async () => {
    const server = await new EchoServer(true, 20).listen()
    onTestFinished(() => server.close())
    const silent = await RawConnection.open(server.port)
    const slow = await RawConnection.open(server.port)
    slow.send(requestOf(heads.server).slice(0, -1))
    // the listeners of node:http are added when it takes over
    await expect.poll(() => server.sockets.map((socket) => socket.listenerCount('drain'))).toEqual([1, 1])
    silent.send(requestOf(heads.server))
    slow.send(requestOf(heads.server).slice(-1))
    await Promise.all([silent.waitForResponses(1), slow.waitForResponses(1)])
    expect(server.plain).toBe(0)
    silent.close()
    slow.close()
  })
})

describe('any bytes', () => {
  const oddBytes = [
    '\r',
    '\n',
    '\r\n',
    '\0',
    ' ',
    '\t',
    ':',
    ',',
    ';',
    '%',
    '#',
    '/',
    '\\',
    'a',
    'Z',
    '0',
    '-',
    '_',
    '\x7f',
    '\x80',
    '\xff',
  ]
  const oddLines = [
    'Content-Length: 11',
    'content-length: 5',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding : chunked',
    'transfer-encoding: identity',
    'Host: evil.example',
    'Connection: close',
    'Connection: keep-alive, close',
    'Expect: 100-continue',
    ' folded',
    'x',
    ':',
    'x:',
    'constructor: 1',
    '__proto__: 1',
    'Cookie: e=f',
    'accept: a',
    'X-Forwarded-For: 1.2.3.4',
    'HTTP/1.1',
    'Upgrade: websocket',
  ]
  const change = fc.record({
    kind: fc.constantFrom('insert', 'remove', 'replace', 'line', 'repeat', 'cut'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    what: fc.constantFrom(...oddBytes),
    line: fc.constantFrom(...oddLines),
  })
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

  function changed(text: string, { kind, at, what, line }: Change): string {
    const index = Math.floor(at * text.length)
    const lineEnd = text.indexOf('\r\n', index)
    const put = lineEnd < 0 ? index : lineEnd
    switch (kind) {
      case 'insert':
        return text.slice(0, index) + what + text.slice(index)
      case 'remove':
        return text.slice(0, index) + text.slice(index + 1)
      case 'replace':
        return text.slice(0, index) + what + text.slice(index + 1)
      case 'line':
        return `${text.slice(0, put)}\r\n${line}${text.slice(put)}`
      case 'repeat':
        return text + text.slice(index)
      case 'cut':
        return text.slice(0, index)
      default:
        return text
    }
  }

  const sentText = fc
    .tuple(fc.constantFrom(...Object.values(heads)), fc.array(change, { maxLength: 3 }))
    .map(([head, changes]) => changes.reduce(changed, requestOf(head)))

  test('are answered as node:http answers them', async () => {
    await fc.assert(
      fc.asyncProperty(sentText, fc.double({ min: 0, max: 1, noNaN: true }), async (text, at) => {
        const bytes = bytesOf(text)
        const cut = Math.floor(at * bytes.length)
        const pieces = cut > 0 && cut < bytes.length ? [bytes.subarray(0, cut), bytes.subarray(cut)] : [bytes]
        expect(await fast.answersTo(...pieces)).toEqual(await bare.answersTo(...pieces))
      }),
      { numRuns: caseCount * 20 },
    )
  })

  test('are read as a plain head only where node:http reads the same', async () => {
    await fc.assert(
      fc.asyncProperty(sentText, async (text) => {
        const plain = readPlainHead(bytesOf(text))
        fc.pre(plain !== undefined && text.length === plain.headBytes + plain.bodyBytes)
        const [answer] = (await bare.answersTo(bytesOf(text))) as { status: number; body: string }[]
        const { body: urls, ...head } = JSON.parse(answer?.body ?? '{}')
        expect(head).toEqual({ method: plain?.method, url: plain?.url, headers: plain?.headers })
        expect(urls).toBe(text.slice(plain?.headBytes))
      }),
      { numRuns: caseCount * 5 },
    )
  })
})

describe('the end', () => {
  test('an idle connection is closed at once, a busy one after its answer', async () => {
    const server = await new EchoServer(true).listen()
    onTestFinished(() => server.close())
    const { promise, resolve } = Promise.withResolvers<void>()
    const idle = await RawConnection.open(server.port)
    await idle.send(requestOf(heads.server)).waitForResponses(1)
    server.gate = promise
    const busy = await RawConnection.open(server.port)
    busy.send(requestOf(heads.server))
    await expect.poll(() => server.plain).toBe(2)
    server.lane?.drain()
    await idle.waitUntilClosed()
    resolve()
    const [answer] = await busy.waitUntilClosed()
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
  })

  test('a connection that said nothing is closed, also where node:http has it', async () => {
    const server = await new EchoServer(true, 20).listen()
    onTestFinished(() => server.close())
    const old = await RawConnection.open(server.port)
    const used = await RawConnection.open(server.port)
    await expect.poll(() => server.sockets.map((socket) => socket.listenerCount('drain'))).toEqual([1, 1])
    await used.send(requestOf(heads.server)).waitForResponses(1)
    const fresh = await RawConnection.open(server.port)
    await expect.poll(() => server.sockets.length).toBe(3)
    server.lane?.drain()
    await Promise.all([old.waitUntilClosed(), fresh.waitUntilClosed()])
    // a connection that `node:http` has answered before is closed by `node:http`
    expect(used.socket.destroyed).toBe(false)
  })

  test('a request that was on its way when the end came is answered', async () => {
    const server = await new EchoServer(true).listen()
    onTestFinished(() => server.close())
    const fresh = await RawConnection.open(server.port)
    await expect.poll(() => server.sockets.length).toBe(1)
    server.lane?.drain()
    const [answer] = await fresh.send(requestOf(heads.server)).waitUntilClosed()
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
  })

  test('a client that reads nothing is sent no second answer before it reads the first', async () => {
    const server = await new EchoServer(true).listen()
    onTestFinished(() => server.close())
    const talk = await RawConnection.open(server.port)
    talk.socket.pause()
    const [socket] = server.sockets
    // as if what was written before had not left
    Object.defineProperty(socket, 'writableNeedDrain', { value: true, configurable: true })
    talk.send(requestOf(heads.server))
    await expect.poll(() => server.plain).toBe(1)
    talk.send(requestOf(heads.server))
    await expect.poll(() => socket?.isPaused()).toBe(true)
    expect(server.plain).toBe(1)
    Object.defineProperty(socket, 'writableNeedDrain', { value: false, configurable: true })
    socket?.emit('drain')
    talk.socket.resume()
    await talk.waitForResponses(2)
    talk.close()
  })
})

test('a header that would begin another one is not sent', () => {
  expect(() => formatHeaders({ 'x-odd': 'a\r\nset-cookie: b=c' })).toThrow(
    'The header x-odd has an invalid value.',
  )
  expect(formatHeaders({ one: 1, many: ['a', 'b'], none: undefined })).toBe(
    'one: 1\r\nmany: a\r\nmany: b\r\n',
  )
})

test('headers are formatted again unless they are frozen', () => {
  const headers = { one: 1 }
  expect(formatHeaders(headers)).toBe('one: 1\r\n')
  headers.one = 2
  expect(formatHeaders(headers)).toBe('one: 2\r\n')
  const frozen = Object.freeze({ ...headers })
  expect(formatHeaders(frozen)).toBe(formatHeaders(frozen))
})
