import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { RawConnection } from '#test/start/raw-connection'
import type { EngineHealth } from '#engine/engine'
import { FairScheduler } from '#ingest/fair-scheduler'
import type { Dialect, WireRefusal, WireResponse, WireRequest } from '#wire/dialect'
import { type Config, type EnvironmentVariables, readConfig } from '../config'
import { type Front, openFront } from './front'
import type { Product } from '../product'
import { newsletterPath } from '#letters/subscription-links'
import { unsubscribePath } from '#surveys/mailings/unsubscribe-links'
import { posthog } from '#wire/posthog/posthog'
import type { RunningServices } from './ready'
import { readBodyOf } from '#http/forward'
import { bodyLimits, type Limits, usualLimits } from '#http/limits'
import { openLog } from '../log'
import { StoreUnavailableError } from '#store/store'

const KB = 1024
const quick: Limits = {
  ...usualLimits(),
  headersMs: 300,
  requestMs: 600,
  checkEveryMs: 50,
  bodyIdleMs: 200,
  lingerMs: 300,
  drainMs: 500,
}

/** For bodies that take a busy machine as long as they take; what is measured is their size. */
const patient: Limits = { ...usualLimits(), drainMs: 500 }

const opened: Front[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((front) => front.drain()))
})

const engineHealth: EngineHealth = {
  form: 'embedded',
  status: 'ready',
  since: new Date(),
  restarts: 2,
  version: '26.7',
}

interface Page {
  url: string | undefined
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
}

/** A front with pages behind it that say what reached them, and everything else in the best of health. */
async function aFront(
  environment: EnvironmentVariables = {},
  services: Partial<RunningServices> = {},
  limits: Limits = quick,
  dialects?: readonly Dialect[],
) {
  const seen: Page[] = []
  const log: string[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = readBodyOf(request)
    const body = read ? read.toString() : await textOf(request.pipe(new PassThrough()))
    seen.push({
      url: request.url,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body,
    })
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '6' }).end('a page')
  }
  const front = await openFront({
    config: configFrom({ PORT: '0', ...environment }),
    log: openLog({ level: 'debug', format: 'json', destination: { write: (line) => void log.push(line) } }),
    limits,
    dialects,
  })
  front.use({
    engine: { health: () => engineHealth },
    disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }),
    pages: {
      serve: (request, response) => void serve(request, response),
      health: () => ({ status: 'ready', since: new Date(), restarts: 0 }),
    },
    ...services,
  })
  opened.push(front)
  return { ...front, seen, log, at: `http://localhost:${front.port}` }
}

function configFrom(environment: EnvironmentVariables): Config {
  const reading = readConfig(environment)
  if (!reading.readable) throw new Error(reading.problems.join('\n'))
  return reading.config
}

