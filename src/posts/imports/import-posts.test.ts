import { expect, test } from 'vitest'
import { onePixelPng, openTestProduct } from '#test/product/fixture'
import { operator } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import { downloadPicture } from './download-picture'
import { importPosts, type PostImportOptions } from './import-posts'
import { emptyPost, type ImportedContent, type ImportedPost } from './imported-content'

const ana = operator('Ana')
const at = new Date('2020-01-02T03:04:05Z')

const aPost = (fields: Partial<ImportedPost> = {}): ImportedPost => ({
  ...emptyPost,
  title: 'Hello',
  slug: 'hello',
  html: '<p>Some <b>text</b></p>',
  publishedAt: at,
  createdAt: at,
  changedAt: at,
  oldPaths: ['/2020/01/hello/'],
  ...fields,
})

async function aSite() {
  const { product, aProject, world } = await openTestProduct()
  const { id } = await aProject()
  const run = (
    posts: ImportedPost[],
    options: PostImportOptions = {},
    more: Partial<ImportedContent> = {},
  ) => {
    const content = { posts, authors: [], skipped: [], origin: 'https://old.example', ...more }
    const { authors, redirects, images } = product.posts
    const dependencies = { posts: product.posts, authors, redirects, images, now: () => world.now() }
    return importPosts(dependencies, id, content, ana, options)
  }
  return { product, id, world, run, list: () => product.posts.list(id, ana) }
}

test('a post keeps its date, tags and author, and its old address leads to it', async () => {
  const { run, list, product, id, world } = await aSite()
  const post = aPost({
    tags: ['News', 'news', '!'],
    authors: ['Ana B.'],
    isFeatured: true,
    metaTitle: 'Meta',
  })
  const report = await run([post], {}, { authors: [{ name: 'Ana B.', bio: 'Writes' }] })
  expect(report).toMatchObject({
    created: [{ title: 'Hello', address: '/blog/hello', state: 'published' }],
    refused: [],
    authors: ['Ana B.'],
    redirects: 1,
  })
  expect(await list()).toMatchObject([
    {
      body: 'Some **text**',
      tags: ['News'],
      authors: ['ana-b'],
      publishedAt: at,
      createdAt: at,
      changedAt: at,
      version: 1,
      isFeatured: true,
      metaTitle: 'Meta',
    },
  ])
  expect(product.posts.published.bySlug(id, 'post', 'hello', world.now())).toMatchObject({ title: 'Hello' })
  expect(await product.posts.redirects.list(id, ana)).toMatchObject([
    { from: '/2020/01/hello', to: '/blog/hello' },
  ])
  expect(await product.posts.authors.list(id, ana)).toMatchObject([{ name: 'Ana B.', bio: 'Writes' }])
})

test('a second run changes nothing', async () => {
  const { run, list, product, id } = await aSite()
  const posts = [
    aPost({ authors: ['Ana'] }),
    aPost({ title: 'Same address' }),
    aPost({ kind: 'page', slug: 'about/team', oldPaths: ['/about/team/'] }),
  ]
  const first = await run(posts)
  expect(first.created.map(({ address }) => address)).toEqual(['/blog/hello', '/blog/hello-2', '/about/team'])
  const before = [
    await list(),
    await product.posts.redirects.list(id, ana),
    await product.posts.authors.list(id, ana),
  ]
  const second = await run(posts)
  expect(second).toMatchObject({ created: [], refused: [], authors: [], redirects: 0, notes: [] })
  expect(second.existing).toHaveLength(3)
  expect([
    await list(),
    await product.posts.redirects.list(id, ana),
    await product.posts.authors.list(id, ana),
  ]).toEqual(before)
})

test('a preview changes nothing', async () => {
  const { run, list, product, id } = await aSite()
  const report = await run([aPost({ authors: ['Ana'] })], { isPreview: true })
  expect(report).toMatchObject({ created: [{ address: '/blog/hello' }], authors: ['Ana'], redirects: 1 })
  expect([
    await list(),
    await product.posts.redirects.list(id, ana),
    await product.posts.authors.list(id, ana),
  ]).toEqual([[], [], []])
})

