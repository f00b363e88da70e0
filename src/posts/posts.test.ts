import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, problemMessages, present } from '#test/product/fixture'
import { operator, AccessRefusedError, type Viewer } from '#projects/access'
import type { Post } from './post'
import { previewDays } from './previews'

const ana = operator('Ana')
const ben = operator('Ben')

async function aBlog({ timeZone = 'UTC' } = {}) {
  const fixture = await openTestProduct()
  const { id } = await fixture.aProject()
  const { posts, projects } = fixture.product
  const { published } = posts
  requireDone(await projects.change(id, { timeZone }, ana))
  const aDraft = async (overrides: object = {}): Promise<Post> =>
    requireDone(await posts.create(id, { title: 'Hello', ...overrides }, ana)).post

  return {
    ...fixture,
    id,
    posts,
    published,
    aDraft,
    aPost: async (overrides: object = {}) => {
      return requireDone(await posts.publish(id, (await aDraft(overrides)).id, {}, ana)).post
    },
    titles: () => published.posts(id, fixture.world.now()).map(({ title }) => title),
    at: (slug: string) => published.bySlug(id, 'post', slug, fixture.world.now()),
  }
}

describe('a post', () => {
  test('is a draft that no visitor can read until it is published', async () => {
    const { aDraft, titles, posts, id, world } = await aBlog()
    const draft = await aDraft({ title: 'Über uns!', body: 'Wir' })
    expect(draft).toMatchObject({ slug: 'uber-uns', kind: 'post', version: 1, publishedAt: undefined })
    expect(titles()).toEqual([])

    const { post, note } = requireDone(await posts.publish(id, draft.id, {}, ana))
    expect([post.publishedAt, post.version, note]).toEqual([world.now(), 2, undefined])
    expect(titles()).toEqual(['Über uns!'])
    expect(problemMessages(await posts.publish(id, draft.id, {}, ana))).toEqual(['It is published already.'])
  })

  test('is a draft again, put away and restored', async () => {
    const { aPost, titles, posts, id } = await aBlog()
    const post = await aPost()
    requireDone(await posts.unpublish(id, post.id, ana))
    expect(titles()).toEqual([])
    expect(problemMessages(await posts.unpublish(id, post.id, ana))).toEqual(['It is a draft already.'])

    requireDone(await posts.publish(id, post.id, {}, ana))
    requireDone(await posts.archive(id, post.id, ana))
    expect(titles()).toEqual([])
    expect(problemMessages(await posts.change(id, post.id, { title: 'New' }, ana))).toEqual([
      'It is archived. Restore it first.',
    ])
    expect([await posts.list(id, ana), await posts.list(id, ana, { state: 'archived' })]).toMatchObject([
      [],
      [{ title: 'Hello' }],
    ])
    requireDone(await posts.restore(id, post.id, ana))
    expect(titles()).toEqual(['Hello'])
  })

  test('keeps what a change does not speak of, and null takes away', async () => {
    const { aDraft, posts, id } = await aBlog()
    const cover = { address: '/_tilth/images/a.png', alt: 'A tree', width: 10, height: 20 }
    const draft = await aDraft({ body: 'One', tags: ['News', 'news', 'Über'], cover, series: 'Roots' })
    expect(draft).toMatchObject({ tags: ['News', 'Über'], cover, series: 'Roots' })

    const { post } = requireDone(
      await posts.change(id, draft.id, { isFeatured: true, cover: null, series: null }, ana),
    )
    expect(post).toEqual({ ...draft, isFeatured: true, cover: undefined, series: undefined, version: 2 })
  })

  test('that is saved as it is gets no new version', async () => {
    const { aDraft, posts, id } = await aBlog()
    const draft = await aDraft({ body: 'One' })

    expect(requireDone(await posts.change(id, draft.id, { body: 'One', version: 1 }, ana)).post).toEqual(
      draft,
    )
    expect(await posts.history(id, draft.id, ana)).toHaveLength(1)
  })

  test('that another member changed meanwhile is not overwritten', async () => {
    const { aDraft, posts, id } = await aBlog()
    const draft = await aDraft()
    requireDone(await posts.change(id, draft.id, { body: 'Ben’s', version: 1 }, ben))

    expect(problemMessages(await posts.change(id, draft.id, { body: 'Ana’s', version: 1 }, ana))).toEqual([
      '“Hello” was changed by Ben at 10:00 UTC on 2026-03-02. Load it again, then repeat your change.',
    ])
    expect((await posts.find(id, draft.id, ana))?.body).toBe('Ben’s')
  })

  test('names only authors that are there', async () => {
    const { aDraft, posts, id, product } = await aBlog()
    const draft = await aDraft()
    expect(problemMessages(await posts.change(id, draft.id, { authors: ['ana'] }, ana))).toEqual([
      'There is no author “ana” in this project. Add them first.',
    ])
    const { author } = requireDone(await product.posts.authors.create(id, { name: 'Ana' }, ana))
    requireDone(await posts.change(id, draft.id, { authors: [author.slug] }, ana))

    expect(problemMessages(await product.posts.authors.remove(id, 'ana', ana))).toEqual([
      'Ana is an author of “Hello”. Change that first.',
    ])
  })

  test('of a project is not there for another', async () => {
    const { aPost, posts, aProject } = await aBlog()
    const post = await aPost()
    const other = await aProject({ name: 'Other' })

    expect(await posts.find(other.id, post.id, ana)).toBeUndefined()
    expect(problemMessages(await posts.archive(other.id, post.id, ana))).toEqual([
      'There is no such post in this project.',
    ])
    expect(problemMessages(await posts.archive(other.id, 'file:x.md', ana))).toEqual([
      'There is no such post in this project.',
    ])
  })
})

