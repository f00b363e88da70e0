import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor, openBrowser } from '../pages/browser'
import { aTilth, aTilthForAll } from '../start/tilth'
import { ownedEnvironment } from '../studio/owner'
import { askApi, accessibilityViolations, horizontalOverflow } from '../studio/studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const shared = aTilthForAll(ownedEnvironment)

interface Written {
  id: string
  version: number
}

/** Acme's site, and what its owner does with it. */
async function aBlog(starting = aTilth(ownedEnvironment)) {
  const { address } = await starting
  const ask = <Answer>(method: string, path: string, body?: unknown) =>
    askApi<Answer>({ address }, method, `/projects/acme${path}`, body)
  // the port was not known before
  await ask('PATCH', '/site', { address })

  const read = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })

  async function write(post: object): Promise<Written> {
    return await ask<Written>('POST', '/posts', { kind: 'post', body: 'Words.', ...post })
  }
  /** Waits until all visitors can read the post: word of it goes from process to process. */
  async function publish(post: object): Promise<Written> {
    const { id } = await write(post)
    const published = await ask<Written & { address: string }>('POST', `/posts/${id}/publish`, {})
    await expect.poll(async () => (await read(published.address)).status).toBe(200)
    return published
  }

  return {
    address,
    ask,
    /** Not published yet. */
    draft: write,
    publish,
    read,
    /** A visitor with a browser that runs no script. */
    reader: async () => (await aVisitor(browser, address, { javaScriptEnabled: false })).page,
  }
}

const longTitle = `A title of many words ${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2)}`

/** Posts with absent, long or foreign parts, which must be drawn well. */
const awkward = [
  {
    title: 'Counted before the script',
    slug: 'counted',
    excerpt: 'How it is done.',
    tags: ['News', 'Privacy'],
  },
  { title: longTitle, slug: 'long', tags: ['One', 'Two', 'Three', 'Four', 'Privacy'] },
  { title: 'كيف نقيس ما يهم', slug: 'rtl', body: 'نص **قصير**.' },
  {
    title: 'Привет, мир',
    slug: 'привет',
    body: `## One\n\n${'Words. '.repeat(900)}\n\n## Two\n\nMore.\n\n## Three\n\n\`\`\`ts\nconst a = 1\n\`\`\``,
  },
]

test('an empty site says so, and leads its owner to the studio', async () => {
  const { reader, read } = await aBlog()
  const page = await reader()

  for (const path of ['/', '/blog']) {
    await page.goto(path)
    await page.getByText('No post has been published yet.').waitFor()
    expect(await page.getByRole('link', { name: 'Open the studio' }).getAttribute('href')).toBe('/studio')
  }
  expect((await read('/blog.json')).status).toBe(200)
  expect((await read('/sitemap.xml')).status).toBe(200)
})