const get = (port: number, path = '/', more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${more}\r\n`
const post = (port: number, more: string, body = '') =>
  `POST /studio/acme HTTP/1.1\r\nHost: localhost:${port}\r\nnext-action: x\r\ncookie: sid=member\r\n${more}\r\n${body}`

/** Knows the session of `post`. Without it, a form of the studio may have 64 kB. */
const members = {
  product: {
    signIn: { sessions: { viewer: async () => ({ kind: 'member' }) } },
  } as unknown as RunningServices['product'], // nothing else is asked
}

async function answerTo(port: number, text: string | Buffer) {
  const talk = await RawConnection.open(port)
  const [answer] = await talk.send(text).waitForResponses(1)
  talk.close()
  if (!answer) throw new Error('There was no answer.')
  return answer
}

describe('requests that reach the pages', () => {
  test('the pages see the request as it was, with its body', async () => {
    const { port, seen } = await aFront()
    const answer = await answerTo(port, post(port, 'content-length: 5\r\n', 'hello'))
    expect(answer).toMatchObject({ status: 200, body: 'a page' })
    expect(answer.headers['x-request-id']).toBe(seen[0]?.headers['x-request-id'])
    expect(seen).toMatchObject([{ url: '/studio/acme', body: 'hello' }])
  })

  test('headers that only Tilth may set are removed before the pages see the request', async () => {
    const { port, seen } = await aFront()
    await answerTo(
      port,
      get(
        port,
        '/',
        'x-middleware-subrequest: forged\r\nX-Tilth-Visit: forged\r\nx-forwarded-for: 6.6.6.6\r\n',
      ),
    )
    expect(seen[0]?.rawHeaders.join(' ')).not.toMatch(/forged|6\.6\.6\.6/)
    expect(seen[0]?.headers['x-forwarded-for']).toBe('127.0.0.1')
  })

  test('an escape in the query may be malformed, since people share such links', async () => {
    const { port } = await aFront()
    expect(await answerTo(port, get(port, '/?q=100%'))).toMatchObject({ status: 200 })
  })
})

describe('requests that are refused before any service', () => {
  test.each<[name: string, said: (port: number) => string, status: number, title: string]>([
    ['a malformed address', (port) => get(port, '/%E0%A4%A'), 400, 'Bad Request'],
    ['a backslash', (port) => get(port, '/a\\b'), 400, 'Bad Request'],
    ['an address of another server', (port) => get(port, `http://localhost:${port}/`), 400, 'Bad Request'],
    ['an asterisk', (port) => `OPTIONS * HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`, 400, 'Bad Request'],
    ['no host', () => 'GET / HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
    ['two hosts', (port) => get(port, '/', 'Host: evil.example\r\n'), 400, 'Bad Request'],
    ['an odd host', () => 'GET / HTTP/1.1\r\nHost: a.example/b\r\n\r\n', 400, 'Bad Request'],
    ['a foreign host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', 421, 'Misdirected Request'],
    [
      'a name that has not been configured',
      (port) => `GET / HTTP/1.1\r\nHost: tilth.example:${port}\r\n\r\n`,
      421,
      'Misdirected Request',
    ],
    ['TRACE', (port) => `TRACE / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`, 405, 'Method Not Allowed'],
    [
      'PROPFIND',
      (port) => `PROPFIND / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
      405,
      'Method Not Allowed',
    ],
    [
      'a form from another site',
      (port) => post(port, 'Origin: https://evil.example\r\ncontent-length: 0\r\n'),
      403,
      'Forbidden',
    ],
    [
      'a form without origin from another site',
      (port) => post(port, 'sec-fetch-site: cross-site\r\ncontent-length: 0\r\n'),
      403,
      'Forbidden',
    ],
  ])('%s', async (_name, requestText, status, title) => {
    const { port, seen } = await aFront()
    const answer = await answerTo(port, requestText(port))
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(`<title>${title}</title>`)
    expect(answer.headers).toHaveProperty('x-request-id')
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(seen).toEqual([])
  })

  test('a tunnel', async () => {
    const { port } = await aFront()
    expect(
      await answerTo(port, `CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n`),
    ).toMatchObject({ status: 405 })
  })

  test('the configured names are answered, the machine’s own no longer', async () => {
    const { port } = await aFront({ TILTH_URL: 'https://tilth.example' })
    expect(await answerTo(port, 'GET / HTTP/1.1\r\nHost: tilth.example\r\n\r\n')).toMatchObject({
      status: 200,
    })
    expect(await answerTo(port, get(port))).toMatchObject({ status: 421 })
  })

  test('behind a trusted proxy its word about the host counts', async () => {
    const { port } = await aFront({ TILTH_URL: 'https://tilth.example', TILTH_TRUST_PROXY: 'loopback' })
    expect(await answerTo(port, get(port, '/', 'X-Forwarded-Host: tilth.example\r\n'))).toMatchObject({
      status: 200,
    })
  })
})

describe('bodies', () => {
  const page = bodyLimits.page

  test.each([
    ['at the limit', page, 200],
    ['one byte past it', page + 1, 413],
  ])('announced %s', async (_name, bytes, status) => {
    const { port } = await aFront({}, members, patient)
    const talk = await RawConnection.open(port)
    talk.send(post(port, `content-length: ${bytes}\r\n`)).send(Buffer.alloc(bytes))
    const [answer] = await talk.waitForResponses(1)
    expect(answer?.status).toBe(status)
    talk.close()
  })

  test('after a refusal the connection goes on where the next request begins', async () => {
    const { port, seen } = await aFront({}, members, patient)
    const talk = await RawConnection.open(port)
    talk
      .send(post(port, `content-length: ${page + 10}\r\n`))
      .send(Buffer.alloc(page + 10, 'GET / HTTP/1.1\r\n\r\n'))
    talk.send(get(port, '/next'))
    const answers = await talk.waitForResponses(2)
    expect(answers.map(({ status }) => status)).toEqual([413, 200])
    expect(seen.map(({ url }) => url)).toEqual(['/next'])
    talk.close()
  })

  test('a client that is slow to finish after a refusal is waited for, unless it stalls', async () => {
    const { port, seen } = await aFront({}, members, { ...patient, lingerMs: 300 })
    const talk = await RawConnection.open(port)
    talk.send(post(port, `content-length: ${page + 10}\r\n`))
    for (let sent = 0; sent < 5; sent++) {
      talk.send('x'.repeat(10))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    talk.send(Buffer.alloc(page - 40)).send(get(port, '/next'))
    expect((await talk.waitForResponses(2)).map(({ status }) => status)).toEqual([413, 200])
    expect(seen.map(({ url }) => url)).toEqual(['/next'])
    talk.close()

    const stalled = await RawConnection.open(port)
    stalled.send(post(port, `content-length: ${page + 10}\r\n`))
    expect((await stalled.waitUntilClosed()).map(({ status }) => status)).toEqual([413])
  })

  test('a body that was not announced is counted as it comes', async () => {
    const { port, seen } = await aFront({}, members, patient)
    const talk = await RawConnection.open(port)
    talk.send(post(port, 'transfer-encoding: chunked\r\n'))
    for (let sent = 0; sent <= page; sent += 64 * KB) talk.send(chunk(Buffer.alloc(64 * KB)))
    const [answer] = await talk.waitForResponses(1)
    expect(answer).toMatchObject({ status: 413 })
    expect(seen).toEqual([])
    talk.close()
  })

  test('a client that sends far more than was refused is disconnected', async () => {
    const { port } = await aFront({}, members, { ...patient, lingerMs: 60_000 })
    const talk = await RawConnection.open(port)
    talk.send(post(port, `content-length: ${100 * page}\r\n`))
    for (let sent = 0; sent < 4 * page; sent += 64 * KB) talk.send(Buffer.alloc(64 * KB))
    await expect(talk.waitUntilClosed()).resolves.toMatchObject([{ status: 413 }])
  })

  test('a body that stops coming is given up, and the connection with it', async () => {
    const { port, seen } = await aFront({}, members)
    const talk = await RawConnection.open(port)
    talk.send(post(port, 'content-length: 100\r\n', 'half'))
    await expect(talk.waitUntilClosed()).resolves.toMatchObject([
      { status: 408, headers: { connection: 'close' } },
    ])
    expect(seen).toEqual([])
  })

  test('a body that waits because the store is slow is no fault of its sender', async () => {
    const untilStoreAnswers = Promise.withResolvers<undefined>()
    const product = {
      projects: { keys: { viewer: () => untilStoreAnswers.promise } },
    } as unknown as RunningServices['product'] // nothing else is asked
    const { at } = await aFront({}, { product })
    const answer = fetch(`${at}/api/v1/projects`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer tilth_x' },
    })
    // twice as long as a body may be idle
    setTimeout(() => untilStoreAnswers.resolve(undefined), 2 * quick.bodyIdleMs)

    expect((await answer).status).toBe(401)
  })

  test.each([
    // what the store is      told to come again after
    ['busy', '2', /The store is busy/],
    ['full', '60', /The disk of the store is full/],
    ['broken', '60', /The disk of the store fails/],
    ['away', '5', /The store does not respond/],
  ] as const)(
    'a store that is %s is said to be, and is no one’s mistake',
    async (trouble, retryAfter, words) => {
      const product = {
        projects: { keys: { viewer: () => Promise.reject(new StoreUnavailableError(trouble)) } },
      } as unknown as RunningServices['product'] // nothing else is asked
      const { at } = await aFront({}, { product })
      const answer = await fetch(`${at}/api/v1/projects`, { headers: { authorization: 'Bearer tilth_x' } })

      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe(retryAfter)
      expect(await answer.json()).toEqual({
        error: { code: `store-${trouble}`, message: expect.stringMatching(words) },
      })
    },
  )

  test('a request with "expect: 100-continue" is told to go on', async () => {
    const { port, seen } = await aFront({}, members)
    const talk = await RawConnection.open(port)
    talk.send(post(port, 'content-length: 5\r\nexpect: 100-continue\r\n'))
    talk.send('hello')
    await expect(talk.waitForResponses(1)).resolves.toMatchObject([{ status: 200 }])
    expect(seen).toMatchObject([{ body: 'hello' }])
    talk.close()
  })

  test('a request with "expect: 100-continue" for too large a body is refused and nothing more is read', async () => {
    const { port } = await aFront({}, members)
    const talk = await RawConnection.open(port)
    talk.send(post(port, `content-length: ${2 * page}\r\nexpect: 100-continue\r\n`))
    await expect(talk.waitUntilClosed()).resolves.toMatchObject([
      { status: 413, headers: { connection: 'close' } },
    ])
  })

  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
})

describe('malformed HTTP', () => {
  test.each<[name: string, said: (port: number) => string, status: number]>([
    ['headers that never end', (port) => `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n`, 408],
    ['headers of a megabyte', (port) => get(port, '/', `x-large: ${'a'.repeat(1024 * KB)}\r\n`), 431],
    ['an address of a megabyte', (port) => get(port, `/${'a'.repeat(1024 * KB)}`), 431],
    ['a chunk of no size', (port) => post(port, 'transfer-encoding: chunked\r\n', 'zz\r\nhello\r\n'), 400],
    [
      'two ways to say the length',
      (port) => post(port, 'content-length: 5\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'),
      400,
    ],
    ['two lengths', (port) => post(port, 'content-length: 5\r\ncontent-length: 6\r\n', 'hello'), 400],
    ['a length that is none', (port) => post(port, 'content-length: +5\r\n', 'hello'), 400],
    ['an encoding nobody knows', (port) => post(port, 'transfer-encoding: xchunked\r\n', 'hello'), 400],
    ['a header without a name', (port) => get(port, '/', ': x\r\n'), 400],
    ['a header folded over two lines', (port) => get(port, '/', 'x-a: b\r\n c\r\n'), 400],
    ['noise', () => '\u0016\u0003\u0001\r\n\r\n', 400],
  ])('%s', async (_name, requestText, status) => {
    const { port, seen } = await aFront()
    const talk = await RawConnection.open(port)
    talk.send(requestText(port))
    await expect(talk.waitUntilClosed()).resolves.toMatchObject([
      { status, headers: { connection: 'close' } },
    ])
    expect(seen).toEqual([])
  })

  test('a second request that is none costs the first nothing', async () => {
    const { port } = await aFront()
    const talk = await RawConnection.open(port)
    const answers = await talk.send(`${get(port)}noise\r\n\r\n`).waitUntilClosed()
    expect(answers.at(-1)).toMatchObject({ status: 400 })
  })

  test('requests sent without waiting are answered in order', async () => {
    const { port, seen } = await aFront()
    const talk = await RawConnection.open(port)
    const answers = await talk
      .send(get(port, '/1') + get(port, '/2') + get(port, '/_tilth/health'))
      .waitForResponses(3)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(seen.map(({ url }) => url)).toEqual(['/1', '/2'])
    talk.close()
  })
})

describe('browsers are told to stay on https', () => {
  test.each<
    [
      name: string,
      environment: EnvironmentVariables,
      host: string,
      protocol: string,
      told: string | undefined,
    ]
  >([
    ['where a trusted proxy speaks it', {}, 'tilth.example', 'https', 'max-age=31536000'],
    ['not where it speaks http', {}, 'tilth.example', 'http', undefined],
    ['not where that is switched off', { TILTH_HSTS: 'no' }, 'tilth.example', 'https', undefined],
    ['not under a name of this machine', {}, 'localhost:8443', 'https', undefined],
  ])('%s', async (_name, environment, host, protocol, told) => {
    const { port } = await aFront({
      TILTH_URL: 'http://tilth.example, http://localhost:8443',
      TILTH_TRUST_PROXY: 'loopback',
      ...environment,
    })
    const { headers } = await answerTo(
      port,
      `GET /blog HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Proto: ${protocol}\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n`,
    )
    expect(headers['strict-transport-security']).toBe(told)
  })

  test('also where nothing but our own address says that it is https', async () => {
    const { port } = await aFront({ TILTH_URL: 'https://tilth.example' })
    const { headers } = await answerTo(port, 'GET /blog HTTP/1.1\r\nHost: tilth.example\r\n\r\n')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })
})

test.each([
  // the flag                              status   what it is
  ['/_tilth/country-flags/DE.svg', 200, 'image/svg+xml'],
  ['/_tilth/country-flags/QQ.svg', 404, null],
  ['/_tilth/country-flags/..%2FDE.svg', 404, null],
  ['/_tilth/country-flags', 404, null],
])('the front draws flags of countries by itself: %s is answered with %i', async (path, status, type) => {
  const { at } = await aFront()
  const response = await fetch(at + path)
  expect(response.status).toBe(status)
  if (type) expect(response.headers.get('content-type')).toBe(type)
})

test('a client of pages that asks for the data of one is told to load the document, and no page is asked', async () => {
  const { at, seen } = await aFront()
  const response = await fetch(`${at}/_next/data/build/blog.json`)
  expect([response.status, await response.json(), seen.length]).toEqual([404, {}, 0])
})

test.each(['/api', '/api/', '/api/actions/', '/api/v2/anything', '/api/projects/1/session_recordings/'])(
  'nothing is at %s, which is said in JSON to any page, and no page is asked',
  async (path) => {
    const product = {} as unknown as RunningServices['product'] // nothing is asked
    const { at, seen } = await aFront({}, { product }, patient)
    const answer = await fetch(at + path, { headers: { accept: 'text/html', origin: 'https://example.com' } })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toMatchObject({ type: 'invalid_request', code: 'not_found', attr: null })
    expect(seen).toEqual([])
  },
)

test.each([
  ['GET', '/api/v1/stats/aggregate?site_id=a', 401],
  ['GET', '/api/v1/stats/nothing', 404],
  ['POST', '/api/v2/query', 401],
])('%s %s is answered in the form of Plausible’s API', async (method, path, status) => {
  const product = {} as unknown as RunningServices['product'] // no key is looked up
  const { at, seen } = await aFront({}, { product }, patient)
  const answer = await fetch(at + path, { method })
  expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }])
  expect(seen).toEqual([])
})

describe('health and readiness', () => {
  test('health is answered whatever stands behind the door, under any name', async () => {
    const { port } = await aFront({}, { engine: undefined, pages: undefined, disk: undefined })
    const answer = await answerTo(port, 'GET /_tilth/health HTTP/1.1\r\nHost: evil.example\r\n\r\n')
    expect(answer).toMatchObject({ status: 200, body: '{"status":"alive"}\n' })
  })

  test('it is ready once events are accepted, queries answered and pages shown', async () => {
    const { at } = await aFront({}, { product: answering })
    const answer = await fetch(`${at}/_tilth/ready`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      ready: true,
      parts: { engine: { ok: true, restarts: 2, version: '26.7' } },
    })
  })

  test('it says which changes of the store could not be read again', async () => {
    const changes = { ...noChanges, staleMs: () => ({ flags: 31_000 }) }
    const { at } = await aFront({}, { product: { ...answering, changes } })
    expect(await (await fetch(`${at}/_tilth/ready`)).json()).toMatchObject({
      ready: true,
      parts: {
        store: { status: 'degraded', trouble: expect.stringContaining('Changes of flags could not') },
      },
    })
  })

  test.each<[name: string, house: Partial<RunningServices>]>([
    ['without a store', { product: undefined }],
    ['with a store that does not answer', { product: failing }],
    ['without an engine', { engine: undefined }],
    [
      'with an engine that restarts',
      { engine: { health: () => ({ ...engineHealth, status: 'restarting' }) } },
    ],
    ['without pages', { pages: undefined }],
    [
      'with pages that start again',
      {
        pages: {
          serve: () => {},
          health: () => ({ status: 'restarting' as const, since: new Date(), restarts: 7 }),
        },
      },
    ],
    ['on a full disk', { disk: async () => ({ freeBytes: 0, usedBytes: 0, trouble: 'full' }) }],
  ])('it is not ready %s', async (_name, site) => {
    const { at } = await aFront({}, { product: answering, ...site })
    const answer = await fetch(`${at}/_tilth/ready`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await answer.json()).toMatchObject({ ready: false })
  })

  test.each<
    [name: string, environment: EnvironmentVariables, headers: Record<string, string>, status: number]
  >([
    ['from this machine', {}, {}, 200],
    ['through a proxy on this machine', {}, { 'x-forwarded-for': '203.0.113.1' }, 401],
    [
      'with the token',
      { TILTH_METRICS_TOKEN: 'a-token-of-length' },
      { authorization: 'Bearer a-token-of-length' },
      200,
    ],
    ['without the token', { TILTH_METRICS_TOKEN: 'a-token-of-length' }, {}, 401],
    [
      'with another token',
      { TILTH_METRICS_TOKEN: 'a-token-of-length' },
      { authorization: 'Bearer another' },
      401,
    ],
  ])('metrics %s', async (_name, environment, headers, status) => {
    const { at } = await aFront(environment)
    const answer = await fetch(`${at}/_tilth/metrics`, { headers })
    expect(answer.status).toBe(status)
    const text = await answer.text()
    expect(text.includes('process_cpu')).toBe(status === 200)
  })

  test('a caller without the right to the detail of readiness sees which part is not well, but not why', async () => {
    const disk = async () => ({ freeBytes: 0, usedBytes: 0, trouble: '/var/lib/tilth is full' })
    const { at } = await aFront({ TILTH_METRICS_TOKEN: 'a-token-of-length' }, { disk })
    const answer = await (await fetch(`${at}/_tilth/ready`)).text()
    expect(answer).toContain('"disk":{"ok":false,"status":"full"}')
    expect(answer).not.toContain('/var/lib')
  })

  test('metrics tell who answered what, and how the engine and the pages are', async () => {
    const { at } = await aFront()
    await fetch(`${at}/blog`)
    await fetch(`${at}/_tilth/health`)
    const text = await (await fetch(`${at}/_tilth/metrics`)).text()
    expect(text).toContain('tilth_requests_total{route="pages",status="200"} 1')
    expect(text).toContain('tilth_request_seconds_count{route="pages"} 1')
    expect(text).toContain('tilth_health_answers 1')
    expect(text).toContain('tilth_engine_status{status="ready"} 1')
    expect(text).toContain('tilth_engine_restarts 2')
    expect(text).toContain('tilth_pages_status{status="ready"} 1')
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  })
})

const unreachable = async (): Promise<never> => {
  throw new Error('The store is away.')
}

const noChanges: Product['changes'] = {
  onChange: () => () => {},
  count: () => 0,
  catchUpTo: async () => {},
  staleMs: () => ({}),
}

// both are only asked whether the store answers, how old its copies are, and about deliveries
const answering = {
  ping: async () => {},
  changes: noChanges,
  deliveryTroubles: async () => [],
} as Partial<Product> as Product
const failing = { ping: unreachable, deliveryTroubles: unreachable } as Partial<Product> as Product

describe('requests of SDKs', () => {
  const echo: Dialect = {
    name: 'echo',
    routes: [
      {
        methods: ['POST'],
        path: '/i/v0/e',
        respond: ({ body, query, prefix, address }) => ({
          status: 200,
          headers: { 'content-type': 'text/plain' },
          body: `${String(query.get('ip'))} ${prefix} ${address} ${new TextDecoder().decode(body)}`,
        }),
      },
      {
        methods: ['GET'],
        path: '/array/{token}/config',
        respond: ({ parts }) => ({ status: 200, body: parts['token'] }),
      },
      {
        methods: ['POST'],
        path: '/bug',
        respond: () => {
          throw new Error('a bug')
        },
      },
      { methods: ['POST'], path: '/nothing', respond: () => ({ status: 204 }) },
      {
        methods: ['POST'],
        path: '/odd',
        respond: () => ({ status: 200, headers: { 'x-odd': 'a\r\nb: c' } }),
      },
      {
        methods: ['GET'],
        path: '/broken',
        respond: () => {
          throw new Error('a bug')
        },
      },
    ],
  }
  const services = { scheduler: new FairScheduler() } as RunningServices['wire'] // this dialect asks for nothing else of it

  const aWire = (runningServices: Partial<RunningServices>) =>
    aFront({}, runningServices, usualLimits(), [echo])

  test('is answered by its dialect, under any host and prefix, whether there are pages or not', async () => {
    const { port } = await aWire({ wire: services, pages: undefined })
    const requestText =
      'POST /sdk/i/v0/e/?ip=1 HTTP/1.1\r\nHost: shop.example\r\ncontent-length: 5\r\n\r\nhello'
    expect(await answerTo(port, requestText)).toMatchObject({ status: 200, body: '1 /sdk 127.0.0.1 hello' })
  })

  test('may have a part of its address escaped, but not malformed', async () => {
    const { at } = await aWire({ wire: services })
    expect(await (await fetch(`${at}/array/a%20b/config`)).text()).toBe('a b')
    expect((await fetch(`${at}/array/%E0%A4%A/config`)).status).toBe(400)
  })

  test('may be larger than what a page takes', async () => {
    const { at } = await aWire({ wire: services })
    const body = new Uint8Array(3 * 1024 * KB)
    expect((await fetch(`${at}/i/v0/e`, { method: 'POST', body })).status).toBe(200)
  })

  test.each([
    ['an event', '/i/v0/e?ip=1', '', 'hello'],
    [
      'from a proxy that is trusted',
      '/i/v0/e',
      'x-forwarded-for: 203.0.113.7\r\nx-request-id: of-the-proxy\r\n',
      'a',
    ],
    ['a bug', '/bug', `origin: https://shop.example\r\n`, 'a'],
    ['no body in the response', '/nothing', '', 'a'],
    ['a header that may not be sent', '/odd', '', 'a'],
  ])('is answered in the fast lane and by node:http alike: %s', async (_name, path, more, body) => {
    const { port, log } = await aFront({ TILTH_TRUST_PROXY: 'loopback' }, { wire: services }, usualLimits(), [
      echo,
    ])
    const head = `POST ${path} HTTP/1.1\r\nHost: shop.example\r\n${more}content-length: ${body.length}\r\n`
    // the lane leaves a blank after a value to node:http
    const [plain, other] = [
      await answerTo(port, `${head}\r\n${body}`),
      await answerTo(port, `${head}x: a \r\n\r\n${body}`),
    ]
    const compared = ({
      status,
      headers: { date, 'x-request-id': id, ...headers },
      body: text,
    }: typeof plain) => ({
      status,
      headers,
      text,
      isDated: date !== undefined,
      id: more.includes('x-request-id') ? id : id?.length,
    })
    expect(compared(plain)).toEqual(compared(other))
    const metrics = await (await fetch(`http://localhost:${port}/_tilth/metrics`)).text()
    expect(metrics).toContain(`tilth_requests_total{route="wire",status="${plain.status}"} 2`)
    const logged = () => log.filter((line) => line.includes(plain.headers['x-request-id'] ?? '-'))
    await expect.poll(() => logged().some((line) => line.includes('"answered"'))).toBe(true)
  })

  const shop = 'https://shop.example'
  const headers = { origin: shop }

  test.each<
    [name: string, ask: (at: string) => Promise<Response>, house: Partial<RunningServices>, status: number]
  >([
    ['before events can be taken', (at) => fetch(`${at}/i/v0/e`, { method: 'POST', headers }), {}, 503],
    ['when a dialect has a bug', (at) => fetch(`${at}/broken`, { headers }), { wire: services }, 500],
    [
      'when it is too much',
      (at) => fetch(`${at}/i/v0/e`, { method: 'POST', headers, body: new Uint8Array(20 * 1024 * KB + 1) }),
      { wire: services },
      413,
    ],
  ])('is refused so that a browser shows it to its SDK: %s', async (_name, ask, site, status) => {
    const { at } = await aWire(site)
    const answer = await ask(at)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    expect(answer.headers.get('vary')).toBe('Origin')
  })
})

