import { expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import type { Post } from './post'

const ana = operator('Ana')
const ben = operator('Ben')
const unpublished = { keepUnpublished: true }

async function aPublishedPost(content: object = {}) {
  const fixture = await openTestProduct()
  const { id } = await fixture.aProject()
  const { posts } = fixture.product
  const { published } = posts
  const made = requireDone(await posts.create(id, { title: 'Hello', body: 'One', ...content }, ana)).post
  const post = requireDone(await posts.publish(id, made.id, {}, ana)).post
  return {
    ...fixture,
    id,
    post,
    posts,
    published,
    edit: async (change: object): Promise<Post> =>
      requireDone(await posts.change(id, post.id, { ...change, ...unpublished }, ana)).post,
    visible: () => published.posts(id, fixture.world.now()),
    titles: () => published.posts(id, fixture.world.now()).map(({ title }) => title),
  }
}

test('readers see the published text until the changes are published', async () => {
  const { edit, titles, posts, id, post } = await aPublishedPost()
  const edited = await edit({ title: 'Bye' })
  expect(edited).toMatchObject({ title: 'Hello', unpublished: { by: 'Ana', fields: { title: 'Bye' } } })
  expect(titles()).toEqual(['Hello'])

  requireDone(await posts.publishChanges(id, post.id, {}, ana))
  expect(titles()).toEqual(['Bye'])
  expect(problemMessages(await posts.publishChanges(id, post.id, {}, ana))).toEqual([
    'There are no unpublished changes.',
  ])
})

test('saving unpublished changes changes nothing that pages are compared with', async () => {
  const { edit, published, id, post, world, visible } = await aPublishedPost()
  const fingerprint = () => published.fingerprint(id, `post ${post.id}`, world.now())
  const [before, shown] = [fingerprint(), visible()]
  await edit({ body: 'Two' })
  await published.caughtUp()
  expect(fingerprint()).toBe(before)
  expect(visible()).toBe(shown)
})

test('a change that goes public at once leaves the unpublished ones', async () => {
  const { edit, posts, id, post, visible } = await aPublishedPost()
  await edit({ title: 'Bye', body: 'Two' })
  const changed = requireDone(await posts.change(id, post.id, { excerpt: 'Now', title: 'Bye' }, ben)).post
  expect(visible()).toMatchObject([{ title: 'Bye', excerpt: 'Now', body: 'One' }])
  expect(changed.unpublished?.fields).toEqual({ body: 'Two' })
})

test('changes that are undone by hand are none', async () => {
  const { edit, posts, id, post } = await aPublishedPost()
  await edit({ title: 'Bye' })
  const back = await edit({ title: 'Hello' })
  expect(back.unpublished).toBeUndefined()
  const { length } = await posts.history(id, post.id, ana)
  expect((await edit({ title: 'Hello' })).version).toBe(back.version)
  expect(await posts.history(id, post.id, ana)).toHaveLength(length)
})

test('changes based on an older version are refused, and so are decisions about them', async () => {
  const { edit, posts, id, post } = await aPublishedPost()
  const version = post.version
  await edit({ body: 'Ana’s' })
  const conflict = [
    '“Hello” was changed by Ana at 10:00 UTC on 2026-03-02. Load it again, then repeat your change.',
  ]
  const change = { body: 'Ben’s', version, ...unpublished }
  expect(problemMessages(await posts.change(id, post.id, change, ben))).toEqual(conflict)
  expect(problemMessages(await posts.publishChanges(id, post.id, { version }, ben))).toEqual(conflict)
  expect(problemMessages(await posts.discardChanges(id, post.id, { version }, ben))).toEqual(conflict)
})

test('an address that is taken is refused when it is saved, and again when it is published', async () => {
  const { edit, posts, id, post } = await aPublishedPost()
  requireDone(await posts.create(id, { title: 'Taken' }, ana))
  const taken = { slug: 'taken', ...unpublished }
  expect(problemMessages(await posts.change(id, post.id, taken, ana))).toEqual([
    '“Taken” is at /blog/taken already. Choose another address.',
  ])
  await edit({ slug: 'free' })
  requireDone(await posts.create(id, { title: 'Free' }, ana))
  expect(problemMessages(await posts.publishChanges(id, post.id, {}, ana))).toEqual([
    '“Free” is at /blog/free already. Choose another address.',
  ])
  // the pending address does not stand in the way of anything else
  requireDone(await posts.change(id, post.id, { excerpt: 'Now' }, ana))
})

test('a headline test tries variants against the published text, and its winner joins the changes', async () => {
  const { edit, posts, id, post, titles } = await aPublishedPost()
  await edit({ excerpt: 'Later', body: 'Two' })
  const trial = { variants: [{ title: 'Hello, you' }], metric: 'clicks' }
  requireDone(await posts.startTrial(id, post.id, trial, ana))
  const won = requireDone(await posts.pickWinner(id, post.id, { winner: 'b' }, ana)).post
  expect(won).toMatchObject({ title: 'Hello, you', excerpt: '', body: 'One' })
  const shown = requireDone(await posts.publishChanges(id, post.id, {}, ana)).post
  expect(shown).toMatchObject({ title: 'Hello, you', excerpt: 'Later', body: 'Two' })
  expect(titles()).toEqual(['Hello, you'])
})

test('a post that is taken back can be published as it was, or with its changes', async () => {
  const { edit, posts, id, post, titles } = await aPublishedPost()
  await edit({ title: 'Bye' })
  requireDone(await posts.unpublish(id, post.id, ana))
  requireDone(await posts.publish(id, post.id, unpublished, ana))
  expect(titles()).toEqual(['Hello'])

  requireDone(await posts.unpublish(id, post.id, ana))
  expect(problemMessages(await posts.publishChanges(id, post.id, {}, ana))).toEqual([
    'It is not published. Publish the post: its changes appear with it.',
  ])
  expect(requireDone(await posts.publish(id, post.id, {}, ana)).post.unpublished).toBeUndefined()
  expect(titles()).toEqual(['Bye'])
})

test('a draft and a scheduled post have one text, whatever a change asks for', async () => {
  const { posts, id, world, titles } = await aPublishedPost()
  const { post } = requireDone(await posts.create(id, { title: 'Draft' }, ana))
  const change = (title: string) => posts.change(id, post.id, { title, ...unpublished }, ana)
  expect(requireDone(await change('Better')).post).toMatchObject({ title: 'Better', unpublished: undefined })
  requireDone(await posts.publish(id, post.id, { at: '2026-03-02T11:00' }, ana))
  expect(requireDone(await change('Best')).post).toMatchObject({ title: 'Best', unpublished: undefined })
  world.advance('1 day')
  expect(titles()).toContain('Best')
})

test('a preview link shows the changes, and the list of posts finds their words', async () => {
  const { edit, posts, id, post } = await aPublishedPost()
  await edit({ body: 'Entirely new' })
  const token = await posts.previewToken(id, post.id, ana)
  expect(await posts.readPreview(token)).toMatchObject({ title: 'Hello', body: 'Entirely new' })
  for (const search of ['one', 'entirely'])
    expect(await posts.list(id, ana, { search })).toMatchObject([{ id: post.id, body: 'One' }])
})

test('an author of unpublished changes cannot be removed', async () => {
  const { edit, product, id } = await aPublishedPost()
  const { author } = requireDone(await product.posts.authors.create(id, { name: 'Ana', links: [] }, ana))
  await edit({ authors: [author.slug] })
  expect(problemMessages(await product.posts.authors.remove(id, author.slug, ana))).toEqual([
    'Ana is an author of “Hello”. Change that first.',
  ])
})
