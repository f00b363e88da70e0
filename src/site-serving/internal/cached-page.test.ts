import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toCachedPage, stripFramework } from './cached-page'

describe('taking the framework out of a page', () => {
  test.each([
    ['the framework', '<script src="/_next/static/chunks/a.js" async=""></script>', ''],
    ['what it would start from', '<script>self.__next_f.push([1,"<\\u002fscript> is no end"])</script>', ''],
    ['what has a nonce', '<script nonce="abc">start()</script>', ''],
    ['modules of it', '<script type="module" src="/_next/static/a.js"></script>', ''],
    [
      'hints to fetch a script',
      '<link rel="preload" as="script" fetchPriority="low" href="/_next/a.js"/>',
      '',
    ],
    ['what separates texts', '<!-- -->', ''],
    ['the bounds of what was waited for', '<!--$--><b>here</b><!--/$-->', '<b>here</b>'],
    ['hints to fetch a module', '<link rel="modulepreload" href="/_next/a.js"/>', ''],
    [
      'hints to fetch a stylesheet, which is there itself or is another page’s',
      '<link rel="preload" as="style" href="/_next/a.css"/><link rel="preload" href="/_tilth/site/a.css" as="style"/>',
      '',
    ],
  ])('takes %s', (_what, html, left) => {
    expect(stripFramework(`<p>before</p>${html}<p>after</p>`)).toBe(`<p>before</p>${left}<p>after</p>`)
  })

  test.each([
    ['structured data', '<script type="application/ld+json">{"@type":"Article"}</script>'],
    ['scripts of ours', '<script src="/_tilth/script.js" defer=""></script>'],
    ['stylesheets', '<link rel="stylesheet" href="/_next/static/a.css"/>'],
    ['hints to fetch a font', '<link rel="preload" as="font" href="/_next/a.woff2"/>'],
    ['hints to fetch a script of ours', '<link rel="preload" as="script" href="/_tilth/site.js"/>'],
    ['what islands need', '<tilth-island data-id="p1">1<!---->2<!--$--><b>here</b><!--/$--></tilth-island>'],
    ['words about scripts', '<p>&lt;script&gt; and src=&quot;/_next/&quot;</p>'],
  ])('leaves %s', (_what, html) => {
    expect(stripFramework(`<p>before</p>${html}<p>after</p>`)).toBe(`<p>before</p>${html}<p>after</p>`)
  })

  test('takes every one of several, and nothing between them', () => {
    expect(
      stripFramework('<script>a</script>one<script src="/_next/b.js"></script>two<script>c</script>'),
    ).toBe('onetwo')
  })
})

describe('the policy of a kept page', () => {
  const nonce = 'cmFuZG9tIG9mIG9uZSByZW5kZXJpbmc='
  const keptOf = (html: string) =>
    toCachedPage(
      { status: 200, headers: { 'content-type': 'text/html' }, trailers: {}, body: Buffer.from(html) },
      nonce,
    )
  const named = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

  test('names the scripts of the renderer, and none that came into the page by another way', async () => {
    const page = await keptOf(
      `<html><body><script nonce="${nonce}">start("${nonce}")</script><p>A post</p>` +
        `<script>steal()</script><script nonce="guessed">stealToo()</script></body></html>`,
    )
    const policy = String(page.headers['content-security-policy'])

    expect(policy).toContain(named('start("")'))
    expect(policy).not.toContain(named('steal()'))
    expect(policy).not.toContain(named('stealToo()'))
    expect(policy.match(/'sha256-/g)).toHaveLength(1)
    const shown = page.body.kind === 'whole' ? String(page.body.plain) : ''
    expect(shown).toContain('<script>start("")</script>')
    expect(shown).not.toContain(nonce)
  })

  test('names no script at all where a page does without the framework', async () => {
    const page = await keptOf(
      `<html data-weight="static"><body><script nonce="${nonce}">start()</script><script>steal()</script></body></html>`,
    )
    expect(String(page.headers['content-security-policy'])).not.toContain('sha256-')
  })
})
