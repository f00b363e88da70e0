import { expect, test } from 'vitest'
import { redirects } from '#test/vectors/security-inputs.json'
import { returnPath } from './return-path'

const cases = redirects.cases.map(([to, isOurs]) => ({ to: String(to), isOurs }))

test.each(cases)('after signing in, $to is followed: $isOurs', ({ to, isOurs }) => {
  expect(returnPath(to)).toBe(isOurs ? to : '/studio')
})

test.each([
  // what stands in the address           where it leads
  ['/studio/acme/settings?x=1#here', '/studio/acme/settings?x=1'],
  ['//evil.example', '/studio'],
  ['/\\evil.example', '/studio'],
  ['/\t/evil.example', '/studio'],
  ['/\n/evil.example', '/studio'],
  ['/.//evil.example', '/studio'],
  ['/a/..//evil.example', '/studio'],
  ['/%2e//evil.example', '/studio'],
  ['https://evil.example/studio', '/studio'],
  ['javascript:alert(1)', '/studio'],
  ['studio/acme', '/studio'],
  ['@evil.example', '/studio'],
])('after signing in, %j leads to %s', (to, where) => {
  expect(returnPath(to)).toBe(where)
})

test.each([undefined, null, 5, ['/studio/acme', '/studio'], {}])(
  'an address that says %j leads home',
  (to) => {
    expect(returnPath(to)).toBe('/studio')
  },
)
