import { describe, expect, test } from 'vitest'
import { aPost } from '#test/product/posts'
import { atom, type FeedDetails, jsonFeed, rss } from './feeds'
import { llmsLists, llmsText, markdownAddress } from './llms'
import { excerptOf, htmlOf, readMarkdown } from './markdown'
import type { Author, Post } from './post'
import { postMarkdown } from './post-markdown'
import { readFrontMatter } from './front-matter'
import { aiCrawlers, robots } from './robots'
import { type Site, defaultSite } from './site'
import { sitemap } from './sitemap'
import { structuredData } from './structured-data'
import { escapeXml } from './xml'

const site: Site = {
  ...defaultSite,
  name: 'Acme & Co',
  description: 'News <b>',
  projectId: 1,
  origin: 'https://acme.example',
  timeZone: 'Europe/Lisbon',
  writeKey: 'phc_x',
}

const written = (overrides: Partial<Post> = {}): Post =>
  aPost({
    id: '7',
    body: 'The **body** with [a link](/there).\n\n![A](/_tilth/images/a.webp)',
    publishedAt: new Date('2026-03-01T08:00:00Z'),
    createdAt: new Date('2026-02-27T08:00:00Z'),
    changedAt: new Date('2026-03-02T09:30:00Z'),
    ...overrides,
  })

const idOfPost7 = 'urn:uuid:5eaf3cec-445a-8be3-9316-03cffb13c8af'

const ana: Author = {
  slug: 'ana',
  name: 'Ana <b>',
  bio: '',
  picture: undefined,
  links: [{ label: 'x', address: 'https://x.example' }],
}
const feed: FeedDetails = { address: '/blog.json', title: 'Acme & Co', authors: [ana] }
const textOf = (post: Post) => ({
  summary: excerptOf(post),
  html: htmlOf(readMarkdown(post.body), site.origin),
})
const hostile = 'a ]]> b <script> & "c" \u0000\u0008\uFFFE\uD800 \u2028 d'

const full = written({
  title: hostile,
  tags: ['News & views', 'a"b'],
  authors: ['ana', 'gone'],
  cover: { address: '/_tilth/images/c.png', alt: '' },
  body: `${hostile}\n\n\`\`\`\n]]>\n\`\`\``,
})

/** A reader of XML that is stricter than any: what is not well formed throws. Answers texts and attributes by path. */
function readXml(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const open: string[] = []
  const add = (path: string, value: string) => found.set(path, [...(found.get(path) ?? []), unescaped(value)])
  const rest = text.replace(/^<\?xml version="1.0" encoding="utf-8"\?>\n/, '').trim()
  let read = 0
  for (const [piece, closing, name = '', message = '', isClosed, words] of rest.matchAll(
    /<(\/)?([\w:]+)((?: [\w:]+="[^"<]*")*)(\/)?>|([^<]+)/g,
  )) {
    read += piece.length
    if (words !== undefined) add(open.join('/'), words)
    else if (closing) expect(open.pop()).toBe(name)
    else {
      const path = [...open, name].join('/')
      for (const [, attribute, value = ''] of message.matchAll(/ ([\w:]+)="([^"]*)"/g))
        add(`${path}@${attribute}`, value)
      if (!isClosed) open.push(name)
    }
  }
  expect({ open, read }).toEqual({ open: [], read: rest.length })
  return found
}

function unescaped(text: string): string {
  expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/)
  expect(text).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u)
  const signs = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
  return text.replaceAll(/&\w+;/g, (sign) => signs[sign as keyof typeof signs])
}

const shown = 'a ]]> b <script> & "c" \uFFFD \u2028 d'

const idsOf = (from: Site, posts: readonly Post[]): string[] =>
  (JSON.parse(jsonFeed(from, posts, feed, textOf)) as { items: { id: string }[] }).items.map(({ id }) => id)

test('an id outlives a new title, slug and domain, and is that of one post only', () => {
  const moved = { ...site, origin: 'https://elsewhere.example' }
  expect(idsOf(moved, [written({ title: 'New', slug: 'new' })])).toEqual([idOfPost7])
  const others = [
    written({ id: '8' }),
    written({ createdAt: new Date(0) }),
    written({ id: 'file:posts/hello.md' }),
  ]
  const all = [...idsOf(site, others), ...idsOf({ ...site, projectId: 2 }, [written()]), idOfPost7]
  expect(new Set(all).size).toBe(5)
  expect(idsOf(site, [written({ id: 'file:posts/hello.md', createdAt: new Date(0) })])).toEqual([all[2]])
})

