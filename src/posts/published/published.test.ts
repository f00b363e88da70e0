import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openTestProduct, type aWorld, requireDone } from '#test/product/fixture'
import { aPost as aPostLike } from '#test/product/posts'
import { operator } from '#projects/access'
import { addDemo } from '#projects/demo-project'
import { openStore } from '#store/open'
import { patienceMs } from '#test/running/patience'
import type { Author, Post } from '../post'
import { type PostSource, Published } from './published'

const you = operator('Ana')

async function aSite() {
  const fixture = await openTestProduct()
  const { id } = await fixture.aProject()
  const { posts } = fixture.product
  const { published } = posts
  const now = () => fixture.world.now()

  return {
    ...fixture,
    id,
    posts,
    published,
    now,
    titles: () => published.posts(id, now()).map(({ title }) => title),
    aPost: async (overrides: { title: string } & Record<string, unknown>, at?: string) => {
      const { post } = requireDone(await posts.create(id, overrides, you))
      return requireDone(await posts.publish(id, post.id, { at }, you)).post
    },
  }
}

describe('what everyone may read', () => {
  test('is there the newest first, and the same list until something changes', async () => {
    const { aPost, titles, published, id, now, world } = await aSite()
    await aPost({ title: 'Old' }, '2025-01-01T10:00')
    await aPost({ title: 'New' })
    await aPost({ title: 'To come' }, '2026-03-02T11:00')
    await aPost({ title: 'Home', kind: 'page', slug: '' })
    expect(titles()).toEqual(['New', 'Old'])
    expect(published.pages(id, now()).map(({ title }) => title)).toEqual(['Home'])
    const list = published.posts(id, now())
    world.advance('30 minutes')
    expect(published.posts(id, now())).toBe(list)
    world.advance('30 minutes')
    expect(titles()).toEqual(['To come', 'New', 'Old'])
  })

  test('is found by its kind and slug, and by its path however that is written', async () => {
    const { aPost, published, id, now } = await aSite()
    await aPost({ title: 'Übersicht' })
    await aPost({ title: 'Start', kind: 'page', slug: 'docs/start' })
    const bySlug = (kind: Post['kind'], slug: string) => published.bySlug(id, kind, slug, now())?.title
    const at = (path: string) => published.at(id, path, now())?.title

    expect([bySlug('post', 'ubersicht'), bySlug('page', 'docs/start')]).toEqual(['Übersicht', 'Start'])
    expect([bySlug('page', 'blog/ubersicht'), bySlug('post', 'docs/start')]).toEqual([undefined, undefined])
    expect([at('/blog/ubersicht/'), at('/docs/start?x#y'), at('/docs/%E0%A4%A')]).toEqual([
      'Übersicht',
      'Start',
      undefined,
    ])
  })

  test('is read in every process', async () => {
    const { aPost, anotherProcess, id, now } = await aSite()
    const other = await anotherProcess()
    const onChange = vi.fn<(projectId: number) => void>()
    other.posts.published.onChange(onChange)
    await aPost({ title: 'Hello' })

    await vi.waitFor(() => expect(other.posts.published.posts(id, now())).toHaveLength(1), {
      timeout: patienceMs,
    })
    expect(onChange).toHaveBeenCalledWith(id)
  })

  test('appears, a hundred at once, and listeners are notified', async () => {
    const { aPost, titles, published, id, world, now } = await aSite()
    for (let place = 0; place < 100; place++) await aPost({ title: `Post ${place}` }, '2026-03-02T11:00')
    const onChange = vi.fn<(projectId: number) => void>()
    published.onChange(onChange)
    published.tellWhatAppeared()
    expect([titles(), onChange.mock.calls]).toEqual([[], []])

    world.advance('1 hour')
    published.tellWhatAppeared()
    expect(onChange.mock.calls).toEqual([[id]])
    expect(titles()).toEqual(Array.from({ length: 100 }, (_, place) => `Post ${99 - place}`))
    expect(published.nextChangeAt(id, now())).toBeUndefined()
    published.tellWhatAppeared()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  test('appears by the clock, without anybody’s doing', async () => {
    const { store, world } = await aStore()
    const published = await aPublished(
      store,
      world,
      noted([{ publishedAt: new Date(world.now().getTime() + 50) }]),
    )
    const onChange = new Promise((resolve) => published.onChange(resolve))
    world.advance('1 second')

    expect(await onChange).toBe(1)
  })
})

describe('a site', () => {
  test('has the default looks until a member changes them', async () => {
    const { product, id, published } = await aSite()
    expect(published.site(id)).toMatchObject({ projectId: id, name: 'Acme', language: 'en', layout: 'list' })
    requireDone(await product.posts.sites.change(id, { name: 'Acme Inc.', accent: '#112233' }, you))
    requireDone(await product.posts.sites.change(id, { layout: 'cards' }, you))

    expect(published.site(id)).toMatchObject({ name: 'Acme Inc.', accent: '#112233', layout: 'cards' })
    expect(await product.posts.sites.read(id, you)).toEqual(published.site(id))
  })

  test('that is turned off is visible only to the members who set it up', async () => {
    const { product, id, published } = await aSite()
    requireDone(await product.posts.sites.change(id, { isOn: false }, you))

    expect([published.site(id), published.siteAt('anything')]).toEqual([undefined, undefined])
    expect(await product.posts.sites.read(id, you)).toMatchObject({ isOn: false, name: 'Acme' })
  })

  test.each([
    [{ accent: 'red' }, 'Write the colour as "#1f6f4a".'],
    [{ logo: 'https://evil.example/x.png' }, 'Upload the logo: its address begins with "/".'],
    [{ logo: '//evil.example/x.png' }, 'Upload the logo: its address begins with "/".'],
    [{ address: 'ftp://example.com' }, 'Write the address as "https://example.com".'],
    [{ navigation: [{ label: 'X', address: 'javascript:x' }] }, 'Begin the address with'],
    [{ nothing: 1 }, 'nothing'],
    ['x', 'Say what is to change.'],
  ])('that should have %j is refused', async (change, why) => {
    const { product, id } = await aSite()
    const outcome = await product.posts.sites.change(id, change, you)

    expect(outcome.done ? '' : outcome.problems[0]?.message).toContain(why)
  })

  test.each([
    [[], '', 'https://tilth.example'],
    [['acme.example', 'www.acme.example'], '', 'https://acme.example'],
    [['*.acme.example'], '', 'https://tilth.example'],
    [['acme.example', 'also.example:8080'], '', 'http://also.example:8080'],
    [['acme.example'], 'https://blog.example/', 'https://blog.example'],
  ])('of the hosts %j and the address "%s" is at %s', async (hosts, address, origin) => {
    const { store, world } = await aStore()
    const { projects } = store.product
    const { sites } = store.product.posts
    requireDone(await projects.change(1, { hosts }, you))
    requireDone(await sites.change(1, { address }, you))
    const published = await aPublished(store, world, noted([]))

    expect(published.site(1)?.origin).toBe(origin)
  })

  test('is at its project’s hosts; elsewhere is the first project’s, and a demo’s only where there is none', async () => {
    const { product, aProject } = await openTestProduct()
    const at = (host: string) => product.posts.published.siteAt(host)?.name
    expect(at('localhost:3000')).toBeUndefined()
    const story = { seed: 'x', events: 1 }
    const demo = { name: 'Demo', slug: 'demo', timeZone: 'UTC', story }
    requireDone(await addDemo(product.projects, demo, you))
    await vi.waitFor(() => expect(at('localhost:3000')).toBe('Demo'), 20_000)

    const acme = await aProject({ name: 'Acme' })
    const other = await aProject({ name: 'Other' })
    requireDone(await product.projects.change(other.id, { hosts: ['other.example'] }, you))
    await vi.waitFor(
      () => expect([at('localhost:3000'), at('other.example')]).toEqual(['Acme', 'Other']),
      20_000,
    )
    requireDone(await product.projects.archive(acme.id, you))
    await vi.waitFor(() => expect(at('localhost:3000')).toBe('Other'), 20_000)
  })
})

describe('the URL of a site', () => {
  test('leads to it, whichever project is the first', async () => {
    const { product, aProject } = await openTestProduct()
    await aProject({ name: 'Acme' })
    const other = await aProject({ name: 'Other' })
    requireDone(await product.posts.sites.change(other.id, { address: 'https://Other.example' }, you))

    const at = (host: string) => product.posts.published.siteAt(host)?.name
    expect(['other.example', 'OTHER.example:443', 'other.example.', 'www.other.example'].map(at)).toEqual([
      'Other',
      'Other',
      'Other',
      'Acme',
    ])
  })

  test('is that of one site', async () => {
    const { product, aProject } = await openTestProduct({
      outbound: { allow: undefined, canMail: false, addresses: ['https://tilth.example'] },
    })
    const acme = await aProject({ name: 'Acme' })
    const other = await aProject({ name: 'Other' })
    requireDone(await product.projects.change(acme.id, { hosts: ['acme.example'] }, you))
    requireDone(await product.posts.sites.change(acme.id, { address: 'https://www.acme.example' }, you))

    const taken = {
      done: false,
      problems: [{ field: 'address', message: expect.stringContaining('Another') }],
    }
    const asks = (address: string) => product.posts.sites.change(other.id, { address }, you)
    expect(await asks('https://www.acme.example')).toEqual(taken)
    expect(await asks('https://acme.example')).toEqual(taken)
    expect(await asks('https://tilth.example')).toEqual(taken)
    requireDone(await asks('https://other.example'))
    requireDone(await product.posts.sites.change(acme.id, { address: 'https://tilth.example' }, you))
  })

  test('is a preview address until it has one, where Tilth’s own URL leads to another site', async () => {
    const { product, aProject } = await openTestProduct({
      outbound: {
        allow: undefined,
        canMail: false,
        addresses: ['http://localhost:3000'],
        previews: 'http://localhost:3000',
      },
    })
    const { projects } = product
    const { published, sites } = product.posts
    const acme = await aProject({ name: 'Acme' })
    const other = await aProject({ name: 'Other' })
    const openable = async ({ id }: { id: number }) => published.openableOrigin(await sites.read(id, you))
    await published.caughtUp()

    expect(await openable(acme)).toBe('http://localhost:3000')
    expect(await openable(other)).toBe('http://other.localhost:3000')
    expect(published.siteAt('other.localhost:3000')?.name).toBe('Other')
    expect([projects.isClaimed('other.localhost:3000'), projects.isClaimed('none.localhost:3000')]).toEqual([
      true,
      false,
    ])
    requireDone(await sites.change(other.id, { address: 'https://other.example' }, you))
    expect(await openable(other)).toBe('https://other.example')
    requireDone(await sites.change(other.id, { isOn: false }, you))
    expect(await openable(other)).toBeUndefined()
  })

  test('cannot be opened where previews have no address', async () => {
    const { product, aProject } = await openTestProduct({
      outbound: { allow: undefined, canMail: false, addresses: ['https://tilth.example'] },
    })
    await aProject({ name: 'Acme' })
    const other = await aProject({ name: 'Other' })
    await product.posts.published.caughtUp()
    expect(
      product.posts.published.openableOrigin(await product.posts.sites.read(other.id, you)),
    ).toBeUndefined()
  })
})

test('the demo’s site is seen under the demo’s own host, whatever other projects there are', async () => {
  const { product, aProject } = await openTestProduct()
  const wanted = { name: 'Demo', slug: 'demo', timeZone: 'UTC', story: { seed: 'x', events: 1 } }
  const demo = requireDone(await addDemo(product.projects, wanted, you)).project
  await aProject({ name: 'Acme' })
  requireDone(await product.projects.change(demo.id, { hosts: ['demo.example'] }, you))

  const at = (host: string) => product.posts.published.siteAt(host)?.name
  await vi.waitFor(() => expect([at('demo.example'), at('localhost:3000')]).toEqual(['Demo', 'Acme']), 20_000)
  expect(product.projects.at('demo.example')?.slug).toBe('demo')
})

describe('files of a folder', () => {
  const hello: Partial<Post> = { id: 'file:posts/hello.md', slug: 'hello', title: 'From a file' }

  test('stand among the posts, except where the studio’s are', async () => {
    const { store, world } = await aStore()
    const files = noted([
      hello,
      { ...hello, id: 'file:b.md', slug: 'b' },
      { ...hello, id: 'file:c.md', slug: 'b' },
    ])
    const published = await aPublished(store, world, files)
    const titles = () => published.posts(1, world.now()).map(({ id, title }) => [id, title])
    expect(titles()).toHaveLength(2)
    expect(published.problems(1)).toEqual([
      { id: 'file:c.md', message: 'The file b.md is at /blog/b already. Give one of the two another slug.' },
    ])

    const { posts } = store.product
    const { post } = requireDone(await posts.create(1, { title: 'Hello' }, you))
    requireDone(await posts.publish(1, post.id, {}, you))
    await vi.waitFor(() => expect(titles()).toContainEqual(['1', 'Hello']), 20_000)
    expect(titles()).not.toContainEqual([hello.id, hello.title])
    expect(published.problems(1)[0]).toEqual({
      id: 'file:posts/hello.md',
      message: '“Hello”, written in the studio, is at /blog/hello already. Give the file another slug.',
    })
  })

  test('that change are read again, and listeners are notified', async () => {
    const { store, world } = await aStore()
    const files = noted([hello], [{ slug: 'eve', name: 'Eve', bio: '', picture: undefined, links: [] }])
    const published = await aPublished(store, world, files)
    expect(published.authors(1)).toMatchObject([{ slug: 'eve' }])
    const onChange = new Promise((resolve) => published.onChange(resolve))
    files.become([{ ...hello, title: 'Changed' }])

    expect(await onChange).toBe(1)
    expect(published.bySlug(1, 'post', 'hello', world.now())?.title).toBe('Changed')
  })
})

test('what a failed reading missed is read later', async () => {
  const { store, world } = await aStore()
  const onTrouble = vi.fn<(problem: unknown) => void>()
  const published = await aPublished(store, world, noted([]), onTrouble)
  const tables = vi.spyOn(store, 'tables').mockImplementationOnce(() => {
    throw new Error('The store is away.')
  })
  const { posts } = store.product
  const { post } = requireDone(await posts.create(1, { title: 'Hello' }, you))
  await vi.waitFor(() => expect(onTrouble).toHaveBeenCalled(), { timeout: patienceMs })
  tables.mockRestore()
  requireDone(await posts.publish(1, post.id, {}, you))

  await vi.waitFor(() => expect(published.posts(1, world.now())).toHaveLength(1), { timeout: patienceMs })
})

/** A store beside that of a product, so that what is published may come from elsewhere as well. */
async function aStore() {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const store = await openStore({ folder: fixture.folder })
  onTestFinished(() => store.close())
  return { world: fixture.world, store: Object.assign(store, { product: fixture.product }) }
}

async function aPublished(
  store: Awaited<ReturnType<typeof aStore>>['store'],
  world: ReturnType<typeof aWorld>,
  folder: PostSource,
  onTrouble: (problem: unknown) => void = () => {},
): Promise<Published> {
  const { projects } = store.product
  const addresses = ['https://tilth.example', 'http://also.example:8080']
  const published = await Published.open({ store, world, projects, folder, addresses, onTrouble })
  onTestFinished(() => published.close())
  return published
}

function noted(first: readonly Partial<Post>[], authors: readonly Author[] = []) {
  let posts = first.map(aFile)
  let announce: (projectId: number) => void = () => {}
  return {
    posts: (projectId: number) => (projectId === 1 ? posts : []),
    authors: (projectId: number) => (projectId === 1 ? authors : []),
    onChange(listener: (projectId: number) => void) {
      announce = listener
      return () => {}
    },
    become(others: readonly Partial<Post>[]) {
      posts = others.map(aFile)
      announce(1)
    },
  }
}

const aFile = (overrides: Partial<Post>): Post =>
  aPostLike({ id: 'file:a.md', source: 'folder', slug: 'a', title: 'A file', version: 0, ...overrides })
