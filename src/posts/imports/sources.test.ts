import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { readGhost } from './internal/ghost'
import { UnreadableExportError } from './imported-content'
import { readMedium } from './internal/medium'
import { postSources } from './read-export'
import { readSubstack } from './internal/substack'
import { readWordpress } from './internal/wordpress'

const ghost = (post: object, more: object = {}) =>
  readGhost({ db: [{ meta: {}, data: { posts: [{ id: 1, ...post }], ...more } }] })

test('a post of Ghost has its date, tags, authors, cover and old address', () => {
  const post = {
    title: 'Hello',
    slug: 'hello',
    html: '<p><img src="__GHOST_URL__/content/images/a.png"></p>',
    feature_image: '__GHOST_URL__/content/images/b.png',
    featured: 1,
    type: 'post',
    status: 'published',
    visibility: 'public',
    published_at: '2024-01-02T03:04:05.000Z',
    custom_excerpt: 'Short',
    codeinjection_head: '<script></script>',
  }
  const content = ghost(post, {
    posts_meta: [{ post_id: '1', meta_title: 'Meta', feature_image_alt: 'Sea' }],
    tags: [
      { id: 't1', name: 'News' },
      { id: 't2', name: '#hidden' },
      { id: 't3', name: 'First' },
    ],
    posts_tags: [
      { post_id: 1, tag_id: 't1', sort_order: 1 },
      { post_id: 1, tag_id: 't2', sort_order: 2 },
      { post_id: 1, tag_id: 't3', sort_order: 0 },
    ],
    users: [{ id: 9, name: 'Ana', bio: 'Writes' }],
    posts_authors: [{ post_id: 1, author_id: 9 }],
  })
  expect(content.authors).toEqual([{ name: 'Ana', bio: 'Writes' }])
  expect(content.posts).toMatchObject([
    {
      kind: 'post',
      title: 'Hello',
      html: '<p><img src="/content/images/a.png"></p>',
      tags: ['First', 'News'],
      authors: ['Ana'],
      publishedAt: new Date('2024-01-02T03:04:05Z'),
      cover: { address: '/content/images/b.png', alt: 'Sea' },
      isFeatured: true,
      metaTitle: 'Meta',
      excerpt: 'Short',
      oldPaths: ['/hello/'],
      notes: ['Its injected code is lost.'],
    },
  ])
})

const published = { title: 'A', slug: 'a', html: 'x', published_at: '2024-01-02T00:00:00Z' }

test.each([
  [{ ...published, status: 'draft' }, []],
  [
    { ...published, status: 'published', visibility: 'paid' },
    ['Not everyone could read it: it is kept as a draft.'],
  ],
  [{ ...published, status: 'sent' }, ['It was sent by e-mail only: it is kept as a draft.']],
  [
    { ...published, status: 'draft', html: null, lexical: '{}' },
    ['Its text is only in the format of Ghost’s editor, and is lost.'],
  ],
])('a post of Ghost that is not public is a draft: %j', (post, notes) => {
  expect(ghost(post).posts).toMatchObject([{ publishedAt: undefined, notes }])
})

const wxr = (items: string, head = '') =>
  `<?xml version="1.0"?>${head}<rss version="2.0" xmlns:wp="w" xmlns:content="c" xmlns:excerpt="e" xmlns:dc="d"><channel>` +
  '<title>Site</title><link>https://old.example</link><wp:base_blog_url>https://old.example/blog</wp:base_blog_url>' +
  '<wp:author><wp:author_login><![CDATA[ana]]></wp:author_login><wp:author_display_name><![CDATA[Ana B.]]></wp:author_display_name></wp:author>' +
  `${items}</channel></rss>`

const item = (fields: Record<string, string>, more = '') =>
  `<item>${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
    .join('')}${more}</item>`

const wordpressPost = {
  title: 'Hello & you',
  link: 'https://old.example/2024/01/hello/',
  'dc:creator': 'ana',
  'wp:post_id': '5',
  'wp:post_type': 'post',
  'wp:status': 'publish',
  'wp:post_name': 'hello',
  'wp:post_date': '2024-01-02 05:04:05',
  'wp:post_date_gmt': '2024-01-02 03:04:05',
  'content:encoded':
    'One\n\nTwo\nlines\n\n[caption id="a"]<img src="/a.png"> The sea[/caption]\n\n[gallery ids="1"]',
}