test('with too many events open further ones are refused unread and counted; flags, preflights and what is never sent again are answered', async () => {
  const read: string[] = []
  const refusals: WireRefusal[] = []
  const { promise: disk, resolve: writeAll } = Promise.withResolvers<void>()
  const respond =
    (name: string) =>
    async ({ body }: WireRequest): Promise<WireResponse> => {
      read.push(`${name} ${body.length}`)
      if (name === 'events') await disk
      return { status: 200 }
    }
  const dialects: Dialect[] = [
    {
      name: 'repeats',
      sendsAgain: true,
      routes: [
        { methods: ['POST'], path: '/e', takesEvents: true, respond: respond('events') },
        { methods: ['POST'], path: '/flags', respond: respond('flags') },
      ],
    },
    {
      name: 'once',
      routes: [{ methods: ['POST'], path: '/view', takesEvents: true, respond: respond('view') }],
    },
  ]
  // these dialects ask for nothing else of it
  const wire = {
    scheduler: new FairScheduler(),
    noteRefusal: (refusal: WireRefusal) => void refusals.push(refusal),
  } as Partial<RunningServices['wire']> as RunningServices['wire']
  const { at } = await aFront({}, { wire }, { ...patient, connections: 64 }, dialects)
  const send = (path: string, method = 'POST', headers = {}) =>
    fetch(at + path, {
      method,
      headers: { origin: 'https://shop.example', ...headers },
      body: method === 'POST' ? 'x'.repeat(1000) : undefined,
    })
  const open = Array.from({ length: 8 }, () => send('/e'))
  await expect.poll(() => read.length).toBe(8)
  const refused = await send('/e')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  const others = [send('/flags'), send('/e', 'OPTIONS'), send('/view')]
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 204, 200])
  const metrics = await (await fetch(`${at}/_tilth/metrics`)).text()
  expect(metrics).toContain('tilth_requests_refused{class="events"} 1')
  writeAll()
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await send('/e')).status).toBe(200)
  expect(refusals).toEqual([{ dialect: 'repeats', reason: 'not-now' }])
})