test('what was published is read without any script, and whatever is not there in the look of the site', async () => {
  const { publish, ask, reader, read } = await aBlog()
  await ask('PATCH', '/site', { name: 'Field notes', postsPerPage: 2 })
  for (const post of awkward) await publish(post)
  const page = await reader()

  await page.goto('/blog')
  await page.getByRole('link', { name: 'Older posts' }).click()
  await page.getByRole('link', { name: 'Counted before the script' }).click()
  await page.getByRole('heading', { level: 1, name: 'Counted before the script', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Privacy' }).first().click()
  await page.waitForURL((url) => url.pathname === '/blog/tags/privacy')
  await page.goto('/blog/search')
  await page.getByRole('searchbox').fill('мир')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Привет, мир' }).click()
  await page.getByRole('navigation', { name: 'On this page' }).waitFor()

  const missing = await read('/nowhere/at/all')
  expect(missing.status).toBe(404)
  const html = await missing.text()
  expect(html).toContain('<title>This page could not be found</title>')
  expect(html).toContain('Field notes')
  expect((await read('/blog?page=9')).status).toBe(404)

  for (const path of ['/feed', '/rss']) {
    const feed = await read(path)
    expect([feed.status, feed.headers.get('location')]).toEqual([308, '/blog/rss.xml'])
  }
  const share = await read('/share/nope')
  expect(share.status).toBe(404)
  expect(await share.text()).toContain('<title>This link does not work')
})

test('every page can be used by everyone, on wide screens and narrow ones, in light and in dark', async () => {
  const { publish, address } = await aBlog(shared())
  for (const post of awkward) await publish(post)
  const paths = [
    '/',
    '/blog',
    '/blog/long',
    '/blog/rtl',
    '/blog/tags/privacy',
    '/blog/search?q=words',
    '/nowhere',
  ]

  for (const [width, colorScheme] of [[1280, 'light'] as const, [390, 'dark'] as const]) {
    const options = { viewport: { width, height: 900 }, colorScheme, bypassCSP: true }
    const { page } = await aVisitor(browser, address, options)
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== address) elsewhere.push(request.url())
    })
    for (const path of paths) {
      await page.goto(path)
      expect.soft(await accessibilityViolations(page), `${path} at ${width}`).toEqual([])
      expect.soft(await horizontalOverflow(page), `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
    expect(elsewhere).toEqual([])
  }
})

describe('what machines are told', () => {
  test('of a post: where it is, what it is about, and where else it can be had', async () => {
    const { publish, address } = await aBlog(shared())
    await publish({
      title: 'Fish & </script> chips',
      slug: 'quoted',
      excerpt: '"Quoted"',
      body: 'With *salt*.',
    })
    const { page } = await aVisitor(browser, address)
    await page.goto('/blog/quoted')

    const metadata = await page.evaluate(() => ({
      graph: document.querySelector('script[type="application/ld+json"]')?.textContent ?? '',
      canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href'),
      card: document.querySelector('meta[property="og:image"]')?.getAttribute('content'),
      also: Array.from(document.querySelectorAll('link[rel=alternate]'), (link) => link.getAttribute('type')),
      frameworks: document.querySelectorAll(
        'script[src^="/_next/"], link[as=script], script:not([src], [type])',
      ).length,
    }))
    const { '@graph': graph } = JSON.parse(metadata.graph)
    expect(graph).toContainEqual(expect.objectContaining({ headline: 'Fish & </script> chips' }))
    expect(metadata).toMatchObject({
      canonical: `${address}/blog/quoted`,
      card: `${address}/blog/quoted/card.png`,
      frameworks: 0,
    })
    expect(metadata.also).toEqual(
      expect.arrayContaining([
        'application/rss+xml',
        'application/atom+xml',
        'application/feed+json',
        'text/markdown',
      ]),
    )
    const card = await fetch(`${address}/blog/quoted/card.png`)
    expect(card.headers.get('content-type')).toBe('image/png')
    expect(
      Buffer.from(await card.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  test('by files, each of its own kind', async () => {
    const { publish, read } = await aBlog(shared())
    await publish({ title: 'Fish & chips', slug: 'fish', tags: ['Food'], body: 'With *salt*.' })
    await publish({ kind: 'page', title: 'Getting started', slug: 'docs/start' })

    for (const [path, type, words] of [
      ['/blog.json', 'application/feed+json', '"title":"Fish & chips"'],
      ['/blog/rss.xml', 'application/rss+xml', '<title>Fish &amp; chips</title>'],
      ['/blog/atom.xml', 'application/atom+xml', '<title>Fish &amp; chips</title>'],
      ['/blog/tags/food/rss.xml', 'application/rss+xml', '<title>Fish &amp; chips</title>'],
      ['/sitemap.xml', 'application/xml', '/docs/start</loc>'],
      ['/robots.txt', 'text/plain', 'Sitemap: '],
      ['/llms.txt', 'text/plain', '/blog/fish.md'],
      ['/blog/fish.md', 'text/markdown', 'With *salt*.'],
      ['/docs/start.md', 'text/markdown', 'title: Getting started'],
    ] as const) {
      const answer = await read(path, { accept: '*/*' })
      expect
        .soft([path, answer.status, answer.headers.get('content-type')])
        .toEqual([path, 200, expect.stringContaining(type)])
      expect.soft(await answer.text(), path).toContain(words)
    }
    const asMarkdown = await read('/blog/fish', { accept: 'text/markdown' })
    expect(await asMarkdown.text()).toContain('With *salt*.')
    for (const path of ['/blog/nothing.md', '/blog/tags/food/nothing.xml', '/blog/tags/none/rss.xml'])
      expect.soft((await read(path)).status, path).toBe(404)
  })
})

test('an address that changed leads on, and a draft is shown to anyone with its link', async () => {
  const { publish, draft, ask, read, reader } = await aBlog(shared())
  const { id, version } = await publish({ title: 'Moved', slug: 'before' })
  await ask('PATCH', `/posts/${id}`, { slug: 'after', version })

  // word of it goes from process to process
  const old = async () => {
    const { status, headers } = await read('/blog/before')
    return [status, headers.get('location')]
  }
  await expect.poll(old).toEqual([308, '/blog/after'])

  const unseen = await draft({ title: 'Not for everybody', slug: 'unseen' })
  const { path } = await ask<{ path: string }>('POST', `/posts/${unseen.id}/preview`, {})
  const page = await reader()
  await page.goto(path)
  await page.getByText('Only people with this link see it.').waitFor()
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
  expect(await page.locator('script[data-project]').count()).toBe(0)
  expect((await read('/blog/unseen')).status).toBe(404)
  expect((await read('/blog/unseen?preview=forged')).status).toBe(404)
})