test('a draft stays one, and its old address leads nowhere', async () => {
  const { run, list } = await aSite()
  expect(await run([aPost({ publishedAt: undefined })])).toMatchObject({
    created: [{ state: 'draft' }],
    redirects: 0,
  })
  expect(await list()).toMatchObject([{ publishedAt: undefined }])
})

test.each([
  ['of another form', 'Über Uns!', '/blog/uber-uns'],
  ['in percent', '%C3%BCber', '/blog/uber'],
  ['of the blog itself', 'tags', '/blog/tags-post'],
  ['that is empty', '', '/blog/hello'],
])('an address %s is tidied', async (_what, slug, address) => {
  const { run } = await aSite()
  expect((await run([aPost({ slug })])).created).toMatchObject([{ address }])
})

test('what cannot be stored is cut or refused, with a note', async () => {
  const { run, list } = await aSite()
  const report = await run([
    aPost({ title: `A\nB ${'x'.repeat(300)}`, html: '<script></script><p>T</p>', notes: ['Lost.'] }),
    aPost({ title: 'Deep', slug: 'deep', html: '<div>'.repeat(5000) }),
    aPost({ title: 'Long', slug: 'long', html: `<p>${'x '.repeat(600_000)}</p>` }),
    aPost({
      title: 'Odd',
      slug: 'odd',
      canonical: 'javascript:1',
      tags: Array.from({ length: 50 }, (_, i) => `t${i}`),
    }),
  ])
  expect(report.created.map(({ address }) => address)).toEqual(['/blog/hello', '/blog/odd'])
  expect(report.refused).toMatchObject([
    { title: 'Deep', problems: ['Its text is too long, or nested too deeply.'] },
    { title: 'Long' },
  ])
  expect(report.notes.map(({ note }) => note)).toEqual([
    'Lost.',
    'Markdown has no form for: 1 script.',
    'Its title or excerpt is cut.',
  ])
  expect((await list()).find(({ slug }) => slug === 'odd')?.tags).toHaveLength(20)
})

const withPicture = aPost({
  html: '<p><img src="/a.png" alt="Sea"><img src="https://old.example/gone.png"></p>',
  cover: { address: '/a.png', alt: 'Cover' },
})

const download = async (address: string) =>
  address.endsWith('a.png')
    ? { done: true as const, bytes: onePixelPng }
    : failedOutcome('The server answers 404.')

test('pictures are downloaded once, if that is wanted', async () => {
  const { run, list, product, id } = await aSite()
  const report = await run([withPicture], { download })
  expect(report.pictures).toMatchObject({
    kept: 1,
    elsewhere: 0,
    failed: [{ address: 'https://old.example/gone.png', why: 'The server answers 404.' }],
  })
  const [image] = (await product.posts.imageLibrary.list(id, ana)).images
  expect(await list()).toMatchObject([
    {
      body: `![Sea](/_tilth/images/${image?.file}#1x1)![](https://old.example/gone.png)`,
      cover: { address: `/_tilth/images/${image?.file}`, alt: 'Cover', width: 1, height: 1 },
    },
  ])
})

