import { expect, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import type { KitOutcome } from './kit-renderer'
import { ListedPages } from './listed-pages'
import type { KitMetadata, KitPageParams, RenderedKit, RenderInput } from './protocol'

interface FakePage {
  metadata?: KitMetadata
  params?: KitPageParams[]
  html?: string
  exit?: RenderedKit['exit']
  entries?: string[]
  /** The page is rendered once this is done. */
  rendering?: Promise<void>
}

/** Pages by their addresses; one that is undefined throws. */
function aFolderOf(pages: Record<string, FakePage | undefined>, { maxWaitMs = patienceMs } = {}) {
  let now = 0
  const onTrouble = vi.fn()
  const rendered: string[] = []
  const manifestOf = (id: string) => ({
    id,
    pages: Object.keys(pages).map((address) => ({
      address,
      file: address,
      changedAt: '2026-03-01T00:00:00Z',
    })),
    layouts: {},
    routes: [],
    mdx: [],
    scripts: {},
    styles: [],
    icons: [],
    entries: { 'content/a.md': '2026-06-01T00:00:00Z', 'content/b.md': '2026-02-01T00:00:00Z' },
  })
  const renderer = {
    manifest: manifestOf('build-1'),
    async render({ file, visit, only }: RenderInput): Promise<KitOutcome> {
      rendered.push(`${only ?? 'page'} ${visit.path}`)
      const page = pages[file]
      if (!page) return { done: false, failure: { message: 'Ouch' } }
      if (only === undefined) await page.rendering
      const { metadata = {}, params, html = '', entries, exit } = page
      return {
        done: true,
        rendered: { html, exit, holes: [], uses: [], tags: [], metadata, params, entries },
      }
    },
  }
  const listed = new ListedPages({ renderer, onTrouble, now: () => now, maxWaitMs })
  const context = { site: {}, questions: {} }
  return {
    rendered,
    onTrouble,
    list: () => listed.list(context),
    addresses: async () => (await listed.list(context)).pages.map(({ address }) => address),
    search: async (words: string) => (await listed.search(words, context)).map(({ address }) => address),
    build: (id: string) => void (renderer.manifest = manifestOf(id)),
    wait: (ms: number) => void (now += ms),
  }
}

test('pages are listed with what they say of themselves, at each address that they name', async () => {
  const { list, onTrouble } = aFolderOf({
    '/': { metadata: { title: 'Home', languages: { en: '/', de: '/start' } } },
    '/jobs/[slug]': {
      params: [{ slug: 'cook' }, { slug: 'new' }, { slug: 'café' }, { other: 'x' }],
      metadata: { title: 'Job', updatedAt: new Date('2026-04-01') },
    },
    '/jobs/new': { metadata: { title: 'New', description: 'Write it.' } },
    '/secret': { metadata: { isHidden: true } },
    '/over': { exit: { status: 404 } },
    '/broken': undefined,
    '/help/[...rest]': { params: [{ rest: ['a', 'b'] }] },
    '/other/[id]': {},
  })
  const { pages, isCurrent } = await list()
  expect(isCurrent).toBe(true)
  expect(pages.map(({ address, title }) => [address, title])).toEqual([
    ['/', 'Home'],
    ['/jobs/new', 'New'],
    ['/jobs/cook', 'Job'],
    ['/jobs/caf%C3%A9', 'Job'],
    ['/help/a/b', ''],
  ])
  expect(pages[0]).toMatchObject({ changedAt: new Date('2026-03-01'), languages: { de: '/start' } })
  expect(pages[1]).toMatchObject({ description: 'Write it.', changedAt: new Date('2026-03-01') })
  expect(pages[2]).toMatchObject({ changedAt: new Date('2026-04-01') })
  expect(onTrouble.mock.calls.map(([problem]) => String(problem))).toEqual([
    'Error: generateStaticParams of /jobs/[slug] leaves a part of /jobs/[slug] out.',
    'Error: /broken is not listed: Ouch',
  ])
})

test('pages are read once for a build, and generated addresses again after ten minutes', async () => {
  const pages: Record<string, FakePage> = { '/a': {} }
  const { addresses, rendered, build, wait } = aFolderOf(pages)
  await Promise.all([addresses(), addresses()])
  wait(3_600_000)
  await addresses()
  expect(rendered).toEqual(['page /a'])

  pages['/[slug]'] = { params: [{ slug: 'one' }] }
  build('build-2')
  expect(await addresses()).toEqual(['/a', '/one'])
  pages['/[slug]'] = { params: [{ slug: 'two' }] }
  expect(await addresses()).toEqual(['/a', '/one'])
  wait(600_000)
  // readers get those that are known meanwhile
  expect(await addresses()).toEqual(['/a', '/one'])
  await expect.poll(addresses).toEqual(['/a', '/two'])
})

test('pages are found by their titles and by the text that they show', async () => {
  const { search } = aFolderOf({
    '/pricing': {
      metadata: { title: 'Pricing' },
      html: '<p>For <b>teams</b> &amp; schools</p><script>x</script>',
    },
    '/terms': { metadata: { title: 'Terms', description: 'Of pricing.' }, html: '<p>Be kind.</p>' },
  })
  expect(await search('pricing')).toEqual(['/pricing', '/terms'])
  expect(await search('teams schools')).toEqual(['/pricing'])
  expect(await search('KIND')).toEqual(['/terms'])
  expect(await search('x')).toEqual([])
})

test('a page is as old as the newest entry that it shows, unless its own files are newer', async () => {
  const { list, rendered } = aFolderOf({
    '/new': { entries: ['content/a.md', 'content/b.md'] },
    '/old': { entries: ['content/b.md'] },
    '/[slug]': { params: [{ slug: 'a' }], entries: ['content/a.md'] },
  })
  expect((await list()).pages.map(({ changedAt }) => changedAt?.getMonth())).toEqual([5, 2, 5])
  // the metadata of generated pages is that of their entries
  expect(rendered.toSorted()).toEqual(['metadata /a', 'page /new', 'page /old', 'params /[slug]'])
})

test('while texts are read, pages are found by their titles', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { search, list } = aFolderOf(
    {
      '/[slug]': {
        params: [{ slug: 'a' }],
        metadata: { title: 'Cooks' },
        html: '<p>Hats</p>',
        rendering: promise,
      },
    },
    { maxWaitMs: 20 },
  )
  await expect.poll(async () => (await list()).isCurrent).toBe(true)
  expect([await search('cooks'), await search('hats')]).toEqual([['/a'], []])
  resolve()
  await expect.poll(() => search('hats')).toEqual(['/a'])
})
