import { describe, expect, test } from 'vitest'
import { expectLinear } from '#test/running/growth'
import {
  anIngestContext,
  anEnvelope,
  anEvent,
  expectDropped,
  withProperties,
} from '#test/product/ingest-fixture'
import { matchesPattern, projectIngestSettings, compileIngestRules, defaultIngestSettings } from './settings'

test('without settings, all but referrer spam is kept', () => {
  expect(defaultIngestSettings).toEqual({
    hosts: [],
    shields: { addresses: [], countries: [], pages: [] },
    dropTraffic: [],
    spamReferrers: 'drop',
    optOut: 'cookieless',
    capture: ['interactions', 'rage-clicks', 'page-leaves'],
    hashRouting: false,
    channels: 'google',
    keep: {},
  })
})

test.each([
  [{ shields: { addresses: ['198.51.100'] } }, 'Write an address'],
  [{ shields: { addresses: ['198.51.100.0/33'] } }, 'Write an address'],
  [{ shields: { countries: ['Germany'] } }, 'Write the two letters'],
  [{ shields: { pages: ['admin'] } }, 'Begin a page with "/"'],
  [{ hosts: ['https://example.com/'] }, 'Write a host'],
  [{ monthlyEvents: 0 }, 'Write a whole number of events'],
  [{ monthlyEvents: 1.5 }, 'Write a whole number of events'],
  [{ monthlyEvents: Number.NaN }, 'Write a whole number of events'],
  [{ monthlyEvents: '1000' }, 'Write a whole number of events'],
])('%o is answered with what to write', (settings, remedy) => {
  expect(projectIngestSettings.safeParse(settings).error?.issues[0]?.message).toContain(remedy)
})

describe('shields', () => {
  test.each([
    ['198.51.100.23', true],
    ['198.51.100.0/24', true],
    ['198.51.100.24', false],
    ['2001:db8::/32', false],
  ])('%s', (range, isShielded) => {
    const rules = compileIngestRules(projectIngestSettings.parse({ shields: { addresses: [range] } }))
    expect(rules.isShieldedAddress('198.51.100.23')).toBe(isShielded)
    expect(rules.isShieldedAddress('not an address')).toBe(false)
  })

  test('an IPv6 network holds its addresses', () => {
    const rules = compileIngestRules(
      projectIngestSettings.parse({ shields: { addresses: ['2001:db8::/32'] } }),
    )
    expect(rules.isShieldedAddress('2001:db8::7')).toBe(true)
    expect(rules.isShieldedAddress('2001:db9::7')).toBe(false)
  })

  test.each([
    ['/admin', '/admin', true],
    ['/admin', '/admin/users', false],
    ['/admin*', '/admin/users', true],
    ['/*/draft', '/posts/7/draft', true],
    ['/*/draft', '/posts/7/draft/2', false],
    ['/a*b*c', '/a-b-b-c', true],
    ['/a*a', '/a', false],
    ['/*', '/', true],
  ])('%s: %s', (pattern, path, isMatched) => expect(matchesPattern(path, pattern)).toBe(isMatched))

  test('a path takes no longer than it is, whatever the pattern', async () => {
    await expectLinear((size) => {
      const path = `/${'a'.repeat(size)}`
      return () => matchesPattern(path, '/*a*a*b')
    }, 300)
  })

  const page = (url: string) => withProperties({ $current_url: url })

  test.each([
    [{ shields: { addresses: ['198.51.100.0/24'] } }, anEvent(), 'shielded-address'],
    [{ shields: { countries: ['de'] } }, anEvent(), 'shielded-country'],
    [{ shields: { countries: ['FR'] } }, anEvent(), undefined],
    [{ shields: { pages: ['/admin*'] } }, page('https://example.com/admin/users'), 'shielded-page'],
    [{ hosts: ['example.com'] }, page('https://example.com/'), undefined],
    [{ hosts: ['example.com'] }, page('https://www.example.com/'), 'shielded-host'],
    [{ hosts: ['*.example.com'] }, page('https://www.example.com:8080/'), undefined],
    [{ hosts: ['example.com'] }, page('https://copycat.example.net/'), 'shielded-host'],
    // no page, no host
    [{ hosts: ['example.com'] }, withProperties({ total: 12 }), undefined],
  ])('with %o', async (settings, event, reason) => {
    expect(expectDropped(event, anEnvelope(), await anIngestContext(undefined, settings))).toBe(reason)
  })
})