test('a request with events that is answered 503 by its dialect is counted as lost if its client does not send it again', async () => {
  const refusals: WireRefusal[] = []
  const respond = (): WireResponse => ({ status: 503 })
  const route = { methods: ['POST'], takesEvents: true, respond } as const
  const dialects: Dialect[] = [
    { name: 'repeats', sendsAgain: true, routes: [{ ...route, path: '/e' }] },
    { name: 'once', routes: [{ ...route, path: '/view' }] },
  ]
  const wire = {
    scheduler: new FairScheduler(),
    noteRefusal: (refusal: WireRefusal) => void refusals.push(refusal),
  } as Partial<RunningServices['wire']> as RunningServices['wire']
  const { at } = await aFront({}, { wire }, patient, dialects)
  const send = (path: string, headers: Record<string, string> = {}) =>
    fetch(at + path, { method: 'POST', headers, body: '{}' })
  await send('/e')
  await send('/view')
  // a beacon, whose answer no page can read
  await answerTo(Number(new URL(at).port), beacon('/e'))
  // by `node:http`, for it says that it continues
  await answerTo(Number(new URL(at).port), beacon('/view').replace('\r\n', '\r\nexpect: 100-continue\r\n'))
  expect(refusals.map(({ dialect, reason }) => `${dialect} ${reason}`)).toEqual([
    'repeats not-now',
    'once lost',
    'repeats lost',
    'once lost',
  ])
})

