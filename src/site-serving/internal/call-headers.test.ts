import { describe, expect, test } from 'vitest'
import { headersForCall, headersOfAnswer } from './call-headers'

describe('a route gets', () => {
  test.each([
    ['sid=a', undefined],
    ['shop=1; sid=a; x=2', 'shop=1; x=2'],
    ['__Host-sid=a; __Host-step=b; device=c; __Secure-oidc=d', undefined],
    ['SID=a;tilth_visitor=b;tilth_trying=c; Tilth=d', undefined],
    ['sidecar=a; theme=dark; my_sid=b', 'sidecar=a; theme=dark; my_sid=b'],
  ])('of the cookies %j those that are not Tilth’s', (cookie, expected) =>
    expect(Object.fromEntries(headersForCall({ cookie }))['cookie']).toBe(expected),
  )

  test('the headers of the message, not those of its connection', () =>
    expect(headersForCall({ connection: 'keep-alive', te: 'trailers', 'x-secret': 'a' })).toEqual([
      ['x-secret', 'a'],
    ]))
})

describe('a route answers', () => {
  test.each([
    'sid=a',
    'SID=a; Path=/',
    '__Host-sid=a; Secure; Path=/',
    ' tilth_visitor =a',
    'device=',
    '=sid=a',
    'sid',
    '',
  ])('without the cookie %j', (cookie) =>
    expect(headersOfAnswer([['Set-Cookie', cookie]])['set-cookie']).toBeUndefined(),
  )

  test('with cookies of its own, each in a header', () =>
    expect(
      headersOfAnswer([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'sid=2'],
        ['set-cookie', 'b=sid=3'],
      ])['set-cookie'],
    ).toEqual(['a=1', 'b=sid=3']))

  test.each([
    'Strict-Transport-Security',
    'transfer-encoding',
    'Clear-Site-Data',
    'alt-svc',
    'X-Tilth-Visit',
  ])('without %s', (name) => expect(headersOfAnswer([[name, 'a']])).not.toHaveProperty(name.toLowerCase()))

  test('with a policy that only narrows that of Tilth', () => {
    const policies = headersOfAnswer([
      ['content-type', 'text/html'],
      ['content-security-policy', 'script-src *'],
    ])['content-security-policy']
    expect(policies).toEqual([expect.stringContaining("script-src 'self'"), 'script-src *'])
  })

  test('to no cache, unless it says so', () => {
    expect(headersOfAnswer([])['cache-control']).toBe('no-store')
    expect(headersOfAnswer([['Cache-Control', 'public, max-age=5']])['cache-control']).toBe(
      'public, max-age=5',
    )
  })
})