describe('an address', () => {
  test('belongs to one post', async () => {
    const { aDraft, posts, id } = await aBlog()
    await aDraft({ title: 'The first', slug: 'hello' })
    expect(problemMessages(await posts.create(id, { title: 'Second', slug: 'hello' }, ana))).toEqual([
      '“The first” is at /blog/hello already. Choose another address.',
    ])
    const other = await aDraft({ title: 'Hello' })
    expect(other.slug).toBe('hello-2')
    expect(problemMessages(await posts.change(id, other.id, { slug: 'hello' }, ana))).toEqual([
      '“The first” is at /blog/hello already. Choose another address.',
    ])
  })

  test('stays that of an archived post', async () => {
    const { aDraft, posts, id } = await aBlog()
    const post = await aDraft()
    requireDone(await posts.archive(id, post.id, ana))

    expect(problemMessages(await posts.create(id, { title: 'New', slug: 'hello' }, ana))).toEqual([
      '“Hello” was at /blog/hello and is archived. Restore it, or choose another address.',
    ])
  })

  test('of a page may be home, and may have several parts', async () => {
    const { posts, id, published, world } = await aBlog()
    for (const slug of ['', 'docs', 'docs/start', '/docs/übersicht/']) {
      const { post } = requireDone(await posts.create(id, { kind: 'page', title: `At ${slug}`, slug }, ana))
      requireDone(await posts.publish(id, post.id, {}, ana))
    }
    const pages = ['', 'docs', 'docs/start', 'docs/%C3%BCbersicht'].map(
      (slug) => published.bySlug(id, 'page', slug, world.now())?.title,
    )
    expect(pages).toEqual(['At', 'At docs', 'At docs/start', 'At /docs/übersicht/'])
  })

  test.each([
    ['post', 'a/b', 'Use lower-case letters'],
    ['post', '', 'Use lower-case letters'],
    ['post', 'Hello', 'Use lower-case letters'],
    ['post', '../x', 'Use lower-case letters'],
    ['post', 'a b', 'Use lower-case letters'],
    ['post', 'tags', 'The blog itself uses the address “/blog/tags”'],
    ['page', 'blog', 'Tilth itself uses addresses that begin with “/blog”'],
    ['page', 'blog/hello', 'Tilth itself uses addresses that begin with “/blog”'],
    ['page', 'studio/x', 'Tilth itself uses'],
    ['page', 'share', 'Tilth itself uses'],
    ['page', 'api/v2', 'Tilth itself uses'],
    ['page', 'ofrep', 'Tilth itself uses'],
    ['page', '_tilth/x', 'Tilth itself uses'],
    ['page', '_next', 'Tilth itself uses'],
    ['page', '_vercel/insights', 'Tilth itself uses'],
    ['page', 'i/v0/e', 'Tilth itself uses'],
    ['page', 'e', 'Tilth itself uses'],
    ['page', 'flags', 'Tilth itself uses'],
    ['page', 'a//b', 'Between two parts stands one "/"'],
    ['page', 'a/../b', 'Between two parts stands one "/"'],
    ['page', 'robots.txt', 'Between two parts stands one "/"'],
    ['page', 'a/b/c/d/e/f/g/h/i', 'at most 8 parts'],
  ])('of a %s is not “%s”', async (kind, slug, why) => {
    const { posts, id } = await aBlog()

    expect(problemMessages(await posts.create(id, { kind, title: 'X', slug }, ana))[0]).toContain(why)
  })

  test.each([
    ['page', 'Blog', 'blog-page'],
    ['post', 'Tags', 'tags-post'],
    ['post', '!!!', 'post'],
    ['post', '한국어', '한국어'],
  ])('of a %s called “%s” is made so that it can stand', async (kind, title, slug) => {
    const { posts, id } = await aBlog()

    expect(requireDone(await posts.create(id, { kind, title }, ana)).post.slug).toBe(slug)
  })
})

