import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { cleanHeaders, readTrustedRequest, sameHost } from './trusted-request'
import { readTrustedProxies } from './trusted-proxies'

interface Sent {
  peer?: string
  url?: string
  headers?: Record<string, string>
}

function aRequest({ peer = '198.51.100.9', url = '/blog', headers = {} }: Sent): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  request.url = url
  request.headers = { host: 'tilth.example', ...headers }
  return request
}

const addresses = () => [new URL('https://tilth.example'), new URL('http://localhost:3000')]
const trusting = (text: string) => ({
  trusted: readTrustedProxies(text) ?? { by: 'nobody' as const },
  addresses,
})

const forged = {
  'x-forwarded-for': '203.0.113.1',
  'x-forwarded-host': 'forged.example',
  'x-forwarded-proto': 'http',
  'x-request-id': 'an-id-of-theirs',
}

describe('who is believed', () => {
  test('a stranger’s word about address, host, protocol and id is worth nothing', () => {
    const arrival = readTrustedRequest(aRequest({ headers: forged }), trusting('private'))
    expect(arrival).toMatchObject({ client: '198.51.100.9', host: 'tilth.example', protocol: 'https' })
    expect(arrival.requestId).toMatch(/^[\da-f-]{36}$/)
    expect(arrival.isForwarded).toBe(true)
  })

  test('a trusted proxy’s is taken', () => {
    const arrival = readTrustedRequest(aRequest({ peer: '10.0.0.1', headers: forged }), trusting('private'))
    expect(arrival).toMatchObject({
      client: '203.0.113.1',
      host: 'forged.example',
      protocol: 'http',
      requestId: 'an-id-of-theirs',
    })
  })

  test.each(['short', 'line\nbreak-line-break', 'x'.repeat(101), '<script>alert(1)</script>'])(
    'an id that is none is replaced even then: %j',
    (id) => {
      const request = aRequest({ peer: '10.0.0.1', headers: { 'x-request-id': id } })
      expect(readTrustedRequest(request, trusting('private')).requestId).not.toBe(id)
    },
  )

  test('the protocol is the configured one if no proxy reports it', () => {
    expect(readTrustedRequest(aRequest({}), trusting('0')).protocol).toBe('https')
    expect(
      readTrustedRequest(aRequest({ headers: { host: 'localhost:3000' } }), trusting('0')).protocol,
    ).toBe('http')
    expect(
      readTrustedRequest(aRequest({ headers: { host: 'elsewhere.example' } }), trusting('0')).protocol,
    ).toBe('http')
  })
})

describe('what passes the door', () => {
  const passing = (headers: Record<string, string>) => {
    const request = aRequest({ headers })
    cleanHeaders(request, readTrustedRequest(request, trusting('0')))
    return request
  }

  test.each([
    'x-middleware-subrequest',
    'x-middleware-rewrite',
    'x-middleware-prefetch',
    'next-resume',
    'x-next-resume-state-length',
    'x-nextjs-rewritten-path',
    'x-matched-path',
    'x-invoke-path',
    'x-now-route-matches',
    'x-prerender-revalidate',
    'x-tilth-visit',
    'x-nonce',
    'content-security-policy',
    'forwarded',
    'x-forwarded-port',
    'x-real-ip',
    'x-original-url',
    'x-http-method-override',
    'upgrade',
    'expect',
  ])('%s does not', (name) => {
    const request = passing({ [name]: 'forged' })
    expect(request.headers).not.toHaveProperty(name)
    expect(request.rawHeaders.join(' ')).not.toContain('forged')
  })

  test.each([
    'rsc',
    'next-action',
    'next-url',
    'next-router-state-tree',
    'next-router-prefetch',
    'next-router-segment-prefetch',
    'x-nextjs-data',
    'cookie',
    'authorization',
    'accept',
    'sec-fetch-site',
    'user-agent',
    'x-posthog-token',
  ])('%s does', (name) => {
    const request = passing({ [name]: 'kept' })
    expect(request.headers).toHaveProperty(name, 'kept')
    expect(request.rawHeaders.join(' ')).toContain(`${name} kept`)
  })

  test('what only we know is said by us, once', () => {
    const { headers } = passing({ ...forged, host: 'tilth.example' })
    expect(headers).toMatchObject({
      'x-forwarded-for': '198.51.100.9',
      'x-forwarded-host': 'tilth.example',
      'x-forwarded-proto': 'https',
    })
    expect(headers['x-request-id']).not.toBe('an-id-of-theirs')
  })
})

test.each([
  ['tilth.example', 'https://tilth.example', true],
  ['TILTH.example', 'https://tilth.example', true],
  ['tilth.example.', 'https://tilth.example', true],
  ['tilth.example:443', 'https://tilth.example', true],
  ['tilth.example:80', 'https://tilth.example', false],
  ['tilth.example:3000', 'http://tilth.example:3000', true],
  ['tilth.example', 'http://tilth.example:3000', false],
  ['eviltilth.example', 'https://tilth.example', false],
  ['[::1]:3000', 'http://[::1]:3000', true],
])('%s is %s: %s', (host, address, expected) => expect(sameHost(host, new URL(address))).toBe(expected))