const beacon = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nsec-fetch-mode: no-cors\r\ncontent-length: 2\r\n\r\n{}`

test('a form that is cut short is refused before the pages see it, and a whole one reaches them', async () => {
  const { at, seen } = await aFront()
  const send = (body: string) =>
    fetch(`${at}/studio/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body,
    })
  for (const body of [
    '',
    'not a form',
    '--x\r\ncontent-disposition: form-data; name="$ACTION_REF_1"\r\n\r\nb',
  ])
    expect((await send(body)).status).toBe(400)
  expect(seen).toEqual([])
  const whole = '--x\r\ncontent-disposition: form-data; name="$ACTION_REF_1"\r\n\r\nb\r\n--x--\r\n'
  expect((await send(whole)).status).toBe(200)
})

describe('a crowd at the sign-in', () => {
  test('is let in a few at a time, and pages are shown meanwhile', async () => {
    const held: ServerResponse[] = []
    let shown = 0
    const { at } = await aFront(
      {},
      {
        pages: {
          serve: (request, response) => {
            if (request.method === 'POST') held.push(response)
            else {
              shown++
              response.writeHead(200).end('a page')
            }
          },
          health: () => ({ status: 'ready', since: new Date(), restarts: 0 }),
        },
      },
    )
    const statuses: number[] = []
    const crowd = Array.from({ length: 100 }, async () => {
      const answer = await fetch(`${at}/studio/sign-in`, { method: 'POST', headers: { 'next-action': 'x' } })
      statuses.push(answer.status)
      if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('1')
    })
    await expect.poll(() => statuses.length).toBe(84)
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect(held).toHaveLength(1)
    expect((await fetch(`${at}/studio/sign-in`)).status).toBe(200)
    expect(shown).toBe(1)
    for (let answered = 0; answered < 16; answered++) {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      held.shift()?.writeHead(200).end()
    }
    await Promise.all(crowd)
    expect(statuses.filter((status) => status === 200)).toHaveLength(16)
    const metrics = await (await fetch(`${at}/_tilth/metrics`)).text()
    expect(metrics).toContain('tilth_requests_refused{class="actions"} 84')
  })
})