describe('what is written', () => {
  test.each([
    [{ title: '  ' }, 'title', 'Give it a title.'],
    [{ title: 'a\nb' }, 'title', 'Leave out line breaks'],
    [{ title: 'x'.repeat(201) }, 'title', 'Use at most 200 characters.'],
    [{ body: 7 }, 'body', 'Write the body as text, in Markdown.'],
    [{ body: 'x'.repeat(5_000_000) }, 'body', 'The text is 5.0 MB, and 1 MB is the most.'],
    [{ body: 'ü'.repeat(600_000) }, 'body', 'The text is 1.2 MB'],
    [{ cover: { address: 'https://evil.example/x.png' } }, 'cover.address', 'Upload the picture'],
    [{ cover: { address: '//evil.example/x.png' } }, 'cover.address', 'Upload the picture'],
    [{ cover: { address: 'data:image/png;base64,AA' } }, 'cover.address', 'Upload the picture'],
    [{ canonical: 'javascript:alert(1)' }, 'canonical', 'Give an address that begins with "https://".'],
    [{ tags: ['!'] }, 'tags.0', 'Use letters or digits as well'],
    [{ tags: Array.from({ length: 21 }, (_, place) => `t${place}`) }, 'tags', 'Give at most 20 tags.'],
    [{ publishedAt: '2026-01-01' }, undefined, 'publishedAt'],
  ])('that is wrong is refused: case %#', async (changes, field, why) => {
    const { posts, id } = await aBlog()
    const outcome = await posts.create(id, { title: 'Hello', ...changes }, ana)
    const [problem] = outcome.done ? [] : outcome.problems

    expect(problem?.field).toBe(field)
    expect(problem?.message).toContain(why)
    expect(await posts.list(id, ana)).toEqual([])
  })

  test('may be as long as a megabyte, and of any script', async () => {
    const { aPost, posts, id } = await aBlog()
    const body = `𝕬 \u{0} ${'x'.repeat(999_000)}`
    const post = await aPost({ body })

    expect((await posts.find(id, post.id, ana))?.body).toBe(body)
  })
})

