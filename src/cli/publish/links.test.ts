import { expect, test } from 'vitest'
import { fileOf, linksIn, withStaticLinks } from './links'

const origin = 'https://garden.example'

test.each([
  // a path, its file
  ['/', 'index.html'],
  ['/blog', 'blog/index.html'],
  ['/blog/', 'blog/index.html'],
  ['/blog/%D7%92%D7%9F', 'blog/גן/index.html'],
  ['/blog/rss.xml', 'blog/rss.xml'],
  ['/blog/hello.md', 'blog/hello.md'],
  ['/_tilth/site.js', '_tilth/site.js'],
  ['/%E0%A4%A', undefined],
])('%s is the file %s', (path, file) => expect(fileOf(path)).toBe(file))

test('links to pages end with a slash, others stay', () => {
  const html =
    '<a href="/blog">a</a><a href="/blog/hello?ref=x#end">b</a><a href="/">c</a><a href="//cdn.example/x">d</a>' +
    '<img src="/_tilth/images/a.webp"><a href="https://garden.example">e</a><a href="https://garden.example/about">f</a>' +
    '<a href="https://other.example/about">g</a><script>{"url":"https://garden.example/blog/hello#post"}</script>'
  expect(withStaticLinks(html, origin, true)).toBe(
    '<a href="/blog/">a</a><a href="/blog/hello/#end">b</a><a href="/">c</a><a href="//cdn.example/x">d</a>' +
      '<img src="/_tilth/images/a.webp"><a href="https://garden.example">e</a><a href="https://garden.example/about/">f</a>' +
      '<a href="https://other.example/about">g</a><script>{"url":"https://garden.example/blog/hello/#post"}</script>',
  )
})

test('feeds and lists lead to the same addresses', () => {
  const text = '<link>https://garden.example/blog/hello</link> [Hello](https://garden.example/blog/hello.md)'
  expect(withStaticLinks(text, origin, false)).toBe(
    '<link>https://garden.example/blog/hello/</link> [Hello](https://garden.example/blog/hello.md)',
  )
})

test.each([
  // a type, a text, the paths in it
  [
    'text/html; charset=utf-8',
    '<a href="/a?x=1&amp;y">a</a><img srcSet="/i/1.webp 1x, /i/2.webp 2x"><meta content="https://garden.example/card.png"/>',
    ['/card.png', '/a', '/i/1.webp', '/i/2.webp'],
  ],
  [
    'text/css',
    '@font-face{src:url(../media/a.woff2)} b{background:url("/c.png")}',
    ['/_next/media/a.woff2', '/c.png'],
  ],
  [
    'text/javascript',
    'import"./chunk-1.js";import("./x.css")',
    ['/_next/css/chunk-1.js', '/_next/css/x.css'],
  ],
  [
    'text/javascript',
    'import{a as b}from"/_tilth/site/part-1.js";const c="/_tilth/site/leaf-2.svg",d="/_tilth/site/";',
    ['/_tilth/site/part-1.js', '/_tilth/site/leaf-2.svg'],
  ],
  ['application/xml', '<loc>https://garden.example/b</loc><loc>https://other.example/c</loc>', ['/b']],
])('%s names what it needs', (type, text, paths) =>
  expect([...linksIn(text, type, '/_next/css/a.css', origin)].toSorted()).toEqual(paths.toSorted()),
)
