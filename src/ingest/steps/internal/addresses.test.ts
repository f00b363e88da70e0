import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '#test/running/growth'
import { cleanAddress, parseExternalUrl, parsePageUrl, withoutSecrets } from './addresses'

const secret = 's3cr3t'

describe('a page’s address', () => {
  test.each([
    // the browser's address, and the one that is kept
    ['https://example.com/', 'https://example.com/'],
    ['https://EXAMPLE.com/Pricing', 'https://example.com/Pricing'],
    ['https://example.com/a?utm_source=x&page=2', 'https://example.com/a?utm_source=x&page=2'],
    [`https://ann:${secret}@example.com/a`, 'https://example.com/a'],
    ['https://example.com/a#section', 'https://example.com/a'],
    ['https://example.com/a?gclid=CjwK&q=x', 'https://example.com/a?q=x'],
    [`https://example.com/a?token=${secret}`, 'https://example.com/a'],
    [`https://example.com/a?q=1&reset_token=${secret}&b=2`, 'https://example.com/a?q=1&b=2'],
    [`https://example.com/a?apiKey=${secret}&API_KEY=${secret}&api-key=${secret}`, 'https://example.com/a'],
    [`https://example.com/a?user[email]=ann@example.org`, 'https://example.com/a'],
    [
      `https://example.com/a?code=${secret}&state=${secret}&session=x&jwt=x&auth=x&key=x`,
      'https://example.com/a',
    ],
    [
      'https://example.com/a?country_code=DE&sort_key=name',
      'https://example.com/a?country_code=DE&sort_key=name',
    ],
    ['https://example.com/a?author=ann&keyboard=x', 'https://example.com/a?author=ann&keyboard=x'],
    // by what the value is, whatever it is called
    ['https://example.com/a?u=ann%40example.org&v=1', 'https://example.com/a?v=1'],
    ['https://example.com/a?u=ann%2540example.org&v=1', 'https://example.com/a?v=1'],
    ['https://example.com/a?ann@example.org', 'https://example.com/a'],
    ['https://example.com/a?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.x', 'https://example.com/a'],
    [`https://example.com/login?next=%2Freset%3Ftoken%3D${secret}`, 'https://example.com/login'],
    [`https://example.com/a?%74oken=${secret}`, 'https://example.com/a'],
    ['https://example.com/a?q=100%25&r=%zz', 'https://example.com/a?q=100%25&r=%zz'],
  ])('%s', (shown, kept) => expect(parsePageUrl(shown, false)?.text).toBe(kept))

  test.each([
    ['https://example.com/#/cart', 'https://example.com/#/cart', '/#/cart'],
    [`https://example.com/#/reset?token=${secret}&a=1`, 'https://example.com/#/reset?a=1', '/#/reset?a=1'],
    [`https://example.com/app#access_token=${secret}`, 'https://example.com/app', '/app'],
  ])('with hash routing: %s', (shown, text, path) =>
    expect(parsePageUrl(shown, true)).toMatchObject({ text, path }),
  )

  test.each([
    'javascript:alert(1)',
    'javascript://x/%0aalert(1)',
    'about:blank',
    'data:text/html,x',
    'not a url',
    '',
    'file:///home/ann/x.html',
  ])('%o is no place', (text) => expect(parsePageUrl(text, false)).toBeUndefined())

  test('a very long path is cut, and a very long query dropped', () => {
    const page = parsePageUrl(`https://example.com/${'a'.repeat(5000)}?q=${'b'.repeat(10_000)}`, false)
    expect(page?.path.length).toBe(2000)
    expect(page?.text).not.toContain('b')
  })
})

describe('a page elsewhere', () => {
  test.each([
    ['https://other.example/search?q=illness', 'https://other.example/search'],
    [`https://ann:${secret}@other.example/`, 'https://other.example/'],
    ['https://other.example/a#b', 'https://other.example/a'],
    ['android-app://com.google.android.gm/', 'android-app://com.google.android.gm/'],
  ])('%s is known as %s', (text, kept) => expect(parseExternalUrl(text)?.text).toBe(kept))
})

describe('any text', () => {
  test.each([
    ['see https://example.com/a?token=x#y, please', 'see https://example.com/a#y,'],
    [
      `["https://a:${secret}@b.example/?q=1","https://c.example/?email=a@b.co"]`,
      '["https://b.example/?q=1","https://c.example/"]',
    ],
    ['TypeError at https://example.com/app.js?v=3:1:44', 'TypeError at https://example.com/app.js?v=3:1:44'],
    ['no address: //', 'no address: //'],
    ['://', '://'],
    ['https://example.com/?next=/a#state=1', 'https://example.com/?next=/a'],
  ])('%s', (text, kept) => expect(withoutSecrets(text)).toContain(kept))

  test('what is clean already stays as it is', () => {
    const clean = fc.webUrl({ withQueryParameters: false, withFragments: false })
    fc.assert(
      fc.property(clean, (url) => {
        expect(cleanAddress(url, 'kept')).toBe(url)
      }),
    )
  })

  test('a mail address in a query is never kept, however it is written', () => {
    const writing = fc.constantFrom(
      // as people do: what a query cannot hold as it is, is encoded
      (mail: string) => mail.replaceAll(/[&#%]/g, encodeURIComponent),
      encodeURIComponent,
      (mail: string) => encodeURIComponent(encodeURIComponent(mail)),
      (mail: string) => encodeURIComponent(`<${mail}>, and others`),
    )
    const name = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.webUrl(), name, fc.emailAddress(), writing, (url, key, mail, write) => {
        const bare = url.split(/[?#]/)[0] ?? url
        const kept = parsePageUrl(`${bare}?a=1&${key}=${write(mail)}&b=2`, false)?.text ?? ''
        expect(
          decodeURIComponent(decodeURIComponent(kept.replaceAll(/%(?![0-9a-f]{2})/gi, ''))),
        ).not.toContain(mail)
      }),
    )
  })

  test.each<[string, (size: number) => string, size: number]>([
    ['addresses without a gap', (size) => 'https://'.repeat(size), 25_000],
    ['a long word before an address', (size) => `${'a'.repeat(size)} ://x`, 5000],
    ['a long scheme', (size) => `${'a'.repeat(size)}://x`, 200_000],
    ['a long query', (size) => `https://x/?${'a@'.repeat(size)}`, 100_000],
    ['a query of many names', (size) => `https://x/?${'a=b&'.repeat(size)}`, 1000],
  ])('%s takes no longer than it is', async (_what, textOf, size) => {
    await expectLinear((each) => {
      const text = textOf(each)
      return () => withoutSecrets(text)
    }, size)
  })
})