describe('JSON Feed', () => {
  test('is of version 1.1 and holds the whole text, with addresses in full', () => {
    const { version, home_page_url, feed_url, items } = JSON.parse(
      jsonFeed(site, [written({ authors: ['ana'], tags: ['x'] })], feed, textOf),
    )

    expect({ version, home_page_url, feed_url }).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      home_page_url: 'https://acme.example/blog',
      feed_url: 'https://acme.example/blog.json',
    })
    expect(items).toEqual([
      {
        id: idOfPost7,
        url: 'https://acme.example/blog/hello',
        title: 'Hello',
        content_html:
          '<p>The <strong>body</strong> with <a href="https://acme.example/there">a link</a>.</p>\n' +
          '<p><img src="https://acme.example/_tilth/images/a.webp" alt="A"></p>',
        summary: 'The body with a link.',
        date_published: '2026-03-01T08:00:00.000Z',
        date_modified: '2026-03-02T09:30:00.000Z',
        tags: ['x'],
        authors: [{ name: 'Ana <b>', url: 'https://acme.example/blog/authors/ana' }],
      },
    ])
  })

  test('says the same of a post while other titles are tried, and after it moved', () => {
    const trial: Post['trial'] = {
      key: 'post-7-1',
      metric: 'clicks',
      startedAt: new Date(0),
      state: { name: 'running' },
      variants: [{ key: 'a' }, { key: 'b', title: 'Other' }],
    }
    const [before, after] = [written(), written({ trial, slug: 'moved' })].map(
      (post) => JSON.parse(jsonFeed(site, [post], feed, textOf)).items[0],
    )
    expect(after).toMatchObject({ id: before.id, title: before.title })
  })
})

describe('RSS', () => {
  test('is well-formed whatever a post is called, and holds the whole text', () => {
    const found = readXml(rss(site, [full], { ...feed, address: '/blog/rss.xml' }, textOf))

    expect(found.get('rss/channel/item/title')).toEqual([shown])
    expect(found.get('rss/channel/item/content:encoded')?.[0]).toContain(
      '<p>a ]]> b &#x3C;script></p>'.slice(0, 10),
    )
    expect(found.get('rss/channel/item/guid')).toEqual([idOfPost7])
    expect(found.get('rss/channel/item/category')).toEqual(['News & views', 'a"b'])
    expect(found.get('rss/channel/item/dc:creator')).toEqual(['Ana <b>'])
    expect(found.get('rss/channel/item/enclosure@url')).toEqual(['https://acme.example/_tilth/images/c.png'])
    expect(found.get('rss/channel/item/enclosure@type')).toEqual(['image/png'])
    expect(found.get('rss/channel/item/pubDate')).toEqual(['Sun, 01 Mar 2026 08:00:00 GMT'])
    expect(found.get('rss/channel/lastBuildDate')).toEqual(['Mon, 02 Mar 2026 09:30:00 GMT'])
  })
})

describe('Atom', () => {
  test('is well-formed whatever a post is called, and holds the whole text', () => {
    const found = readXml(atom(site, [full], { ...feed, address: '/blog/atom.xml' }, textOf))

    expect(found.get('feed/entry/title')).toEqual([shown])
    expect(found.get('feed/entry/content@type')).toEqual(['html'])
    expect(found.get('feed/entry/content')?.[0]).toContain('<pre><code>]]></code></pre>')
    expect(found.get('feed/entry/author/name')).toEqual(['Ana <b>'])
    expect(found.get('feed/entry/category@term')).toEqual(['News & views', 'a"b'])
    expect(found.get('feed/updated')).toEqual(['2026-03-02T09:30:00.000Z'])
    expect(found.get('feed/link@rel')).toEqual(['self', 'alternate'])
  })

  test('of no posts is one as well', () => {
    expect(readXml(atom(site, [], feed, textOf)).get('feed/title')).toEqual(['Acme & Co'])
    expect(readXml(rss(site, [], feed, textOf)).get('rss/channel/title')).toEqual(['Acme & Co'])
  })
})

test('a very long list of posts is cut', () => {
  const posts = Array.from({ length: 80 }, (_, place) => written({ id: String(place) }))
  expect(JSON.parse(jsonFeed(site, posts, feed, textOf)).items).toHaveLength(50)
})

test('the sitemap lists posts, pages and lists once, and leaves out what was published elsewhere first', () => {
  const posts = [
    written({ tags: ['A & B'], authors: ['ana'] }),
    written({ slug: 'x', tags: ['A & B'] }),
    written({ slug: 'copy', canonical: 'https://other.example/x' }),
  ]
  const pages = [written({ kind: 'page', slug: 'about' })]
  const found = readXml(sitemap(site, { posts, pages }))

  expect(found.get('urlset/url/loc')?.map((address) => address.replace(site.origin, ''))).toEqual([
    '/',
    '/blog',
    '/about',
    '/blog/hello',
    '/blog/x',
    '/blog/tags/a-b',
    '/blog/authors/ana',
  ])
})

