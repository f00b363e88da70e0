import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator } from '#projects/access'
import { aFront, type TestFront } from '../pages/fixture'

let site: TestFront
const editor = operator('tests')

beforeAll(async () => {
  site = await aFront()
  await site.pages.ready()
})

afterAll(() => site?.close())

const agent = (n: number) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.${n}.0 Safari/537.36`

async function read(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(site.address + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'user-agent': agent(1), ...headers },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function aPost(title: string, publishing: object = {}): Promise<{ id: string; path: string }> {
  const { product, projectId } = site
  const made = await product.posts.create(projectId, { kind: 'post', title, body: `About ${title}.` }, editor)
  if (!made.done) throw new Error(JSON.stringify(made.problems))
  const { id, slug } = made.post
  const published = await product.posts.publish(projectId, id, publishing, editor)
  if (!published.done) throw new Error(JSON.stringify(published.problems))
  await product.posts.published.caughtUp()
  return { id, path: `/blog/${slug}` }
}

const eventually = (status: number, path: string) =>
  expect.poll(async () => (await read(path)).status).toBe(status)

test('a post is there once it is published, comes from memory from then on, and is gone when it is taken back', async () => {
  const { id, path } = await aPost('Beans')
  await eventually(200, path)
  await expect.poll(async () => (await read(path)).headers.get('x-tilth-cache')).toBe('hit')
  await site.product.posts.unpublish(site.projectId, id, editor)
  await eventually(404, path)
})

interface ScheduledPost {
  title: string
  path: string
  /** The list, and the status of the post's own address, before it appeared. */
  before: { list: string; status: number }
}

/** Schedules a post and reads before it appears; where that takes longer than it has, a post that has longer. */
async function readBefore(hasMs: number): Promise<ScheduledPost> {
  const title = `Peas of ${hasMs}`
  const at = Date.now() + hasMs
  const { path } = await aPost(title, { at: new Date(at).toISOString() })
  const before = { list: (await read('/blog')).text, status: (await read(path)).status }
  return Date.now() < at ? { title, path, before } : await readBefore(4 * hasMs)
}

test('a scheduled post appears on time, also where a list without it is kept', async () => {
  const { title, path, before } = await readBefore(4000)
  expect(before.list).not.toContain(title)
  expect(before.status).toBe(404)
  await expect.poll(async () => (await read('/blog')).text).toContain(title)
  await eventually(200, path)
})

test('who is shown which title is decided before the page, is kept for all who see the same, and is told once', async () => {
  const { id } = await aPost('Squash')
  const { product, projectId } = site
  const trial = { variants: [{ title: 'Courgettes' }], metric: 'clicks' }
  const started = await product.posts.startTrial(projectId, id, trial, editor)
  if (!started.done) throw new Error(JSON.stringify(started.problems))
  await product.posts.published.caughtUp()
  const key = started.post.trial?.key ?? ''
  // until the pages know of it as well
  await expect.poll(async () => (await read('/blog')).text).toContain(`data-flag="${key}"`)

  const titles = new Map<string, Set<number>>()
  // so many that both titles are shown, whatever the salt of the day
  const visitors = Array.from({ length: 32 }, (_, n) => 100 + n)
  for (const n of [...visitors, ...visitors]) {
    const { text } = await read('/blog', { 'user-agent': agent(n) })
    const title = ['Squash', 'Courgettes'].find((one) => text.includes(`>${one}<`)) ?? 'none'
    titles.set(title, (titles.get(title) ?? new Set()).add(n))
  }
  const [originals, others] = ['Squash', 'Courgettes'].map((title) => titles.get(title) ?? new Set<number>())
  // the same visitor never sees both
  expect((originals?.size ?? 0) + (others?.size ?? 0)).toBe(visitors.length)
  expect([...titles.keys()].toSorted()).toEqual(['Courgettes', 'Squash'])

  await expect.poll(() => viewsBy(visitors).length).toBe(2 * visitors.length)
  const exposures = eventsBy(visitors).filter(({ name }) => name === '$feature_flag_called')
  expect(exposures).toHaveLength(visitors.length)
  expect(new Set(exposures.map(({ properties }) => properties['$feature_flag']))).toEqual(new Set([key]))
})

/** The recorded events of these visitors, who are told apart by their browsers. */
function eventsBy(visitors: readonly number[]) {
  const agents = visitors.map(agent)
  return site.noted
    .filter(({ envelope }) => agents.includes(envelope.userAgent))
    .flatMap(({ events }) => events)
}

const viewsBy = (visitors: readonly number[]) => eventsBy(visitors).filter(({ name }) => name === '$pageview')

test('readers of feeds are given one at the same address', async () => {
  const { headers, text } = await read('/blog', { accept: 'application/feed+json' })
  expect(headers.get('content-type')).toContain('application/feed+json')
  expect(JSON.parse(text)).toMatchObject({ version: 'https://jsonfeed.org/version/1.1' })
})

test.each(['/blog.json', '/blog/seen/made-up', '/_next/data/x/blog.json'])(
  '%s is not taken for the list',
  async (path) => {
    const { status, headers } = await read(path)
    expect([200, 308, 404]).toContain(status)
    if (status === 200) expect(headers.get('content-type')).not.toContain('text/html')
    if (status === 308) expect(headers.get('location')).toBe('/blog')
  },
)

test('a forged visit reaches no one', async () => {
  const forged = { projectId: site.projectId, visitor: 'eve', decisions: {}, payloads: {}, withheld: [] }
  const header = Buffer.from(JSON.stringify(forged)).toString('base64url')
  const { status } = await read('/blog', { 'x-tilth-visit': header, 'user-agent': agent(10) })
  expect(status).toBe(200)
  await expect.poll(() => viewsBy([10]).length).toBe(1)
  expect(JSON.stringify(eventsBy([10]))).not.toContain('eve')
})