describe('a post that is to appear', () => {
  test('does so by itself, at its time', async () => {
    const { aDraft, posts, id, world, titles, published } = await aBlog()
    const draft = await aDraft()
    const { post } = requireDone(await posts.publish(id, draft.id, { at: '2026-03-02T11:00' }, ana))
    expect(post.publishedAt).toEqual(new Date('2026-03-02T11:00:00Z'))
    expect(titles()).toEqual([])
    expect(await posts.list(id, ana, { state: 'scheduled' })).toHaveLength(1)
    expect(published.nextChangeAt(id, world.now())).toEqual(post.publishedAt)

    world.advance('1 hour')
    expect(titles()).toEqual(['Hello'])
    expect(published.nextChangeAt(id, world.now())).toBeUndefined()
  })

  test.each([
    [
      '2026-03-29T02:30',
      '2026-03-29T01:30:00.000Z',
      'The clocks of Europe/Berlin skip 02:30 on that day: it appears at 03:30.',
    ],
    [
      '2026-10-25T02:30',
      '2026-10-25T00:30:00.000Z',
      'The clocks of Europe/Berlin show 02:30 twice on that day: it appears the first time.',
    ],
    ['2026-03-29T03:30', '2026-03-29T01:30:00.000Z', undefined],
    ['2026-03-29T02:30:00Z', '2026-03-29T02:30:00.000Z', undefined],
    ['2026-03-29T02:30:00+02:00', '2026-03-29T00:30:00.000Z', undefined],
  ])('at %s in Berlin does so at %s', async (written, at, text) => {
    const { aDraft, posts, id } = await aBlog({ timeZone: 'Europe/Berlin' })
    const { post, note } = requireDone(await posts.publish(id, (await aDraft()).id, { at: written }, ana))

    expect([post.publishedAt?.toISOString(), note]).toEqual([at, text])
  })

  test.each(['tomorrow', '2026-02-30T10:00', ''])('at “%s” is asked for a time', async (at) => {
    const { aDraft, posts, id } = await aBlog()

    expect(problemMessages(await posts.publish(id, (await aDraft()).id, { at }, ana))[0]).toContain(
      'Give an instant',
    )
  })

  test('may get another time, appear at once, or be kept back', async () => {
    const { aDraft, posts, id, titles } = await aBlog()
    const { id: post } = await aDraft()
    requireDone(await posts.publish(id, post, { at: '2026-04-01T10:00' }, ana))
    requireDone(await posts.publish(id, post, { at: '2026-05-01T10:00' }, ana))
    requireDone(await posts.unpublish(id, post, ana))
    expect((await posts.find(id, post, ana))?.publishedAt).toBeUndefined()
    requireDone(await posts.publish(id, post, { at: '2026-05-01T10:00' }, ana))
    requireDone(await posts.publish(id, post, {}, ana))
    expect(titles()).toEqual(['Hello'])
  })
})

