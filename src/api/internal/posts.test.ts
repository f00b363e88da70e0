import { expect, test } from 'vitest'
import { anApiProgram } from '#test/product/api-program'
import { onePixelPng, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

test('a post is written, read, changed, published, taken back, put away and restored', async () => {
  const { ask, world } = await anApiProgram()
  const { status, body } = await ask('POST', '/posts', { title: 'Hello', body: '# Hello' })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ id: '1', address: '/blog/hello', state: 'draft', version: 1 }),
  ])
  expect(body).not.toHaveProperty('projectId')
  expect((await ask('GET', '/posts/1')).body).toEqual(body)
  const changed = await ask('PATCH', '/posts/1', { tags: ['News'], version: 1, note: 'Sorted' })
  expect(changed.body).toMatchObject({ tags: ['News'], body: '# Hello', version: 2 })
  expect((await ask('PATCH', '/posts/1', { title: 'Bye', version: 1 })).status).toBe(422)

  const published = await ask('POST', '/posts/1/publish', {})
  expect(published.body).toMatchObject({ state: 'published', publishedAt: world.now().toISOString() })
  expect((await ask('POST', '/posts/1/unpublish')).body).toMatchObject({ state: 'draft' })
  const { body: history } = await ask('GET', '/posts/1/history')
  expect(history).toMatchObject({
    versions: [{ version: 4 }, { version: 3 }, { version: 2, note: 'Sorted' }, { version: 1 }],
  })
  expect((await ask('POST', '/posts/1/history/1/bring-back')).body).toMatchObject({ tags: [], version: 5 })
  expect((await ask('POST', '/posts/1/archive')).body).toMatchObject({ state: 'archived' })
  expect((await ask('GET', '/posts')).body).toEqual({ posts: [] })
  expect((await ask('POST', '/posts/1/restore')).body).toMatchObject({ state: 'draft' })
  expect((await ask('GET', '/posts/9')).status).toBe(422)
})

test('a list says nothing of bodies, and can be narrowed', async () => {
  const { ask } = await anApiProgram()
  await ask('POST', '/posts', { title: 'Hello', body: 'Words', tags: ['News'] })
  await ask('POST', '/posts', { title: 'Home', kind: 'page', slug: '' })
  const { body } = await ask('GET', '/posts?kind=post&tag=news&state=draft&search=words')

  expect(body).toEqual({ posts: [expect.objectContaining({ title: 'Hello' })] })
  expect(JSON.stringify(body)).not.toContain('Words')
  expect((await ask('GET', '/posts?kind=page')).body).toMatchObject({ posts: [{ address: '/', slug: '' }] })
  expect((await ask('GET', '/posts?state=lost')).status).toBe(422)
})

test('pages of the site folder are rendered again by a tag or a path', async () => {
  const { ask, product, id } = await anApiProgram()
  const { cacheTags } = product.posts
  expect(await ask('POST', '/site/revalidate', { tags: ['jobs'], paths: ['/jobs'] })).toMatchObject({
    status: 200,
    body: {},
  })
  expect([...cacheTags.versions(id).keys()]).toEqual(['/jobs', 'jobs'])
  expect((await ask('POST', '/site/revalidate', { tag: 'jobs' })).status).toBe(422)
})

test('a post at a time the clocks skip says when it will appear', async () => {
  const { ask, product, id } = await anApiProgram()
  requireDone(await product.projects.change(id, { timeZone: 'Europe/Berlin' }, operator()))
  await ask('POST', '/posts', { title: 'Hello' })

  expect((await ask('POST', '/posts/1/publish', { at: '2026-03-29T02:30' })).body).toMatchObject({
    state: 'scheduled',
    publishedAt: '2026-03-29T01:30:00.000Z',
    note: 'The clocks of Europe/Berlin skip 02:30 on that day: it appears at 03:30.',
  })
})

test('a draft is shown to anyone with its link', async () => {
  const { ask, product } = await anApiProgram()
  await ask('POST', '/posts', { title: 'Hello' })
  const { body } = await ask('POST', '/posts/1/preview')

  expect(body).toEqual({
    token: expect.any(String),
    path: `/blog/hello?preview=${String(body.token)}`,
    days: 7,
  })
  expect(await product.posts.readPreview(String(body.token))).toMatchObject({ title: 'Hello' })
})

test('a change of a published post can be kept, listed, discarded, restored and published', async () => {
  const { ask } = await anApiProgram()
  await ask('POST', '/posts', { title: 'Hello', body: 'One' })
  await ask('POST', '/posts/1/publish', {})
  const change = { title: 'Bye', body: 'Two', keepUnpublished: true }
  expect((await ask('PATCH', '/posts/1', change)).body).toMatchObject({
    title: 'Hello',
    version: 3,
    unpublished: { version: 3, fields: { title: 'Bye', body: 'Two' } },
  })
  const { body: listed } = await ask('GET', '/posts')
  expect(listed).toMatchObject({ posts: [{ title: 'Hello', unpublished: { fields: { title: 'Bye' } } }] })
  expect(JSON.stringify(listed)).not.toContain('Two')

  expect((await ask('POST', '/posts/1/discard-changes', {})).body).not.toHaveProperty('unpublished')
  expect((await ask('POST', '/posts/1/publish-changes', {})).status).toBe(422)
  const restored = await ask('POST', '/posts/1/history/3/bring-back?keepUnpublished=true')
  expect(restored.body).toMatchObject({ title: 'Hello', unpublished: { fields: { title: 'Bye' } } })
  const shown = await ask('POST', '/posts/1/publish-changes', { version: 5 })
  expect(shown.body).toMatchObject({ title: 'Bye', body: 'Two', version: 6 })
  expect((await ask('GET', '/posts/1/history')).body).toMatchObject({
    versions: [{ isUnpublished: false }, { isUnpublished: true }, {}, { isUnpublished: true }, {}, {}],
  })
})

