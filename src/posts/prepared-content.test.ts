import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { aPost } from '#test/product/posts'
import { operator } from '#projects/access'
import type { Post } from './post'
import { PreparedContent } from './prepared-content'
import { SummaryFile } from './internal/summary-file'
import { type Site, defaultSite } from './site'

const you = operator('Ana')
const site: Site = {
  ...defaultSite,
  name: 'Acme',
  projectId: 1,
  origin: 'https://acme.example',
  timeZone: 'UTC',
  writeKey: 'phc_x',
}

const written = (number: number): Post =>
  aPost({
    id: String(number),
    slug: `post-${number}`,
    title: `Post ${number}`,
    body: `Post *${number}* begins here.`,
  })

/** Makes many posts of one project, which change when a test says so. */
function aBlogOf(posts: readonly Post[], file?: Pick<SummaryFile, 'read' | 'write'>) {
  let all = posts
  const listeners = new Set<(projectId: number) => void>()
  const unexpected = vi.fn<(problem: unknown) => void>()
  let turns = 0
  let held: Promise<void> | undefined
  const prepared = new PreparedContent({
    published: {
      everything: () => all,
      posts: () => all,
      pages: () => [],
      site: () => site,
      authors: () => [],
      projectIds: () => [1],
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    now: () => new Date(),
    onTrouble: unexpected,
    yieldToOthers: async () => {
      turns++
      await nextTurn()
      await held
    },
    sliceMs: 0,
    maxWaitMs: 10,
    file,
  })
  onTestFinished(async () => {
    await prepared.close()
    expect(unexpected).not.toHaveBeenCalled()
  })
  return {
    prepared,
    turns: () => turns,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    change: (to: readonly Post[]) => {
      all = to
      for (const listener of listeners) listener(1)
    },
  }
}

const many = Array.from({ length: 2000 }, (_, place) => written(2000 - place))

test('while llms.txt of two thousand posts is made, others are answered between any two posts', async () => {
  const { prepared, turns } = aBlogOf(many)
  let answered = 0
  const over = new AbortController()
  const others = (async () => {
    while (!over.signal.aborted) {
      await nextTurn()
      answered++
    }
  })()
  prepared.prepareAll()
  await prepared.settled()
  over.abort()
  await others

  expect(turns()).toBeGreaterThan(many.length)
  expect(answered).toBeGreaterThan(many.length)
  const { text = '', isCurrent } = (await prepared.llms(1)) ?? {}
  expect(isCurrent).toBe(true)
  expect(text.match(/^- \[Post \d+\]/gm)).toHaveLength(many.length)
  expect(text).toContain('(https://acme.example/blog/post-7.md): Post 7 begins here.')
})

test('a change of one post costs the reading of one, and the previous text is served meanwhile', async () => {
  const { prepared, turns, change } = aBlogOf(many.slice(0, 500))
  prepared.prepareAll()
  await prepared.settled()
  const before = turns()

  change([aPost({ id: 'new', slug: 'new', title: 'Quite new', body: 'Just now.' }), ...many.slice(0, 499)])
  const meanwhile = await prepared.llms(1)
  expect(meanwhile?.isCurrent).toBe(false)
  expect(meanwhile?.text).not.toContain('Quite new')
  expect(await prepared.search(1, 'quite', new Date())).toEqual([])

  await prepared.settled()
  expect(await prepared.llms(1)).toMatchObject({
    isCurrent: true,
    text: expect.stringContaining('Quite new'),
  })
  expect(await prepared.search(1, 'quite', new Date())).toMatchObject([{ id: 'new' }])
  // one body, and the shares of the index; no other body is read again
  expect(turns() - before).toBeLessThan(100)
})

test('posts are found while their first index is being made', async () => {
  const { prepared } = aBlogOf(many)
  prepared.prepareAll()
  let isIndexed = false
  void prepared.settled().then(() => (isIndexed = true))
  expect(await prepared.search(1, 'post 1977 begins', new Date())).toMatchObject([{ id: '1977' }])
  expect(isIndexed).toBe(false)
  await prepared.settled()
})

test('what was taken back is not found, though the index has not been made again yet', async () => {
  const { prepared, change } = aBlogOf(many.slice(0, 3))
  expect(await prepared.search(1, 'begins', new Date())).toHaveLength(3)
  change(many.slice(1, 3))
  expect(await prepared.search(1, 'begins', new Date())).toHaveLength(2)
})

test('llms.txt is bounded, and says where the rest is named', async () => {
  const { prepared } = aBlogOf(
    Array.from({ length: 6000 }, (_, place) =>
      aPost({ id: String(place), title: `T${place}`, excerpt: 'e' }),
    ),
  )
  prepared.prepareAll()
  await prepared.settled()
  const { text = '' } = (await prepared.llms(1)) ?? {}
  expect(text.match(/^- \[T\d+\]/gm)).toHaveLength(5000)
  expect(text).toContain('https://acme.example/sitemap.xml')
})

test('a first text that takes too long is given up on, and is there later', async () => {
  const { prepared, hold } = aBlogOf(many.slice(0, 1))
  const letGo = hold()
  expect(await prepared.llms(1)).toBeUndefined()
  letGo()
  await prepared.settled()
  expect(await prepared.llms(1)).toMatchObject({ text: expect.stringContaining('Post 2000') })
})

describe('feeds and lists', () => {
  test('yield to others between posts, and read a body once', async () => {
    const { prepared, turns } = aBlogOf(many)
    const feed = { address: '/blog.json', title: 'Acme' }
    const first = await prepared.feed('json', site, many, feed)
    expect(JSON.parse(first).items).toHaveLength(50)
    const afterFirst = turns()
    expect(afterFirst).toBeGreaterThanOrEqual(50)

    expect(await prepared.feed('json', site, many, feed)).toBe(first)
    expect(turns()).toBe(afterFirst)
    const summaries = await prepared.summaries(many.slice(0, 10))
    expect(summaries[0]).toEqual({ opening: expect.stringContaining('Post 2000 begins here.'), minutes: 1 })
  })
})

test('a published post is found by words in it, the best first, and not before its time', async () => {
  const { product, world, aProject } = await openTestProduct()
  const { id } = await aProject()
  const publish = async (overrides: { title: string } & Record<string, unknown>, at?: string) => {
    const { post } = requireDone(await product.posts.create(id, overrides, you))
    requireDone(await product.posts.publish(id, post.id, { at }, you))
  }
  await publish({ title: 'Growing apples', body: 'On trees' })
  await publish({ title: 'Pears', body: 'Unlike apples. [x](https://example.com/cherries)' })
  await publish({ title: 'Über Äpfel', tags: ['Obst'] })
  await publish({ title: 'Apples to come' }, '2026-03-02T11:00')
  const found = async (words: string) =>
    (await product.posts.prepared.search(id, words, world.now())).map(({ title }) => title)

  expect(await found('apples')).toEqual(['Growing apples', 'Pears'])
  expect(await found('appl tree')).toEqual(['Growing apples'])
  expect(await found('apfel')).toEqual(['Über Äpfel'])
  expect(await found('OBST')).toEqual(['Über Äpfel'])
  expect([await found('cherries'), await found('')]).toEqual([[], []])
  world.advance('1 hour')
  expect(await found('apples')).toContain('Apples to come')
})

describe('after a restart', () => {
  const keyOf = ({ body }: Post): string => hash('sha256', body, 'base64url')

  test('summaries that were kept are not made again, and those of new posts are kept with them', async () => {
    const [known, added] = [written(1), written(2)]
    const kept = new Map([[keyOf(known), 'As it was kept.']])
    const write = vi.fn<SummaryFile['write']>(async () => {})
    const { prepared } = aBlogOf([known, added], { read: async () => kept, write })
    expect(await prepared.summaries([known, added])).toEqual([
      { opening: 'As it was kept.', minutes: 1 },
      { opening: 'Post 2 begins here.', minutes: 1 },
    ])
    prepared.prepareAll()
    await prepared.settled()
    expect(write.mock.lastCall).toEqual([
      new Map([
        [keyOf(known), 'As it was kept.'],
        [keyOf(added), 'Post 2 begins here.'],
      ]),
    ])
  })

  test('a file is read by the build that has written it; a damaged one counts as absent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tilth-summaries-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const summaries = new Map([['a', 'Hello']])
    const file = new SummaryFile(folder, 'one')
    await file.write(summaries)
    expect(await new SummaryFile(folder, 'one').read()).toEqual(summaries)
    expect(await new SummaryFile(folder, 'two').read()).toEqual(new Map())
    const [name = ''] = await readdir(folder)
    await writeFile(join(folder, name), '{"a": 1}')
    expect(await file.read()).toEqual(new Map())
  })
})