test('the sitemap names the translations of a page, and pages that are no posts in place of others', () => {
  const posts = [
    written({ slug: 'hello', language: undefined }),
    written({ slug: 'hallo', language: 'de', translationOf: 'hello' }),
    written({ slug: 'alone', language: 'fr' }),
  ]
  const pages = [written({ kind: 'page', slug: 'prices' })]
  const alternates = [
    { language: 'en', address: '/prices' },
    { language: 'de', address: '/preise' },
  ]
  const others = [
    { path: '/', changedAt: new Date('2026-05-01') },
    { path: '/prices', alternates },
  ]
  const text = sitemap(site, { posts, pages, others })
  const entryAt = (path: string): string =>
    text.split('<url>').find((entry) => entry.startsWith(`<loc>https://acme.example${path}</loc>`)) ?? ''
  const languagesAt = (path: string) =>
    Array.from(
      entryAt(path).matchAll(/hreflang="([^"]+)" href="https:\/\/acme\.example([^"]+)"/g),
      ([, ...one]) => one,
    )

  expect(readXml(text).get('urlset/url/loc')).toHaveLength(new Set(readXml(text).get('urlset/url/loc')).size)
  expect(entryAt('/')).toContain('<lastmod>2026-05-01T00:00:00.000Z</lastmod>')
  expect(languagesAt('/prices')).toEqual([
    ['en', '/prices'],
    ['de', '/preise'],
    ['x-default', '/prices'],
  ])
  expect(languagesAt('/blog/hallo')).toEqual([
    ['de', '/blog/hallo'],
    ['en', '/blog/hello'],
    ['x-default', '/blog/hello'],
  ])
  expect(languagesAt('/blog/alone')).toEqual([])
  const part = sitemap(site, { posts: posts.slice(1), pages: [], allPosts: posts })
  expect(part).toContain('hreflang="en" href="https://acme.example/blog/hello"')
})

test('robots.txt names the sitemap, and turns AI crawlers away only where the site says so', () => {
  const open = robots(site)
  const refusing = robots({ ...site, refusesAiCrawlers: true })

  expect(open).toContain('\nSitemap: https://acme.example/sitemap.xml\n')
  expect(open).not.toContain('GPTBot')
  for (const name of aiCrawlers) expect(refusing).toContain(`User-agent: ${name}\n`)
  expect(refusing).toMatch(/User-agent: YouBot\nDisallow: \/\n/)
})

test('llms.txt has a title, a summary and a list of links to Markdown', () => {
  const lists = llmsLists(
    site,
    [written({ title: 'a [b]\n# c' })],
    [written({ kind: 'page', slug: '', title: 'Home', excerpt: 'Start\nhere' })],
    excerptOf,
  )
  const text = llmsText(site, lists, [{ address: '/jobs', title: 'Jobs', description: 'Work\nhere' }])

  expect(text).toBe(
    [
      '# Acme & Co',
      '',
      '> News <b>',
      '',
      '## Pages',
      '',
      '- [Jobs](https://acme.example/jobs): Work here',
      '- [Home](https://acme.example/index.md): Start here',
      '',
      '## Posts',
      '',
      String.raw`- [a \[b\] # c](https://acme.example/blog/hello.md): The body with a link.`,
      '',
      '## Optional',
      '',
      '- [Feed](https://acme.example/blog.json): the newest posts in full, as JSON Feed',
      '- [Sitemap](https://acme.example/sitemap.xml): every address',
      '',
    ].join('\n'),
  )
  expect(markdownAddress({ kind: 'page', slug: 'docs/start' })).toBe('/docs/start.md')
})

test('a post as Markdown can be read back', () => {
  const read = readFrontMatter(postMarkdown(full, site))
  expect(read).toMatchObject({
    done: true,
    file: { fields: { title: full.title, tags: full.tags, date: '2026-03-01T08:00:00.000Z' } },
  })
})

test('search engines are told what it is, who wrote it and where it stands', () => {
  const { '@graph': graph } = structuredData(site, written({ authors: ['ana'] }), [ana])

  expect(graph).toMatchObject([
    { '@type': 'WebSite', url: 'https://acme.example/' },
    {
      '@type': 'BlogPosting',
      headline: 'Hello',
      datePublished: '2026-03-01T08:00:00.000Z',
      author: [{ '@type': 'Person', name: 'Ana <b>', sameAs: ['https://x.example'] }],
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [{ position: 1 }, { position: 2 }, { item: 'https://acme.example/blog/hello' }],
    },
  ])
})

test.each([
  ['<a b="c">&', '&lt;a b=&quot;c&quot;&gt;&amp;'],
  ['\u0000\u0007\u001F\uFFFF', ''],
  ['\uDC00x', '\uFFFDx'],
  ['tab\tline\n🎉', 'tab\tline\n🎉'],
])('%j in XML is %j', (text, escaped) => expect(escapeXml(text)).toBe(escaped))