test('a trial begins, is stopped, begins again and is won', async () => {
  const { ask } = await anApiProgram()
  await ask('POST', '/posts', { title: 'Hello' })
  await ask('POST', '/posts/1/publish', {})
  const trial = { variants: [{ title: 'Hello, you' }], metric: 'reads' }
  const begun = await ask('POST', '/posts/1/trial', trial)
  expect([begun.status, begun.body]).toMatchObject([201, { trial: { key: 'post-1-1', metric: 'reads' } }])
  expect((await ask('POST', '/posts/1/trial/stop')).body).toMatchObject({
    trial: { state: { name: 'stopped' } },
  })
  await ask('POST', '/posts/1/trial', trial)
  expect((await ask('POST', '/posts/1/trial/winner', { winner: 'b' })).body).toMatchObject({
    title: 'Hello, you',
    trial: { key: 'post-1-2', state: { name: 'won', winner: 'b' } },
  })
})

test('authors, redirects and the site are read and changed', async () => {
  const { ask } = await anApiProgram()
  const made = await ask('POST', '/authors', { name: 'Ana Berg' })
  expect([made.status, made.body]).toEqual([201, { slug: 'ana-berg', name: 'Ana Berg', bio: '', links: [] }])
  expect((await ask('PATCH', '/authors/ana-berg', { bio: 'Writes' })).body).toMatchObject({ bio: 'Writes' })
  expect((await ask('GET', '/authors')).body).toMatchObject({ authors: [{ slug: 'ana-berg' }] })
  expect((await ask('DELETE', '/authors/ana-berg')).status).toBe(200)

  expect((await ask('POST', '/redirects', { from: '/a', to: '/b' })).status).toBe(201)
  expect((await ask('POST', '/redirects', { from: '/b', to: '/a' })).status).toBe(422)
  expect((await ask('GET', '/redirects')).body).toEqual({
    redirects: [{ from: '/a', to: '/b', isAutomatic: false }],
  })
  expect((await ask('DELETE', '/redirects/%2Fa')).status).toBe(200)

  const { body: before } = await ask('GET', '/site')
  expect(before).toMatchObject({ name: 'Acme', isOn: true })
  expect(before).not.toHaveProperty('writeKey')
  expect((await ask('PATCH', '/site', { layout: 'cards' })).body).toEqual({ ...before, layout: 'cards' })
})

test('a key that may only write posts leaves the site as it is', async () => {
  const { ask } = await anApiProgram({ held: ['project:read', 'posts:write'] })

  expect((await ask('POST', '/posts', { title: 'Hello' })).status).toBe(201)
  expect((await ask('PATCH', '/site', { isOn: false })).status).toBe(403)
  expect((await ask('POST', '/redirects', { from: '/a', to: '/b' })).status).toBe(403)
})

test('what is wrong is said for each field', async () => {
  const { ask } = await anApiProgram()
  const { status, body } = await ask('POST', '/posts', {
    title: '',
    slug: 'A b',
    body: 'x'.repeat(5_000_000),
  })

  expect(status).toBe(422)
  expect(body).toMatchObject({
    error: {
      problems: [
        { field: 'title', message: 'Give it a title.' },
        { field: 'body', message: expect.stringContaining('The text is 5.0 MB') },
        { field: 'slug' },
      ],
    },
  })
})

test('a picture is uploaded as text, and listed with where it is', async () => {
  const { ask } = await anApiProgram()
  const { status, body } = await ask('POST', '/images', {
    name: 'dot.png',
    data: onePixelPng.toString('base64'),
  })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ name: 'dot.png', width: 1, height: 1, createdBy: 'Script' }),
  ])
  expect(body['address']).toMatch(/^\/_tilth\/images\/[\da-f]{32}\.png$/)
  expect((await ask('GET', '/images')).body).toEqual({ images: [body] })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  expect((await ask('POST', '/images', { data: svg })).status).toBe(422)
  expect((await ask('POST', '/images', { data: 'not base64!' })).status).toBe(422)
})

test('comments are read, let in, kept out and removed', async () => {
  const { ask, product, id: projectId } = await anApiProgram()
  const post = { projectId, id: '1', allowsComments: true }
  const { comment } = requireDone(
    await product.posts.comments.write(post, { name: 'Ben', text: 'Thank you.' }),
  )
  const { body } = await ask('GET', '/comments')
  expect(body).toMatchObject({ comments: [{ id: comment.id, postId: '1', name: 'Ben', state: 'waiting' }] })
  const shown = await ask('PATCH', `/comments/${comment.id}`, { state: 'shown' })
  expect(shown.body).toMatchObject({ state: 'shown', decidedBy: 'Script' })
  expect((await ask('GET', '/comments?state=shown')).body).toMatchObject({ comments: [{ id: comment.id }] })
  expect((await ask('PATCH', `/comments/${comment.id}`, { state: 'waiting' })).status).toBe(422)
  expect((await ask('DELETE', `/comments/${comment.id}`)).status).toBe(200)
  expect((await ask('DELETE', `/comments/${comment.id}`)).status).toBe(422)
})