describe('during the start', () => {
  test('pages say so and come by themselves, the API says when to ask again', async () => {
    const { at } = await aFront({}, { pages: undefined, product: undefined })
    const page = await fetch(`${at}/studio`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await page.text()).toContain('<title>Tilth is starting</title>')
    const call = await fetch(`${at}/api/v1/projects`)
    expect([call.status, call.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await call.json()).toMatchObject({ error: { code: 'starting' } })
  })

  const starting = 'Tilth is starting. Try again in a moment.\n'
  const startingPage = '<title>Tilth is starting</title>'
  const waitingPage = '<title>Tilth is waiting for its store</title>'
  const [text, json, html] = ['text/plain', 'application/json', 'text/html']

  test.each([
    // the request                              its answer   in the form of
    ['GET', '/_tilth/ready', json, '"ready":false'],
    ['GET', '/_tilth/live/acme', json, '"code":"starting"'],
    ['GET', '/_tilth/images/garden.jpg', text, starting],
    ['POST', '/_tilth/uploads/acme', json, '"code":"starting"'],
    ['POST', '/_tilth/imports/acme', json, '"code":"starting"'],
    ['POST', '/_tilth/forms/comment', html, startingPage],
    ['GET', '/s/survey', html, startingPage],
    ['GET', '/_tilth/letters/token', html, startingPage],
    ['POST', unsubscribePath, html, startingPage],
    ['GET', newsletterPath, html, startingPage],
    ['POST', '/_tilth/static-page', json, '"code":"starting"'],
    ['GET', '/_tilth/decisions', text, starting],
    ['POST', '/i/v0/e', text, starting],
    ['GET', '/api/v1/projects', json, '"code":"starting"'],
    ['GET', '/api/projects/1', json, '"code":"starting"'],
    ['GET', '/api/v1/stats/aggregate', json, '"code":"starting"'],
    ['GET', '/share/token', html, startingPage],
    ['GET', '/studio', html, waitingPage],
    ['POST', '/studio', html, waitingPage],
    ['GET', '/blog/hello', html, waitingPage],
  ])('each route says so in its form: %s %s', async (method, path, type, words) => {
    const waiting = {
      engine: undefined,
      disk: undefined,
      pages: undefined,
      awaitedStore: { ping: unreachable },
    }
    const { at } = await aFront({}, waiting, usualLimits(), [posthog])
    const answer = await fetch(at + path, { method, headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(answer.headers.get('content-type')).toContain(type)
    expect(await answer.text()).toContain(words)
  })

  test('what needs no service is answered', async () => {
    const { at } = await aFront({}, { engine: undefined, disk: undefined, pages: undefined })
    const paths = ['/_tilth/health', '/_tilth/metrics', '/_tilth/country-flags/DE.svg']
    const statuses = paths.map(async (path) => (await fetch(at + path)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200])
  })
})

describe('failures of services', () => {
  const broken: RunningServices['pages'] = {
    serve: () => {
      throw new Error('a secret detail')
    },
    health: () => ({ status: 'ready', since: new Date(), restarts: 0 }),
  }

  test('is answered with an id, and only the log has the rest', async () => {
    const { at, log } = await aFront({}, { pages: broken })
    const answer = await fetch(at)
    const text = await answer.text()
    expect(answer.status).toBe(500)
    expect(text).toContain('<title>Internal Server Error</title>')
    expect(text).not.toContain('secret')
    const failure = log.find((line) => line.includes('a secret detail'))
    expect(failure).toContain(answer.headers.get('x-request-id'))
  })

  test('a whole address is never logged', async () => {
    const { at, log } = await aFront({ TILTH_TRUST_PROXY: '1' })
    await fetch(at, { headers: { 'x-forwarded-for': '203.0.113.77' } })
    const lines = await untilThere(() => log.filter((line) => line.includes('203.0.113')))
    expect(lines.join('')).not.toContain('203.0.113.77')
  })
})

describe('a stop', () => {
  test('lets what is under way finish and takes nothing new', async () => {
    const waiting = Promise.withResolvers<ServerResponse>()
    const pages: RunningServices['pages'] = {
      serve: (_request, response) => waiting.resolve(response),
      health: () => ({ status: 'ready', since: new Date(), restarts: 0 }),
    }
    const { port, drain } = await aFront({}, { pages })
    const talk = await RawConnection.open(port)
    talk.send(get(port))
    const response = await waiting.promise
    const drained = drain()
    await expect(RawConnection.open(port)).rejects.toThrow('ECONNREFUSED')
    response.writeHead(200, { 'content-length': '4' }).end('late')
    await expect(talk.waitUntilClosed()).resolves.toMatchObject([
      { body: 'late', headers: { connection: 'close' } },
    ])
    await drained
  })

  test('lets an event in the fast lane finish, and closes what is idle there', async () => {
    const { promise, resolve } = Promise.withResolvers<WireResponse>()
    const slow: Dialect = {
      name: 'slow',
      routes: [{ methods: ['POST'], path: '/slow', respond: () => promise }],
    }
    const quickly: Dialect = {
      name: 'quick',
      routes: [{ methods: ['POST'], path: '/quick', respond: () => ({ status: 200 }) }],
    }
    const wire = { scheduler: new FairScheduler() } as RunningServices['wire'] // as above
    const { port, drain, log } = await aFront({}, { wire }, usualLimits(), [slow, quickly])
    const requestText = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\ncontent-length: 1\r\n\r\na`
    const idle = await RawConnection.open(port)
    await idle.send(requestText('/quick')).waitForResponses(1)
    const busy = await RawConnection.open(port)
    busy.send(requestText('/slow'))
    await (await RawConnection.open(port)).send(requestText('/quick')).waitForResponses(1)
    const drained = drain()
    await idle.waitUntilClosed()
    resolve({ status: 200, body: 'late' })
    expect(await busy.waitUntilClosed()).toMatchObject([{ body: 'late', headers: { connection: 'close' } }])
    await drained
    expect(log.join()).not.toContain('a request failed')
  })

  test('does not wait for ever', async () => {
    const pages: RunningServices['pages'] = {
      serve: () => {},
      health: () => ({ status: 'ready', since: new Date(), restarts: 0 }),
    }
    const { port, drain } = await aFront({}, { pages })
    const talk = await RawConnection.open(port)
    talk.send(get(port))
    const idle = await RawConnection.open(port)
    await drain()
    await Promise.all([talk.waitUntilClosed(), idle.waitUntilClosed()])
  })
})

async function untilThere(find: () => string[]): Promise<string[]> {
  return await expect.poll(find).not.toHaveLength(0).then(find)
}

test('a port that is taken is refused with what to do about it', async () => {
  const { port } = await aFront()
  await expect(aFront({ PORT: String(port) })).rejects.toThrow(
    `Port ${port} is taken by another program: stop that one, or set PORT to another number`,
  )
})

test('an address this machine does not have is refused with what to do about it', async () => {
  await expect(aFront({ TILTH_HOST: '203.0.113.1' })).rejects.toThrow(/correct TILTH_HOST/)
})
