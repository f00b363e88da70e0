import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import vectors from '#test/vectors/security-inputs.json' with { type: 'json' }
import { type OutboundAllowlist, emptyAllowlist, parseAllowlist, writeAllowlist } from './allowlist'
import { parseRedirect, parseDestination } from './internal/destination'
import { isPublicAddress } from './internal/networks'
import { Outbound, type OutboundSettings } from './outbound'

const { cases, blocked_ranges: ranges } = vectors.ssrf_urls
const isAddress = (text: unknown) => !String(text).includes(' -> ')

describe('what is never reached', () => {
  test.each(cases.filter(([text]) => isAddress(text)))('%s', async (text, isReached) => {
    const requests: string[] = []
    const outbound = anOutbound({ resolve: async (host) => (requests.push(host), ['127.0.0.1']) })

    expect(await outbound.send({ url: String(text), method: 'GET' })).toMatchObject({
      reached: isReached,
      isFinal: true,
    })
    expect(requests).toEqual([])
  })

  test.each([
    // imports, pictures and backups are read from addresses too, and are no webhooks
    'hooks.example.com',
    'ftp://files.example.com/',
    'https://ana:secret@files.example.com/',
    'https://files.example.com:25/',
    'https://192.168.1.1/',
  ])('the refusal of %s fits whatever is asked for', (url) => {
    expect(anOutbound().refusalOf(url)).toMatch(/^(?!.*(?:hook\b|webhook|signed)).+\.$/)
  })

  test.each(ranges)('the network %s', (range) => {
    const network = range.split(' ')[0] ?? ''
    expect(isPublicAddress(exampleIn(network))).toBe(false)
  })

  test.each([
    // an address in another          it is reached
    ['::ffff:93.184.215.14', true],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::5db8:d70e', true],
    ['64:ff9b::7f00:1', false],
    ['2002:5db8:d70e::1', true],
    ['2002:a00:1::1', false],
    ['93.184.215.14', true],
    ['2606:4700::1', true],
    ['fe80::1%eth0', false],
    ['not an address', false],
  ])('%s is open: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected)
  })

  test('a name with one address inside the house among others is not asked at all', async () => {
    const inside = await aServer((_, response) => response.end())
    const outbound = anOutbound({ resolve: async () => ['93.184.215.14', '127.0.0.1'] })

    const answer = await outbound.send({ url: `http://two.example:${inside.port}/`, method: 'GET' })

    expect(answer).toMatchObject({ reached: false, isFinal: true })
    expect(inside.requests).toHaveLength(0)
  })

  test('a name that means another address a moment later is still asked at the one that was looked at', async () => {
    const inside = await aServer((_, response) => response.end())
    const answers = [['93.184.215.14'], ['127.0.0.1'], ['127.0.0.1']]
    const outbound = anOutbound({ resolve: async () => answers.shift() ?? [], withinMs: 300 })

    const answer = await outbound.send({ url: `http://rebinds.example:${inside.port}/`, method: 'GET' })

    expect(answer).toMatchObject({ reached: false })
    expect(answers).toHaveLength(2)
    expect(inside.requests).toHaveLength(0)
  })

  test('an answer that leads inside is not followed, whatever its name is by then', async () => {
    const inside = await aServer((_, response) => response.end())
    const outside = await aServer((request, response) => {
      const host = request.url === '/name' ? 'inside.example' : '127.0.0.1'
      response.writeHead(302, { location: `http://${host}:${inside.port}/` }).end()
    })
    const outbound = anOutbound({
      allowlist: allowing(`ok.example:${outside.port}`),
      resolve: async () => ['127.0.0.1'],
    })

    for (const path of ['/address', '/name'])
      expect(
        await outbound.send({ url: `http://ok.example:${outside.port}${path}`, method: 'GET' }),
      ).toMatchObject({ reached: false, isFinal: true })
    expect(outside.requests).toHaveLength(2)
    expect(inside.requests).toHaveLength(0)
  })

  test.each([
    ['https://ok.example/', 'http://127.0.0.1/', false],
    ['https://ok.example/', 'http://other.example/', false],
    ['https://ok.example/', 'https://other.example/', true],
    ['https://ok.example/', '/elsewhere', true],
    ['http://ok.example/', 'https://other.example/', true],
    ['http://ok.example/', 'file:///etc/passwd', false],
    ['http://ok.example/', 'http://other.example:22/', false],
  ])('from %s on to %s: %s', (from, location, isFollowed) => {
    expect(parseRedirect(new URL(from), location, emptyAllowlist).isFit).toBe(isFollowed)
  })
})

