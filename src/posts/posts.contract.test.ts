import { describe, expect, test, vi } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  present,
} from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { operator } from '#projects/access'
import { patienceMs } from '#test/running/patience'

const you = operator('Ana')
const often = { timeout: patienceMs, interval: 20 }

/** The whole room on either form of the store, in one life: what differs between the two shows here. */
function aLifeOf(begin: () => Promise<TestProduct>): void {
  test('from the first draft to the archive and back', async () => {
    const { product, anotherProcess, world, aProject } = await begin()
    const { id } = await aProject()
    const other = await anotherProcess()
    requireDone(await product.posts.authors.create(id, { name: 'Ana', links: [] }, you))
    const cover = { address: '/_tilth/images/a.png', alt: 'A tree 🌳', width: 800, height: 400 }
    const made = requireDone(
      await product.posts.create(
        id,
        {
          title: 'Über uns!',
          body: 'One\n\u{0}two “three” 𝕬',
          tags: ['News'],
          authors: ['ana'],
          series: 'Roots',
          cover,
        },
        you,
      ),
    ).post
    expect(made).toMatchObject({ id: '1', slug: 'uber-uns', version: 1, createdAt: world.now(), cover })
    expect(await other.posts.find(id, '1', you)).toEqual(made)

    world.advance('1 minute')
    const published = requireDone(await other.posts.publish(id, '1', {}, you)).post
    await vi.waitFor(() => expect(product.posts.published.posts(id, world.now())).toEqual([published]), often)
    const change = { slug: 'about', excerpt: 'All of us', version: 2, note: 'Shorter' }
    const changed = requireDone(await product.posts.change(id, '1', change, you)).post
    await vi.waitFor(
      () => expect(other.posts.published.redirectFor(id, '/blog/uber-uns')).toBe('/blog/about'),
      often,
    )

    const variants = [{ title: 'Who we are' }]
    const tried = requireDone(
      await product.posts.startTrial(id, '1', { variants, metric: 'reads' }, you),
    ).post
    expect(await other.posts.find(id, '1', you)).toEqual(tried)
    await vi.waitFor(() => expect(other.posts.published.trials(id)).toEqual([tried.trial]), often)
    world.advance('1 day')
    const won = requireDone(await other.posts.pickWinner(id, '1', { winner: 'b' }, you)).post
    expect(won).toMatchObject({ title: 'Who we are', trial: { state: { name: 'won', at: world.now() } } })
    expect(await product.posts.find(id, '1', you)).toEqual(won)

    requireDone(await product.posts.archive(id, '1', you))
    await vi.waitFor(() => expect(other.posts.published.posts(id, world.now())).toEqual([]), often)
    requireDone(await other.posts.restore(id, '1', you))
    const back = requireDone(await product.posts.bringBack(id, '1', 3, you)).post
    expect({ ...back, version: 3, changedAt: changed.changedAt }).toEqual({ ...changed, trial: won.trial })
    const history = await other.posts.history(id, '1', you)
    expect(history.map(({ version, note }) => [version, note])).toEqual([
      [8, 'Back to version 3.'],
      [7, undefined],
      [6, undefined],
      [5, '“b” won the trial post-1-1.'],
      [4, undefined],
      [3, 'Shorter'],
      [2, undefined],
      [1, undefined],
    ])
    expect(present(history.at(-1)).post).toEqual({ ...made, publishedAt: undefined })
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('changes of a published post that are saved, discarded, restored and published', async () => {
    const { product, anotherProcess, world, aProject } = await begin()
    const { id } = await aProject()
    const other = await anotherProcess()
    const cover = { address: '/_tilth/images/a.png', alt: 'A tree' }
    requireDone(await product.posts.create(id, { title: 'Hello', body: 'One', cover }, you))
    const published = requireDone(await product.posts.publish(id, '1', {}, you)).post
    await vi.waitFor(() => expect(other.posts.published.posts(id, world.now())).toEqual([published]), often)
    const before = other.posts.published.posts(id, world.now())

    world.advance('1 hour')
    const change = { body: 'Two 🌳', cover: null, slug: 'hi', keepUnpublished: true }
    const edited = requireDone(await product.posts.change(id, '1', change, you)).post
    const fields = { body: 'Two 🌳', cover: null, slug: 'hi' }
    expect(edited).toEqual({
      ...published,
      version: 3,
      unpublished: { version: 3, by: 'Ana', at: world.now(), fields },
    })
    expect(await other.posts.find(id, '1', you)).toEqual(edited)
    await other.posts.published.caughtUp()
    expect(other.posts.published.posts(id, world.now())).toBe(before)

    const discarded = requireDone(await other.posts.discardChanges(id, '1', { version: 3 }, you)).post
    expect(discarded).toEqual({ ...published, version: 4 })
    const restored = await product.posts.bringBack(id, '1', 3, you, { keepUnpublished: true })
    expect(requireDone(restored).post.unpublished).toMatchObject({ version: 5, fields })
    world.advance('1 hour')
    const shown = requireDone(await other.posts.publishChanges(id, '1', { version: 5 }, you)).post
    expect(shown).toEqual({
      ...published,
      ...fields,
      cover: undefined,
      version: 6,
      changedAt: world.now(),
      unpublished: undefined,
    })
    await vi.waitFor(() => expect(product.posts.published.posts(id, world.now())).toEqual([shown]), often)
    expect(product.posts.published.redirectFor(id, '/blog/hello')).toBe('/blog/hi')
    const history = await product.posts.history(id, '1', you)
    expect(history.map(({ version, isUnpublished, post }) => [version, isUnpublished, post.body])).toEqual([
      [6, false, 'Two 🌳'],
      [5, true, 'Two 🌳'],
      [4, false, 'One'],
      [3, true, 'Two 🌳'],
      [2, false, 'One'],
      [1, false, 'One'],
    ])
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('one post at an address and one change of a version, however many come at once', async () => {
    const { product, anotherProcess, aProject } = await begin()
    const { id } = await aProject()
    const processes = [product, await anotherProcess(), product, await anotherProcess()]
    const wanted = { title: 'Hello', slug: 'hello' }
    const made = await Promise.all(processes.map(({ posts }) => posts.create(id, wanted, you)))
    expect(made.filter((outcome) => outcome.done)).toHaveLength(1)
    for (const outcome of made)
      if (!outcome.done) expect(outcome.problems[0]).toMatchObject({ field: 'slug' })

    const changes = await Promise.all(
      processes.map(({ posts }, place) => posts.change(id, '1', { body: `From ${place}`, version: 1 }, you)),
    )
    const refused = changes.filter((outcome) => !outcome.done)
    expect(refused.map(problemMessages)).toEqual(
      Array.from({ length: 3 }, () => [
        '“Hello” was changed by Ana at 10:00 UTC on 2026-03-02. Load it again, then repeat your change.',
      ]),
    )
    expect(await product.posts.history(id, '1', you)).toHaveLength(2)
  })

  test('a hundred scheduled posts appear at once, in every process', async () => {
    const { product, anotherProcess, world, aProject } = await begin()
    const { id } = await aProject()
    const other = await anotherProcess()
    for (let place = 0; place < 100; place++) {
      const { post } = requireDone(await product.posts.create(id, { title: `Post ${place}` }, you))
      requireDone(await product.posts.publish(id, post.id, { at: '2026-03-02T11:00' }, you))
    }
    const scheduled = new Date('2026-03-02T11:00:00Z')
    const both = [product, other].map(({ posts }) => posts.published)
    await vi.waitFor(
      () => expect(both.map((one) => one.nextChangeAt(id, world.now()))).toEqual([scheduled, scheduled]),
      often,
    )
    expect(both.map((one) => one.posts(id, world.now()).length)).toEqual([0, 0])

    world.advance('1 hour')
    await vi.waitFor(() => expect(other.posts.published.posts(id, world.now())).toHaveLength(100), often)
    expect(other.posts.published.posts(id, world.now())).toEqual(
      product.posts.published.posts(id, world.now()),
    )
  })

  test('authors, redirects and the site from beginning to end', async () => {
    const { product, anotherProcess, aProject } = await begin()
    const { id } = await aProject()
    const other = await anotherProcess()
    const { author } = requireDone(
      await product.posts.authors.create(id, { name: 'Ana Berg', bio: 'Writes' }, you),
    )
    requireDone(
      await other.posts.authors.change(
        id,
        author.slug,
        { picture: { address: '/_tilth/images/a.png' } },
        you,
      ),
    )
    const ana = { ...author, picture: { address: '/_tilth/images/a.png', alt: '' } }
    await vi.waitFor(() => expect(product.posts.published.authors(id)).toEqual([ana]), often)
    requireDone(await product.posts.authors.remove(id, author.slug, you))
    expect(await other.posts.authors.list(id, you)).toEqual([])

    requireDone(await product.posts.redirects.create(id, { from: '/old', to: '/new' }, you))
    requireDone(await product.posts.redirects.create(id, { from: '/far', to: 'https://example.com' }, you))
    await vi.waitFor(() => expect(other.posts.published.redirectFor(id, '/old')).toBe('/new'), often)
    requireDone(await other.posts.redirects.remove(id, '/old', you))
    expect(await product.posts.redirects.list(id, you)).toEqual([
      { from: '/far', to: 'https://example.com', isAutomatic: false },
    ])

    const navigation = [{ label: 'Start', address: '/' }]
    requireDone(await product.posts.sites.change(id, { navigation, accent: '#abcdef' }, you))
    requireDone(await other.posts.sites.change(id, { name: 'Roots' }, you))
    await vi.waitFor(() => expect(product.posts.published.site(id)?.name).toBe('Roots'), often)
    expect(product.posts.published.site(id)).toMatchObject({ navigation, accent: '#abcdef' })
  })
}

describe('posts in a file', () => aLifeOf(() => openTestProduct()))

describeOnPostgres('posts', (emptyDatabase) =>
  aLifeOf(async () => openTestProduct({ url: await emptyDatabase() })),
)
