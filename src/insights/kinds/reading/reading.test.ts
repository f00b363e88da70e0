import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { ReadingAnswer } from './answer'

const testEngine = anEngine()

const opens = (person: string, path: string, at: number, more: Partial<TestEvent> = {}): TestEvent => ({
  person,
  event: '$pageview',
  at,
  ...more,
  columns: { path, ...more.columns },
})

/** Reads on: so far, for so long. */
const reads = (person: string, path: string, at: number, depth: number, seconds: number): TestEvent => ({
  person,
  event: '$engagement',
  at,
  columns: { path, scroll_depth: depth, engaged_ms: seconds * 1000 },
})

const query = { kind: 'reading', period: '2026-03-02..2026-03-03', interval: 'day' }

test('who opened a page, who got through it, and how long half of them took', async () => {
  const project = await testEngine.addProject([
    opens('ana', '/blog/hello', 0),
    reads('ana', '/blog/hello', 1, 40, 30),
    // back again: in all, she read it through
    opens('ana', '/blog/hello', 24 * 60),
    reads('ana', '/blog/hello', 24 * 60 + 1, 75, 90),
    opens('ben', '/blog/hello', 2),
    reads('ben', '/blog/hello', 3, 74, 10),
    opens('cleo', '/blog/hello', 4),
    opens('a robot', '/blog/hello', 5, { columns: { traffic: 'bot' } }),
    opens('dan', '/pricing', 6),
  ])
  const answer = await testEngine.ask<ReadingAnswer>(project, { ...query, pages: [['/blog/hello']] })
  expect(answer.pages).toEqual([
    // the time of cleo is unknown: her browser told nothing
    { page: '/blog/hello', views: 4, readers: 3, readThrough: 1 / 3, engagedMs: 65_000 },
  ])
  expect(answer.course).toEqual([
    { views: 3, readers: 3 },
    { views: 1, readers: 1 },
  ])
})

test('a page that moved is one page, and a reader of both addresses is one reader', async () => {
  const project = await testEngine.addProject([
    opens('ana', '/blog/old', 0),
    opens('ana', '/blog/new', 1),
    reads('ana', '/blog/old', 2, 90, 60),
    opens('ben', '/blog/other', 3),
  ])
  const { pages, readers, views } = await testEngine.ask<ReadingAnswer>(project, {
    ...query,
    pages: [['/blog/new', '/blog/old'], ['/blog/other']],
  })
  expect(pages).toEqual([
    { page: '/blog/new', views: 2, readers: 1, readThrough: 1, engagedMs: 60_000 },
    { page: '/blog/other', views: 1, readers: 1, readThrough: 0, engagedMs: null },
  ])
  expect([readers, views]).toEqual([2, 3])
})

test('what a view tells of the page before is that page’s', async () => {
  const project = await testEngine.addProject([
    opens('ana', '/blog/a', 0),
    opens('ana', '/blog/b', 1, {
      columns: { scroll_depth: 80, engaged_ms: 5000 },
      properties: { $prev_pageview_pathname: '/blog/a' },
    }),
  ])
  const { pages } = await testEngine.ask<ReadingAnswer>(project, query)
  expect(pages).toEqual([
    { page: '/blog/a', views: 1, readers: 1, readThrough: 1, engagedMs: 5000 },
    { page: '/blog/b', views: 1, readers: 1, readThrough: 0, engagedMs: null },
  ])
})

test('readers come from where their visit began, not from the page before', async () => {
  const project = await testEngine.addProject([
    opens('ana', '/', 0, { session: 'one', columns: { source: 'Google', channel: 'Organic Search' } }),
    opens('ana', '/blog/a', 1, { session: 'one', columns: { source: '', channel: 'Direct' } }),
    opens('ben', '/blog/a', 2, { session: 'two', columns: { source: '', channel: 'Direct' } }),
    opens('cleo', '/blog/a', 3, { session: 'three', columns: { source: '', channel: 'Direct' } }),
  ])
  const { sources, channels } = await testEngine.ask<ReadingAnswer>(project, {
    ...query,
    pages: [['/blog/a']],
  })
  expect(sources).toEqual([
    { name: null, readers: 2 },
    { name: 'Google', readers: 1 },
  ])
  expect(channels).toEqual([
    { name: 'Direct', readers: 2 },
    { name: 'Organic Search', readers: 1 },
  ])
})

test('a reader who opened the page before the period is not counted', async () => {
  const project = await testEngine.addProject([
    opens('ana', '/blog/a', -24 * 60),
    reads('ana', '/blog/a', 1, 90, 60),
  ])
  expect(await testEngine.ask<ReadingAnswer>(project, query)).toMatchObject({
    pages: [],
    readers: 0,
    views: 0,
  })
})

test.each([
  [{ pages: [] }, 'Name a page.'],
  [{ pages: [[]] }, 'Name an address of each page.'],
  [{ pages: [['blog/a']] }, 'Begin an address with "/", such as "/blog/hello".'],
  [{ pages: '/blog/a' }, 'List pages, each as a list of its addresses, such as [["/blog/hello"]].'],
  [
    { period: '2000-01-01..2026-03-02', interval: 'day' },
    'The date range is too long for intervals of one day. Choose a longer interval.',
  ],
])('%o cannot be answered', async (more, sentence) => {
  await expect(testEngine.ask(1, { ...query, ...more })).rejects.toThrow(sentence)
})