test('a post of WordPress has its date, tags, author, cover and old address', () => {
  const xml = wxr(
    item(
      wordpressPost,
      '<category domain="post_tag" nicename="x">News</category><category domain="nav">no</category>' +
        '<category domain="category">Uncategorized</category>' +
        '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>7</wp:meta_value></wp:postmeta>' +
        '<wp:comment><wp:comment_content>Hi</wp:comment_content></wp:comment>',
    ) +
      item({
        'wp:post_id': '7',
        'wp:post_type': 'attachment',
        'wp:attachment_url': 'https://old.example/b.png',
      }) +
      item({ ...wordpressPost, 'wp:status': 'trash' }) +
      item({ 'wp:post_type': 'nav_menu_item' }),
  )
  const content = readWordpress(xml)
  expect(content).toMatchObject({ origin: 'https://old.example', authors: [{ name: 'Ana B.' }] })
  expect(content.posts).toMatchObject([
    {
      title: 'Hello & you',
      slug: 'hello',
      tags: ['News'],
      authors: ['Ana B.'],
      publishedAt: new Date('2024-01-02T03:04:05Z'),
      cover: { address: 'https://old.example/b.png' },
      oldPaths: ['/2024/01/hello/'],
      notes: ['1 comments are not taken.', 'Shortcodes of plug-ins are left as text: gallery.'],
    },
  ])
  expect(content.posts[0]?.html).toBe(
    '<p>One</p>\n<p>Two<br>lines</p>\n<figure><img src="/a.png"><figcaption>The sea</figcaption></figure>\n<p>[gallery ids="1"]</p>',
  )
  expect(content.skipped).toEqual([
    { title: 'Hello & you', why: 'It is in the trash.' },
    { title: '1 of type “nav_menu_item”', why: 'Only posts and pages are taken.' },
  ])
})

test.each([
  ['private', { 'wp:status': 'private' }],
  ['with a password', { 'wp:post_password': 'x' }],
  ['a draft', { 'wp:status': 'draft', 'wp:post_date_gmt': '0000-00-00 00:00:00' }],
])('a post of WordPress that is %s is a draft', (_what, fields) => {
  const { posts } = readWordpress(wxr(item({ ...wordpressPost, ...fields })))
  expect(posts).toMatchObject([{ publishedAt: undefined, createdAt: expect.any(Date) }])
})

test('a page of WordPress keeps its whole address', () => {
  const fields = { ...wordpressPost, 'wp:post_type': 'page', link: 'https://old.example/about/team/' }
  expect(readWordpress(wxr(item(fields))).posts).toMatchObject([{ kind: 'page', slug: 'about/team' }])
})

const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
const file = '<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]>'

test.each([
  ['entities that grow', wxr('<item><title>&b;</title></item>', bomb), 'document type'],
  ['entities that name a file', wxr('<item><title>&f;</title></item>', file), 'document type'],
  ['unknown entities', wxr('<item><title>&f;</title></item>'), 'not XML'],
  ['a cut end', wxr(item(wordpressPost)).slice(0, -40), 'not XML'],
  ['something else', '<html></html>', 'no export of WordPress'],
  ['no XML', 'PK', 'not XML'],
])('XML with %s is refused', (_what, xml, message) => {
  expect(() => readWordpress(xml)).toThrow(UnreadableExportError)
  expect(() => readWordpress(xml)).toThrow(message)
})

const csv = `post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle,podcast_url
12.hello,2024-01-02T03:04:05.000Z,true,,newsletter,everyone,"Hello, you",Short,
13.paid,2024-01-02T03:04:05.000Z,true,,newsletter,only_paid,Paid,,
14.draft,,false,,newsletter,everyone,,,https://cast.example/a.mp3
15.gone,,true,,newsletter,everyone,Gone,,
`

