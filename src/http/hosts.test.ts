import { expect, test } from 'vitest'
import { answeringAddresses, isSameOriginChange, isSingleHost, isOurs } from './hosts'

const configured = [new URL('https://tilth.example'), new URL('http://localhost:3000')]

test.each([
  ['tilth.example', true],
  ['localhost:3000', true],
  ['127.0.0.1:3000', true],
  ['[::1]:3000', true],
  ['localhost', false],
  ['localhost:3001', false],
  ['tilth.example.evil.example', false],
  ['evil.example', false],
  ['', false],
])('we answer as %s: %s', (host, expected) => {
  expect(isOurs(host, answeringAddresses(configured))).toBe(expected)
})

test('this machine’s names are not ours where only public ones are configured', () => {
  expect(isOurs('127.0.0.1', answeringAddresses([new URL('http://tilth.example')]))).toBe(false)
})

test.each(['a.example', 'a.example:8080', 'a.example.', '127.0.0.1', '[::1]:3000', 'my_host'])(
  '%s is one host',
  (host) => expect(isSingleHost(host)).toBe(true),
)

test.each([
  '',
  'a.example, b.example',
  'a.example/x',
  'user@a.example',
  'a example',
  'a.example:x',
  '[::1',
  'a..b',
  '.a',
])('%j is not', (host) => expect(isSingleHost(host)).toBe(false))

const arrival = {
  requestId: '',
  path: '/',
  client: '',
  protocol: 'https' as const,
  host: 'tilth.example',
  isForwarded: false,
  via: 'direct' as const,
}

test.each([
  // method   origin                       sec-fetch-site   ours
  ['POST', 'https://tilth.example', 'same-origin', true],
  ['POST', 'https://tilth.example', undefined, true],
  ['POST', 'https://tilth.example:443', 'same-origin', true],
  ['POST', undefined, undefined, true],
  ['POST', undefined, 'none', true],
  ['POST', 'https://evil.example', 'cross-site', false],
  ['POST', 'https://evil.example', undefined, false],
  ['POST', 'https://a.tilth.example', 'same-site', false],
  ['POST', 'null', 'cross-site', false],
  ['POST', undefined, 'cross-site', false],
  ['POST', undefined, 'same-site', false],
  ['DELETE', 'https://evil.example', 'cross-site', false],
  ['GET', undefined, 'cross-site', true],
  ['HEAD', 'https://evil.example', 'cross-site', true],
])('%s with origin %s and sec-fetch-site %s comes from ourselves: %s', (method, origin, site, expected) => {
  expect(isSameOriginChange({ method, origin, site }, arrival)).toBe(expected)
})