describe('the history', () => {
  test('has every version, and brings any of them back', async () => {
    const { aPost, posts, id, titles } = await aBlog()
    const post = await aPost({ body: 'One' })
    requireDone(await posts.change(id, post.id, { title: 'Bye', body: 'Two', note: 'Better' }, ben))
    const back = requireDone(await posts.bringBack(id, post.id, 1, ana)).post

    expect(back).toMatchObject({ title: 'Hello', body: 'One', version: 4, publishedAt: post.publishedAt })
    expect(titles()).toEqual(['Hello'])
    const history = await posts.history(id, post.id, ana)
    expect(history.map(({ version, by, note, post: then }) => [version, by, note, then.body])).toEqual([
      [4, 'Ana', 'Back to version 1.', 'One'],
      [3, 'Ben', 'Better', 'Two'],
      [2, 'Ana', undefined, 'One'],
      [1, 'Ana', undefined, 'One'],
    ])
    expect(problemMessages(await posts.bringBack(id, post.id, 9, ana))).toEqual([
      'There is no version 9 of this post.',
    ])
  })

  test('has one version of a series of automatic saves by one person, and the audit log one entry', async () => {
    const { aPost, posts, id, product, world } = await aBlog()
    const post = await aPost({ body: 'One' })
    const saves = async (body: string, by = ana, isAutosave = true) =>
      requireDone(await posts.change(id, post.id, { body, keepUnpublished: true }, by, { isAutosave }))
    await saves('One, two')
    world.advance('9 minutes')
    await saves('One, two, three')
    await saves('Four', ben)
    await saves('Five', ben, false)
    await saves('Six', ben)
    world.advance('10 minutes')
    const { post: last } = await saves('Seven', ben)

    const history = await posts.history(id, post.id, ana)
    expect(history.map(({ version, by, note, post: then }) => [version, by, note, then.body])).toEqual([
      [8, 'Ben', 'Saved automatically', 'Seven'],
      [7, 'Ben', 'Saved automatically', 'Six'],
      [6, 'Ben', undefined, 'Five'],
      [5, 'Ben', 'Saved automatically', 'Four'],
      [4, 'Ana', 'Saved automatically', 'One, two, three'],
      [2, 'Ana', undefined, 'One'],
      [1, 'Ana', undefined, 'One'],
    ])
    expect(last).toMatchObject({ version: 8, body: 'One' })
    const audited = await product.projects.audit.list(id, {}, ana)
    expect(audited.filter(({ action }) => action === 'post.edit')).toHaveLength(5)
  })

  test('brings an old address back, and what led there since leads on', async () => {
    const { aPost, posts, id, at, published } = await aBlog()
    const post = await aPost()
    requireDone(await posts.change(id, post.id, { slug: 'two' }, ana))
    requireDone(await posts.bringBack(id, post.id, 2, ana))

    expect(at('hello')?.id).toBe(post.id)
    expect(published.redirectFor(id, '/blog/two')).toBe('/blog/hello')
  })

  test('forgets all but the latest hundred', async () => {
    const { aDraft, posts, id } = await aBlog()
    const draft = await aDraft()
    for (let round = 0; round < 101; round++)
      requireDone(await posts.change(id, draft.id, { body: `Round ${round}` }, ana))
    const history = await posts.history(id, draft.id, ana)

    expect([history.length, history[0]?.version, history.at(-1)?.version]).toEqual([100, 102, 3])
  })
})

describe('a link to a draft', () => {
  test('shows it as it is now, for a week', async () => {
    const { aDraft, posts, id, world } = await aBlog()
    const draft = await aDraft()
    const token = await posts.previewToken(id, draft.id, ana)
    expect(token).toMatch(/^[\w.-]+$/)
    requireDone(await posts.change(id, draft.id, { title: 'Newer' }, ana))
    expect(await posts.readPreview(token)).toMatchObject({ title: 'Newer', publishedAt: undefined })

    world.advance(`${previewDays} days`)
    expect(await posts.readPreview(token)).toBeUndefined()
  })

  test('to a page of the site folder shows that page alone, for a week', async () => {
    const { aDraft, posts, id, world } = await aBlog()
    const token = posts.pagePreviewToken(id, '/plans', ana)
    const shows = (projectId: number, path: string) => posts.isPagePreview(token, { projectId, path })
    expect([shows(id, '/plans'), shows(id, '/prices'), shows(id + 1, '/plans')]).toEqual([true, false, false])

    // neither kind of link is read as the other
    const ofAPost = await posts.previewToken(id, (await aDraft()).id, ana)
    expect(posts.isPagePreview(ofAPost, { projectId: id, path: '/plans' })).toBe(false)
    expect(await posts.readPreview(token)).toBeUndefined()

    world.advance(`${previewDays} days`)
    expect(shows(id, '/plans')).toBe(false)
  })

  test('that was forged shows nothing, and none is made for a missing post', async () => {
    const { aDraft, posts, id, product } = await aBlog()
    const draft = await aDraft()
    const token = await posts.previewToken(id, draft.id, ana)
    requireDone(await product.flags.create(id, { key: 'x' }, ana))
    const { link } = requireDone(await product.flags.overrideLinks.make(id, { values: { x: true } }, ana))
    const ofAFlag = present(new URL(link.path, 'http://a').searchParams.get('link'))

    for (const forged of ['', 'x', token.slice(1), `${token.slice(0, -2)}AA`, ofAFlag, 'x'.repeat(10_000)])
      expect(await posts.readPreview(forged)).toBeUndefined()
    await expect(posts.previewToken(id, '99', ana)).rejects.toThrow(AccessRefusedError)
    requireDone(await posts.archive(id, draft.id, ana))
    expect(await posts.readPreview(token)).toBeUndefined()
  })
})

