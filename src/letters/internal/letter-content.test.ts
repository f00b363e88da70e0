import { expect, test } from 'vitest'
import { defaultSite, type Site } from '#posts/site'
import { aPost } from '#test/product/posts'
import { letterContent, letterTo } from './letter-content'

const site: Site = {
  ...defaultSite,
  projectId: 1,
  name: 'Acme',
  origin: 'https://acme.example',
  timeZone: 'UTC',
  writeKey: 'phc_1',
}

function render(body: string, more: Partial<Site> = {}, post: Parameters<typeof aPost>[0] = {}) {
  const content = letterContent({
    post: aPost({ body, slug: 'hello', title: 'Hello & <you>', ...post }),
    site: { ...site, ...more },
    list: { key: 'newsletter', name: 'Newsletter' },
    subjects: ['Hello'],
    preview: 'A "preview"',
    postalAddress: 'Acme\n1 Main Street',
  })
  const links = {
    unsubscribe: 'https://acme.example/u',
    click: (link: number) => `https://acme.example/c/${link}`,
  }
  return { content, ...letterTo(content, 'a', links) }
}

test('a post is made of inline styles, absolute pictures and links of its own', () => {
  const { html, content } = render(
    '## Why\n\nSee [about](/about), [elsewhere](https://other.example/?a=1&b=2) and <me@acme.example>.\n\n![Boats](/_tilth/images/a.webp#1088x544)',
  )
  expect(html).not.toMatch(/class=|<script|srcset/)
  expect(html).toMatch(/<h2 style="[^"]+">Why<\/h2>/)
  expect(html).toMatch(/<img src="https:\/\/acme\.example\/_tilth\/images\/a\.webp[^"]*" alt="Boats"[^>]*>/)
  expect(html).toContain('href="mailto:me@acme.example"')
  expect(content.links).toEqual([
    'https://acme.example/blog/hello?utm_source=newsletter&utm_medium=email&utm_campaign=hello',
    'https://acme.example/about?utm_source=newsletter&utm_medium=email&utm_campaign=hello',
    'https://other.example/?a=1&b=2',
  ])
  for (const link of [0, 1, 2]) expect(html).toContain(`href="https://acme.example/c/${link}"`)
  expect(html).toContain('Hello &amp; &lt;you&gt;')
  expect(html).toContain('Acme<br>1 Main Street')
})

test.each([
  ['a form', ':::signup\nOne a month.\n:::'],
  ['a variant', ':::variant{of="new" is="b"}\nOnly some.\n:::'],
  ['the newest posts', '::latest{count="5"}'],
  ['a picture that mail programs do not show', '![Drawing](/_tilth/images/a.svg)'],
])('%s becomes a link to the post', (_, block) => {
  const { html, text } = render(`Before.\n\n${block}\n\nAfter.`)
  expect(html).toContain('>See this part online</a>')
  expect(text).toContain('See this part online (https://acme.example/c/0)')
  expect(html).not.toMatch(/Only some|One a month|\.svg/)
})

test('a player becomes a link to the video', () => {
  const { html } = render(
    '::embed{address="https://www.youtube.com/watch?v=aqz-KE-bpKQ" title="Big Buck Bunny"}',
  )
  expect(html).toMatch(/href="https:\/\/acme\.example\/c\/1"[^>]*>Big Buck Bunny/)
})

test('the plain text has lists, tables, code and addresses', () => {
  const { text } = render(
    '## Why\n\n1. One\n2. Two\n   - Three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1\n```\n\n> Said\n\n[About](/about)',
  )
  expect(text).toBe(`Hello & <you>

Read online: https://acme.example/c/0

## Why

1. One
2. Two
   - Three

a | b
1 | 2

    const a = 1

> Said

About (https://acme.example/c/1)

--${' '}
You get this e-mail because you subscribed to Newsletter of Acme.
Acme
1 Main Street
Unsubscribe: https://acme.example/u
`)
})

test('the cover of a post stands above its text', () => {
  const cover = { address: '/_tilth/images/c.webp', alt: 'A "boat"' }
  expect(render('Text.', {}, { cover }).html).toMatch(
    /<img src="https:\/\/acme\.example\/_tilth\/images\/c\.webp" alt="A &quot;boat&quot;"[^>]*>\n<p/,
  )
})

test('a letter is in the language and direction of the site', () => {
  const { html } = render('مرحبا', { language: 'ar' })
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(render('Hallo', { language: 'de-AT' }).html).toContain('>Abmelden</a>')
})

test('a text cannot stand for a link', () => {
  const { content, html } = render('\u{E000}0\u{E000} and \u{E000}')
  expect(content.links).toHaveLength(1)
  expect(html.match(/\/c\/0/g)).toHaveLength(1)
})

test('a letter wears the logo, the colours and the letters of the site, and dark ones where a mail program is dark', () => {
  const look = {
    logo: '/_tilth/images/logo.png',
    accent: '#1f6f4a',
    accentDark: '#7fd6a8',
    typeface: 'serif',
  } as const
  const { html } = render('See [about](/about).', look)
  expect(html).toContain('<img src="https://acme.example/_tilth/images/logo.png" alt="Acme"')
  expect(html).toMatch(/<a [^>]*style="color:#1f6f4a"/)
  expect(html).toContain('[style*="color:#1f6f4a"]{color:#7fd6a8!important}')
  expect(html).toContain('content="light dark"')
  expect(html).toContain('font-family:Georgia')
  expect(render('Hello.', { logo: '/logo.svg' }).html).toMatch(/<p [^>]*>Acme<\/p>/)
})

test('a letter that was ordered before there was a look is sent as it was', () => {
  const { look: _, ...earlier } = render('Hello.').content
  const { html } = letterTo(earlier, 'a', { unsubscribe: 'https://acme.example/u', click: String })
  expect(html).toContain('content="light"')
  expect(html).not.toContain('prefers-color-scheme')
})
