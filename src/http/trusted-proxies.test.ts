import { expect, test } from 'vitest'
import { clientAddress, isLoopback, isTrusted, readTrustedProxies } from './trusted-proxies'

const trusting = (text: string) => readTrustedProxies(text) ?? { by: 'nobody' as const }

test.each([
  // trusted          peer           x-forwarded-for                     visitor
  ['0', '198.51.100.9', '203.0.113.1', '198.51.100.9'],
  ['1', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['1', '10.0.0.1', '6.6.6.6, 203.0.113.1', '203.0.113.1'],
  ['2', '10.0.0.1', '6.6.6.6, 203.0.113.1, 10.0.0.2', '203.0.113.1'],
  ['2', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['1', '10.0.0.1', undefined, '10.0.0.1'],
  ['1', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['1', '10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
  ['1', '::1', '[2001:db8::7]:443', '2001:db8::7'],
  ['private', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['private', '198.51.100.9', '203.0.113.1', '198.51.100.9'],
  ['private', '10.0.0.1', '6.6.6.6, 203.0.113.1, 10.0.0.2', '203.0.113.1'],
  ['private', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['loopback', '::ffff:127.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['10.0.0.0/8, ::1', '::1', '203.0.113.1', '203.0.113.1'],
])('trusting %s, from %s saying %s: the visitor is %s', (trusted, peer, forwardedFor, visitor) => {
  expect(clientAddress(peer, forwardedFor, trusting(trusted))).toBe(visitor)
})

test.each(['11', '-1', 'me', '10.0.0.0/33', '10.0.0/8', '::1/129', '1.2.3.4/', '10.0.0.0/8,nonsense'])(
  '"%s" names no proxies',
  (text) => expect(readTrustedProxies(text)).toBeUndefined(),
)

test('a peer outside the named networks is not believed', () => {
  expect(isTrusted('10.1.2.3', trusting('private'))).toBe(true)
  expect(isTrusted('198.51.100.9', trusting('private'))).toBe(false)
  expect(isTrusted('10.1.2.3', { by: 'nobody' })).toBe(false)
})

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['', false],
])('%s is this machine: %s', (address, expected) => expect(isLoopback(address)).toBe(expected))