test('a member who begins a post is its author, and is one author of the project', async () => {
  const { product, id, posts, aMember, signedIn } = await aBlog()
  const lea = await signedIn(await aMember({ name: 'Lea', role: 'editor' }))
  const begins = async (input: object, viewer: Viewer = lea) =>
    requireDone(await posts.create(id, { title: 'Hello', ...input }, viewer)).post.authors

  expect(await begins({})).toEqual(['lea'])
  expect(await begins({})).toEqual(['lea'])
  expect(await begins({ authors: [] })).toEqual([])
  expect(await begins({ kind: 'page' })).toEqual([])
  expect(await begins({}, ana)).toEqual([])
  expect(await product.posts.authors.list(id, ana)).toMatchObject([{ slug: 'lea', name: 'Lea' }])
})

describe('a list', () => {
  test.each([
    [{}, ['Page', 'Waiting', 'Published', 'Draft']],
    [{ kind: 'page' }, ['Page']],
    [{ state: 'draft' }, ['Page', 'Draft']],
    [{ state: 'scheduled' }, ['Waiting']],
    [{ state: 'published' }, ['Published']],
    [{ state: 'archived' }, ['Archived']],
    [{ tag: 'news' }, ['Published']],
    [{ search: 'apple TREE' }, ['Draft']],
    [{ search: 'apple pear' }, []],
  ] as const)('of %j has what was asked for, what was changed last first', async (filter, titles) => {
    const { aDraft, aPost, posts, id, world } = await aBlog()
    await aDraft({ title: 'Draft', body: 'An apple tree' })
    world.advance('1 minute')
    await aPost({ title: 'Published', tags: ['News'] })
    world.advance('1 minute')
    requireDone(
      await posts.publish(id, (await aDraft({ title: 'Waiting' })).id, { at: '2027-01-01T10:00' }, ana),
    )
    requireDone(await posts.archive(id, (await aPost({ title: 'Archived' })).id, ana))
    world.advance('1 minute')
    await aDraft({ title: 'Page', kind: 'page' })

    expect((await posts.list(id, ana, filter)).map(({ title }) => title)).toEqual(titles)
  })
})