describe('what is reached', () => {
  test('the address that was looked up, under the name that was asked for', async () => {
    const hook = await aServer((_, response) => response.writeHead(204).end())
    const outbound = anOutbound({ allowlist: allowing('127.0.0.0/8'), resolve: async () => ['127.0.0.1'] })

    const url = `http://pinned.example:${hook.port}/hook?a=1`
    expect(await outbound.send({ url, method: 'POST', body: '{"a":1}' })).toEqual({
      reached: true,
      status: 204,
    })

    const [request] = hook.requests
    expect(request).toMatchObject({ method: 'POST', url: '/hook?a=1', body: '{"a":1}' })
    expect(request?.headers).toMatchObject({
      host: `pinned.example:${hook.port}`,
      'content-type': 'application/json',
      'user-agent': 'Tilth',
    })
    expect(request?.headers).not.toHaveProperty('cookie')
  })

  test('three addresses on, and no further', async () => {
    const chain = await aServer((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end()
      else response.writeHead(307, { location: `/${left - 1}` }).end()
    })
    const outbound = anOutbound({ allowlist: allowing('127.0.0.1') })
    const asked = (hops: number) =>
      outbound.send({ url: `http://127.0.0.1:${chain.port}/${hops}`, method: 'POST', body: 'kept' })

    expect(await asked(3)).toMatchObject({ reached: true, status: 200 })
    expect(chain.requests.map(({ body }) => body)).toEqual(['kept', 'kept', 'kept', 'kept'])
    expect(await asked(4)).toMatchObject({ reached: false, isFinal: true })
  })

  test('a POST is not turned into a GET by a redirect', async () => {
    const moved = await aServer((_, response) => response.writeHead(302, { location: '/new' }).end())
    const outbound = anOutbound({ allowlist: allowing('127.0.0.1') })

    const answer = await outbound.send({ url: `http://127.0.0.1:${moved.port}/`, method: 'POST', body: '{}' })

    expect(answer).toMatchObject({ reached: false, isFinal: true, why: expect.stringContaining('/new') })
    expect(moved.requests).toHaveLength(1)
  })

  test('an answer that never comes is given up in time, and one without an end is not read to it', async () => {
    const silent = await aServer(() => {})
    const endless = await aServer((_, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', pour)
      pour()
    })
    const ask = (port: number, withinMs?: number) =>
      anOutbound({ allowlist: allowing('127.0.0.1'), ...(withinMs && { withinMs }) }).send({
        url: `http://127.0.0.1:${port}/`,
        method: 'GET',
      })

    expect(await ask(silent.port, 200)).toMatchObject({ reached: false, isFinal: false })
    expect(await ask(endless.port)).toMatchObject({ reached: true, status: 200 })
    await expect.poll(() => endless.open()).toBe(0)
  })

  test('no one at the other end is told in words, and may be tried again', async () => {
    const gone = await aServer(() => {})
    await gone.close()
    const outbound = anOutbound({ allowlist: allowing('127.0.0.1') })

    expect(await outbound.send({ url: `http://127.0.0.1:${gone.port}/`, method: 'GET' })).toEqual({
      reached: false,
      isFinal: false,
      why: '127.0.0.1: The host refused the connection.',
    })
  })
})

