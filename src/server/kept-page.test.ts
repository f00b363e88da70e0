import { describe, expect, test } from 'vitest'
import { stripScripts } from './kept-page'

describe('taking the scripts out of a page', () => {
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
    ['hints to fetch a module', '<link rel="modulepreload" href="/_next/a.js"/>', ''],
    [
      'hints to fetch a stylesheet, which is there itself or is another page’s',
      '<link rel="preload" as="style" href="/_next/a.css"/>',
      '',
    ],
  ])('takes %s', (_what, html, left) => {
    expect(stripScripts(`<p>before</p>${html}<p>after</p>`)).toBe(`<p>before</p>${left}<p>after</p>`)
  })

  test.each([
    ['structured data', '<script type="application/ld+json">{"@type":"Article"}</script>'],
    ['scripts of ours', '<script src="/_tilth/script.js" defer=""></script>'],
    ['stylesheets', '<link rel="stylesheet" href="/_next/static/a.css"/>'],
    ['hints to fetch a font', '<link rel="preload" as="font" href="/_next/a.woff2"/>'],
    ['hints to fetch a script of ours', '<link rel="preload" as="script" href="/_tilth/site.js"/>'],
    ['words about scripts', '<p>&lt;script&gt; and src=&quot;/_next/&quot;</p>'],
  ])('leaves %s', (_what, html) => {
    expect(stripScripts(`<p>before</p>${html}<p>after</p>`)).toBe(`<p>before</p>${html}<p>after</p>`)
  })

  test('takes every one of several, and nothing between them', () => {
    expect(
      stripScripts('<script>a</script>one<script src="/_next/b.js"></script>two<script>c</script>'),
    ).toBe('onetwo')
  })
})