test('the posts of Substack are read with their list', () => {
  const widget = '<p class="button-wrapper" data-attrs="x"><a href="y">Subscribe</a></p>'
  const content = readSubstack(
    new Map([
      ['posts.csv', csv],
      ['posts/12.hello.html', `<p>Text</p>${widget}`],
      ['posts/13.paid.html', '<p>Paid</p>'],
      ['posts/14.draft.html', ''],
    ]),
  )
  expect(content.posts).toMatchObject([
    {
      title: 'Hello, you',
      slug: 'hello',
      html: '<p>Text</p>',
      excerpt: 'Short',
      publishedAt: new Date('2024-01-02T03:04:05Z'),
      oldPaths: ['/p/hello'],
      notes: [],
    },
    { publishedAt: undefined, notes: ['Not everyone could read it: it is kept as a draft.'] },
    { title: 'draft', publishedAt: undefined, notes: ['Its recording stays at https://cast.example/a.mp3.'] },
  ])
  expect(content.skipped).toEqual([{ title: 'Gone', why: 'The archive has no text of it.' }])
})

const mediumPage = (footer: string) => `<!DOCTYPE html><html><body><article class="h-entry">
<header><h1 class="p-name">Hello</h1></header><section class="p-summary">Short</section>
<section class="e-content"><h3 class="graf graf--h3 graf--title">Hello</h3><p>Text</p></section>
<footer>${footer}</footer></article></body></html>`
const mediumFooter = (canonical: string) =>
  `<time class="dt-published" datetime="2024-01-02T03:04:05.000Z">x</time><a class="p-author h-card">Ana</a>` +
  `<a class="p-canonical" href="${canonical}">x</a>`

test('the posts of Medium are read from their pages', () => {
  const content = readMedium(
    new Map([
      ['posts/2024_Hello.html', mediumPage(mediumFooter('https://medium.com/@ana/hello-0123456789ab'))],
      ['posts/2024_Own.html', mediumPage(mediumFooter('https://blog.example/own-0123456789ab'))],
      ['posts/draft_Later.html', mediumPage('')],
      ['posts/other.html', '<p>x</p>'],
      ['profile/about.html', mediumPage('')],
    ]),
  )
  expect(content.posts).toMatchObject([
    {
      title: 'Hello',
      slug: 'hello',
      excerpt: 'Short',
      authors: ['Ana'],
      publishedAt: new Date('2024-01-02T03:04:05Z'),
      oldPaths: [],
    },
    { slug: 'own', oldPaths: ['/own-0123456789ab'] },
    { slug: 'Hello', publishedAt: undefined },
  ])
  expect(content.posts[0]?.html).not.toContain('graf--title')
  expect(content.skipped).toEqual([{ title: 'posts/other.html', why: 'It is not a post, or is empty.' }])
})

function aFile(name: string, text: string | Uint8Array): string {
  const path = join(aFolder(), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

test.each([
  ['a file that is not there', () => postSources.ghost.read('/nowhere.json'), 'There is no file'],
  ['no JSON', () => postSources.ghost.read(aFile('a.json', '{')), 'is not JSON'],
  ['another JSON', () => postSources.ghost.read(aFile('a.json', '{}')), 'no export of Ghost'],
  ['an archive', () => postSources.wordpress.read(aFile('a.zip', 'PK\u0003\u0004')), 'Unpack it first'],
  ['a file for a folder', () => postSources.medium.read(aFile('a.zip', 'PK')), 'is not a folder'],
  ['an empty folder', () => postSources.substack.read(aFolder()), 'no posts.csv'],
  ['a folder without posts', () => postSources.medium.read(aFolder()), 'no posts of Medium'],
])('%s is refused with a sentence', (_what, read, message) => {
  expect(read).toThrow(UnreadableExportError)
  expect(read).toThrow(message)
})

test('links in a folder are not followed', () => {
  const outside = aFile('secret.html', mediumPage(''))
  const folder = aFolder()
  mkdirSync(join(folder, 'posts'))
  writeFileSync(join(folder, 'posts', 'draft_a.html'), mediumPage(''))
  symlinkSync(outside, join(folder, 'posts', 'b.html'))
  expect(postSources.medium.read(folder).posts).toHaveLength(1)
})