describe('a trial', () => {
  const other = { title: 'Hello, you' }

  async function aTrial(variants: object[] = [other]) {
    const blog = await aBlog()
    const post = await blog.aPost({ excerpt: 'Short' })
    const { trial } = requireDone(await blog.posts.startTrial(blog.id, post.id, { variants }, ana)).post
    return { ...blog, post, trial: present(trial) }
  }

  test('shows the original and what is tried beside it', async () => {
    const cover = { address: '/_tilth/images/b.png', alt: '' }
    const { trial, published, id, post } = await aTrial([other, { excerpt: 'Long', cover }])

    expect(trial).toMatchObject({
      key: `post-${post.id}-1`,
      metric: 'clicks',
      state: { name: 'running' },
      variants: [{ key: 'a' }, { key: 'b', ...other }, { key: 'c', excerpt: 'Long', cover }],
    })
    expect(published.trials(id)).toEqual([trial])
  })

  test.each([
    [[], 'Give at least one variant'],
    [Array.from({ length: 5 }, (_, place) => ({ title: `${place}` })), 'Give at most 4 variants'],
    [[{}], 'Variant 1 says nothing else than the post.'],
    [[{ title: 'Hello' }], 'Variant 1 says nothing else than the post.'],
    [[other, { ...other, excerpt: 'Short' }], 'Variants 1 and 2 say the same.'],
    [[{ title: 'X', cover: { address: 'https://evil.example/x' } }], 'Upload the picture'],
  ])('of %j is refused', async (variants, why) => {
    const { aPost, posts, id } = await aBlog()
    const post = await aPost({ excerpt: 'Short' })

    expect(problemMessages(await posts.startTrial(id, post.id, { variants }, ana))[0]).toContain(why)
  })

  test('is made of one published post, one at a time', async () => {
    const { posts, id, post, aDraft } = await aTrial()
    const variants = [{ title: 'Third' }]
    expect(problemMessages(await posts.startTrial(id, post.id, { variants }, ana))).toEqual([
      'A trial of this post is under way. Stop it, or pick its winner first.',
    ])
    const draft = await aDraft({ title: 'Draft' })
    expect(problemMessages(await posts.startTrial(id, draft.id, { variants }, ana))).toEqual([
      'Publish the post first.',
    ])
  })

  test('ends with the words of its winner in the post', async () => {
    const { posts, id, post, world, published, at } = await aTrial()
    world.advance('1 day')
    const { post: after } = requireDone(await posts.pickWinner(id, post.id, { winner: 'b' }, ben))

    expect(after).toMatchObject({
      title: 'Hello, you',
      excerpt: 'Short',
      slug: 'hello',
      changedAt: world.now(),
    })
    expect(after.trial?.state).toEqual({ name: 'won', winner: 'b', at: world.now(), by: 'Ben' })
    expect([published.trials(id), at('hello')?.title]).toEqual([[], 'Hello, you'])
    const [latest] = await posts.history(id, post.id, ana)
    expect(latest).toMatchObject({ by: 'Ben', note: `“b” won the trial post-${post.id}-1.` })
  })

  test('that is stopped leaves the original, and the next has another key', async () => {
    const { posts, id, post, published } = await aTrial()
    const { post: after } = requireDone(await posts.stopTrial(id, post.id, ana))
    expect(after).toMatchObject({ title: 'Hello', trial: { state: { name: 'stopped', by: 'Ana' } } })
    expect(published.trials(id)).toEqual([])
    expect(problemMessages(await posts.stopTrial(id, post.id, ana))).toEqual([
      'No trial of this post is under way.',
    ])

    const again = requireDone(
      await posts.startTrial(id, post.id, { variants: [other], metric: 'reads' }, ana),
    ).post
    expect(again.trial).toMatchObject({ key: `post-${post.id}-2`, metric: 'reads' })
    expect(problemMessages(await posts.pickWinner(id, post.id, { winner: 'c' }, ana))).toEqual([
      'There is no variant “c” in this trial.',
    ])
  })

  test.each(['unpublish', 'archive'] as const)(
    'stops when its post is no more to be read: %s',
    async (end) => {
      const { posts, id, post, published } = await aTrial()

      expect(requireDone(await posts[end](id, post.id, ana)).post.trial?.state.name).toBe('stopped')
      expect(published.trials(id)).toEqual([])
    },
  )

  test('survives that an earlier version is restored', async () => {
    const { posts, id, post, trial } = await aTrial()
    requireDone(await posts.change(id, post.id, { body: 'New' }, ana))

    expect(requireDone(await posts.bringBack(id, post.id, 1, ana)).post.trial).toEqual(trial)
  })
})