describe('a response that is read part by part', () => {
  const get = { method: 'GET', headers: { authorization: 'Bearer secret' }, idleMs: 5000 } as const
  const textOf = async (body: AsyncIterable<Buffer>) => {
    let text = ''
    for await (const part of body) text += part.toString()
    return text
  }

  test('goes on with credentials on its own origin, and without them elsewhere', async () => {
    const files = await aServer((_, response) => response.end('the file'))
    const api = await aServer((request, response) => {
      const next = request.url === '/a' ? '/b' : `http://127.0.0.1:${files.port}/file`
      response.writeHead(302, { location: next }).end()
    })
    const outbound = anOutbound({ allowlist: allowing('127.0.0.1') })

    const { status, body } = await outbound.stream(`http://127.0.0.1:${api.port}/a`, get)

    expect([status, await textOf(body)]).toEqual([200, 'the file'])
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      'Bearer secret',
    ])
    expect(files.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  test('does not go on into the network, nor on and on', async () => {
    const inside = await aServer((_, response) => response.end())
    const outside = await aServer((request, response) => {
      const location = request.url === '/in' ? `http://127.0.0.1:${inside.port}/` : '/again'
      response.writeHead(302, { location }).end()
    })
    const outbound = anOutbound({
      allowlist: allowing(`ok.example:${outside.port}`),
      resolve: async () => ['127.0.0.1'],
    })
    const from = `http://ok.example:${outside.port}`

    await expect(outbound.stream(`${from}/in`, get)).rejects.toMatchObject({ isFinal: true })
    await expect(outbound.stream(`${from}/on`, get)).rejects.toThrow('ok.example leads on and on.')
    expect(inside.requests).toHaveLength(0)
  })

  test('that stalls or breaks off is a sentence, and may be tried again', async () => {
    const silent = await aServer(() => {})
    const broken = await aServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    const outbound = anOutbound({ allowlist: allowing('127.0.0.1') })
    const open = (port: number, idleMs: number = get.idleMs) =>
      outbound.stream(`http://127.0.0.1:${port}/`, { ...get, idleMs })

    await expect(open(silent.port, 200)).rejects.toMatchObject({
      isFinal: false,
      message: expect.stringContaining('did not answer in time') as string,
    })
    const { body } = await open(broken.port)
    await expect(textOf(body)).rejects.toMatchObject({ isFinal: false })
  })
})

describe('what an operator allows besides', () => {
  test.each([
    ['10.1.0.0/16', 'http://10.1.2.3/', true],
    ['10.1.0.0/16', 'http://10.2.2.3/', false],
    ['10.1.0.0/16', 'http://[::ffff:10.1.2.3]/', true],
    ['10.1.0.0/16', 'http://10.1.2.3:22/', false],
    ['10.1.2.3:22', 'http://10.1.2.3:22/', true],
    ['hooks.internal:99', 'http://hooks.internal:99/', true],
    ['hooks.internal', 'http://hooks.internal:99/', false],
    ['', 'http://hooks.internal:8000/', true],
    ['', 'http://hooks.internal:7999/', false],
    ['fd00::/8', 'http://[fd00::7]/', true],
  ])('with "%s", %s is asked: %s', (allowed, url, isFit) => {
    expect(parseDestination(url, parseAllowlist(allowed) ?? emptyAllowlist).isFit).toBe(isFit)
  })

  test.each(['10.0.0.0/33', 'a b/c', 'host:99999', ''])('"%s" says nothing that can be allowed', (text) => {
    expect(parseAllowlist(text)).toBeUndefined()
  })
})

const anOutbound = (settings: Partial<OutboundSettings> = {}): Outbound =>
  new Outbound({
    allowlist: emptyAllowlist,
    resolve: async () => {
      throw new Error('Nobody is to be looked up here.')
    },
    ...settings,
  })

function allowing(text: string): OutboundAllowlist {
  const allowance = parseAllowlist(text)
  if (!allowance) throw new Error(`"${text}" cannot be allowed.`)
  return allowance
}

/** Returns an address of a network, neither its first nor its last; of a wrapper, one that wraps an address inside. */
function exampleIn(network: string): string {
  const wrapped: Record<string, string> = {
    '::ffff:0:0/96': '::ffff:10.0.0.1',
    '64:ff9b::/96': '64:ff9b::a00:1',
    '2002::/16': '2002:a00:1::1',
    '64:ff9b:1::/48': '64:ff9b:1::1',
    '255.255.255.255/32': '255.255.255.255',
    '::/128': '::',
    '::1/128': '::1',
  }
  const [start = ''] = network.split('/')
  return wrapped[network] ?? (start.includes(':') ? `${start}1` : start.replace(/\d+$/, '9'))
}

interface ReceivedRequest {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

async function aServer(answer: RequestListener) {
  const requests: ReceivedRequest[] = []
  let open = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      requests.push({ method: request.method, url: request.url, headers: request.headers, body })
      answer(request, response)
    })
  })
  server.on('connection', (socket) => {
    open += 1
    socket.on('error', () => {})
    socket.on('close', () => (open -= 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The server has no port.')
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { port: address.port, requests, open: () => open, close }
}

test('an allowlist is written for another process, with all networks that are not open', () => {
  expect(writeAllowlist(undefined)).toMatchObject({ reachesInternet: true, hosts: [], networks: [] })
  expect(writeAllowlist(allowing('10.1.0.0/16 fd00::1 api.example.com:8443'))).toEqual({
    reachesInternet: false,
    hosts: [{ host: 'api.example.com', port: 8443 }],
    networks: ['10.1.0.0/16', 'fd00::1/128'],
    closed: expect.arrayContaining(['127.0.0.0/8', '169.254.0.0/16', 'fc00::/7', '64:ff9b::/96']),
  })
})
