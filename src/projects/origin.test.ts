import { isIPv4, isIPv6 } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#test/random/chance'
import { clientName, networkOf, networkText, requestOrigin } from './origin'

describe('what is kept of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.0', '203.0.113.0/24'],
    ['0.0.0.0', '0.0.0.0/24'],
    ['255.255.255.255', '255.255.255.0/24'],
    ['127.0.0.1', '127.0.0.0/24'],
    // as a socket that listens for both kinds says it
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['::FFFF:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1234:5678:9abc:def0:1234:5678', '2001:db8:1234::/48'],
    ['2001:DB8:1234:5678::1', '2001:db8:1234::/48'],
    ['2001:0db8:0004::1', '2001:db8:4::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['::', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['fe80::1ff:fe23:4567:890a%3', 'fe80:0:0::/48'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0::/48'],
    ['::2:3:4:5:6:7:8', '0:2:3::/48'],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3::/48'],
    // the rest of a mapped address is in the groups that are cut off
    ['::ffff:cb00:7107', '0:0:0::/48'],
    ['0:0:0:0:0:ffff:203.0.113.7', '0:0:0::/48'],
  ])('%s: %s', (address, kept) => {
    expect(networkOf(address)).toBe(kept)
  })

  test.each([
    [''],
    ['unknown'],
    ['203.0.113'],
    ['203.0.113.7:443'],
    ['203.0.113.256'],
    ['[2001:db8::1]'],
    ['2001:db8::1::2'],
    [' 203.0.113.7'],
    ['203.0.113.7\n198.51.100.1'],
    ['_hidden'],
    ['localhost'],
  ])('%j: nothing, for it is none', (address) => {
    expect(networkOf(address)).toBe('')
  })

  test('never the last part of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [first, second, third] = address.split('.')
        return networkOf(address) === `${first}.${second}.${third}.0/24`
      }),
    )
  })

  test('never more than three groups of an IPv6 address, however it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
        const kept = groups
          .slice(0, 3)
          .map((group) => group.toString(16))
          .join(':')
        return waysToWrite(groups).every((address) => networkOf(address) === `${kept}::/48`)
      }),
    )
  })

  test('of every address something that is a network, and of anything else nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 60 })), (address) => {
        const [network = '', bits] = networkOf(address).split('/')
        if (network === '') return !isIPv4(address) && !isIPv6(address)
        return (isIPv4(network) && bits === '24') || (isIPv6(network) && bits === '48')
      }),
      { numRuns: runs(1000) },
    )
  })

  /** Writes an address in full, with leading zeros, in capitals, and with a dotted tail. */
  function waysToWrite(groups: readonly number[]): string[] {
    const [high = 0, low = 0] = groups.slice(6)
    const full = groups.map((group) => group.toString(16))
    const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.')
    return [
      full.join(':'),
      full.join(':').toUpperCase(),
      full.map((group) => group.padStart(4, '0')).join(':'),
      [...full.slice(0, 6), dotted].join(':'),
    ]
  }
})

describe('what is kept of a user agent', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 OPR/120.0.0.0',
      'Opera on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0.0.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/150.0 Mobile/15E148 Safari/605.1.15',
      'Firefox on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/140.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
      'Chrome on ChromeOS',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['curl/8.14.1', 'curl'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
    ['', 'an unknown client'],
    ['<script>alert(1)</script>', 'an unknown client'],
    ['x'.repeat(100_000), 'an unknown client'],
  ])('%s', (userAgent, client) => {
    expect(clientName(userAgent)).toBe(client)
  })

  test('is one of a few names, whatever is sent', () => {
    const known = /^(?:an unknown client|[A-Za-z ]{2,20}(?: on [A-Za-z]{3,8})?)$/
    const parts = fc.constantFrom(
      'Chrome/1',
      'Firefox/',
      'Safari/',
      'Android',
      'Mac OS X',
      'curl/',
      '; secret=1',
      '\r\n',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts).map((all) => all.join(' ')),
        ),
        (sent) => known.test(clientName(sent)),
      ),
    )
  })
})

test('an origin holds nothing else', () => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'

  expect(requestOrigin({ address: '203.0.113.7', userAgent, requestId: 'req-1' })).toEqual({
    address: '203.0.113.0/24',
    client: 'Firefox on Linux',
    requestId: 'req-1',
  })
})

test.each([
  ['::1', 'this machine'],
  ['127.0.0.1', 'this machine'],
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['', 'an unknown network'],
])('the list of sessions shows %j as %s', (address, text) => {
  expect(networkText(networkOf(address))).toBe(text)
})