test('pictures that were left elsewhere are downloaded by a later run', async () => {
  const { run, list } = await aSite()
  const first = await run([withPicture])
  expect(first.pictures).toMatchObject({ kept: 0, elsewhere: 3 })
  expect((await list())[0]?.body).toContain('![Sea](https://old.example/a.png)')
  await run([withPicture], { download })
  expect((await list())[0]?.body).toMatch(/^!\[Sea\]\(\/_tilth\/images\/[^)]+#1x1\)/)
  const before = await list()
  await run([withPicture], { download })
  expect(await list()).toEqual(before)
})

const byPath = aPost({ html: '<p>Before</p><p><img src="/content/a.png" alt="Sea"></p>' })

test('a post whose pictures are named without their site is a draft until the site is known', async () => {
  const { run, list, product, id } = await aSite()
  const first = await run([byPath], {}, { origin: undefined })
  expect(first).toMatchObject({
    created: [{ address: '/blog/hello', state: 'draft' }],
    redirects: 0,
    notes: [{ title: 'Hello', note: expect.stringMatching(/draft.*--url/) as string }],
  })
  expect(await list()).toMatchObject([{ publishedAt: undefined, createdAt: at }])
  const before = await list()
  await run([byPath], {}, { origin: undefined })
  await run([byPath], { isPreview: true })
  expect(await list()).toEqual(before)

  expect(await run([byPath])).toMatchObject({
    created: [],
    existing: [{ address: '/blog/hello' }],
    notes: [{ note: 'Its pictures have their addresses: it is published.' }],
    redirects: 1,
  })
  expect(await list()).toMatchObject([
    { publishedAt: at, body: 'Before\n\n![Sea](https://old.example/content/a.png)' },
  ])
  expect(await product.posts.redirects.list(id, ana)).toMatchObject([{ to: '/blog/hello' }])
})

test('a draft that was edited here is not published by a later run', async () => {
  const { run, list, product, id } = await aSite()
  await run([byPath], {}, { origin: undefined })
  const [post] = await list()
  await product.posts.change(id, post?.id ?? '', { body: 'Mine' }, ana)
  await run([byPath])
  expect(await list()).toMatchObject([{ publishedAt: undefined, body: 'Mine' }])
})

test('a picture without a scheme has that of its server', async () => {
  const { run, list } = await aSite()
  await run([aPost({ html: '<img src="//cdn.example/a.png">' })], {}, { origin: undefined })
  expect(await list()).toMatchObject([{ publishedAt: at, body: '![](https://cdn.example/a.png)' }])
})

test('a post whose address another one has is a draft at the next, and not taken for that one', async () => {
  const { run, list, product, id } = await aSite()
  const own = await product.posts.create(
    id,
    { kind: 'post', title: 'Our own', slug: 'hello', body: 'Ours' },
    ana,
  )
  expect(own.done).toBe(true)
  const posts = [aPost(), aPost({ title: 'Also', createdAt: new Date('2020-05-05T00:00:00Z') })]
  const first = await run(posts)
  expect(first).toMatchObject({
    created: [
      { title: 'Hello', address: '/blog/hello-2', state: 'draft' },
      { title: 'Also', address: '/blog/hello-3', state: 'draft' },
    ],
    existing: [],
    redirects: 0,
    notes: [
      { title: 'Hello', note: 'Another post has its address /blog/hello: it is a draft, at “hello-2”.' },
      { title: 'Also' },
    ],
  })
  const before = await list()
  expect(before.find(({ slug }) => slug === 'hello')?.body).toBe('Ours')
  expect(await run(posts)).toMatchObject({
    created: [],
    existing: [{ title: 'Hello' }, { title: 'Also' }],
    redirects: 0,
  })
  expect(await list()).toEqual(before)
})

test('a post whose title was changed here is still the imported one', async () => {
  const { run, list, product, id } = await aSite()
  await run([aPost()])
  const [post] = await list()
  await product.posts.change(id, post?.id ?? '', { title: 'Hello again' }, ana)
  expect(await run([aPost()])).toMatchObject({ created: [], existing: [{ title: 'Hello again' }] })
})

const responding = (...responses: (() => Response)[]) => ({
  fetch: async () => {
    const next = responses.shift()
    if (!next) throw new TypeError('The answer is too long.')
    return next()
  },
})
const redirect = () => new Response(null, { status: 302, headers: { location: '/b.png' } })

test.each([
  ['a picture', responding(() => new Response('x')), { done: true }],
  ['a picture elsewhere', responding(redirect, () => new Response('x')), { done: true }],
  ['a loop', responding(redirect, redirect, redirect, redirect, redirect), { done: false }],
  ['nothing', responding(() => new Response('x', { status: 404 })), { done: false }],
  ['too much', responding(), { done: false }],
])('a server that answers %s is understood', async (_what, outbound, outcome) => {
  expect(await downloadPicture(outbound, 'https://old.example/a.png')).toMatchObject(outcome)
})
