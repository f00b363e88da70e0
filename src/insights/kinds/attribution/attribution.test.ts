import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { AttributionAnswer } from '#insights/kinds/attribution/attribution'

const testEngine = anEngine()

const reads = (person: string, path: string, at: number): TestEvent => ({
  person,
  event: '$pageview',
  at,
  columns: { path },
})
const buys = (person: string, at: number, revenue = 0): TestEvent => ({
  person,
  event: 'bought',
  at,
  columns: { revenue },
})

const day = 24 * 60
const pages = [['/blog/a'], ['/blog/b', '/blog/old-b']]
const query = {
  kind: 'attribution',
  period: '2026-03-02..2026-03-31',
  goal: { type: 'event', event: 'bought' },
  pages,
}

test('each time counts for one page: the first or the last one read before', async () => {
  const project = await testEngine.addProject([
    reads('ana', '/blog/a', 0),
    reads('ana', '/blog/old-b', 10),
    reads('ana', '/pricing', 20),
    buys('ana', 30, 50),
    reads('ben', '/blog/a', 0),
    buys('ben', 1, 20),
    buys('ben', 2, 5),
    // no page was read before
    buys('cleo', 0, 100),
    reads('cleo', '/blog/a', 1),
  ])
  const byLast = await testEngine.ask<AttributionAnswer>(project, query)
  expect(byLast).toEqual({
    pages: [
      { page: '/blog/a', persons: 1, times: 2, revenue: 25 },
      { page: '/blog/b', persons: 1, times: 1, revenue: 50 },
    ],
    led: { persons: 2, times: 3, revenue: 75 },
    all: { persons: 3, times: 4, revenue: 175 },
  })
  const byFirst = await testEngine.ask<AttributionAnswer>(project, { ...query, attribution: 'first' })
  expect(byFirst.pages).toEqual([{ page: '/blog/a', persons: 2, times: 3, revenue: 75 }])
})

test('what was read too long ago led to nothing; days are of 24 hours', async () => {
  const project = await testEngine.addProject([
    reads('ana', '/blog/a', 0),
    reads('ana', '/blog/b', 3 * day),
    buys('ana', 10 * day),
    reads('ben', '/blog/a', 0),
    buys('ben', 7 * day),
    reads('cleo', '/blog/a', 0),
    buys('cleo', 7 * day + 1),
  ])
  const { pages: found } = await testEngine.ask<AttributionAnswer>(project, {
    ...query,
    attribution: 'first',
    days: 7,
  })
  expect(found).toEqual([
    { page: '/blog/a', persons: 1, times: 1, revenue: 0 },
    { page: '/blog/b', persons: 1, times: 1, revenue: 0 },
  ])
})

test('reading before the period counts, buying before it does not', async () => {
  const project = await testEngine.addProject([
    reads('ana', '/blog/a', -2 * day),
    buys('ana', -day),
    buys('ana', day),
  ])
  const { pages: found } = await testEngine.ask<AttributionAnswer>(project, query)
  expect(found).toEqual([{ page: '/blog/a', persons: 1, times: 1, revenue: 0 }])
})

test('a robot’s reading leads to nothing', async () => {
  const robot: TestEvent = { ...reads('ana', '/blog/a', 0), columns: { path: '/blog/a', traffic: 'bot' } }
  const project = await testEngine.addProject([robot, buys('ana', 1)])
  expect(await testEngine.ask<AttributionAnswer>(project, query)).toMatchObject({
    pages: [],
    all: { persons: 1 },
  })
})

test.each([
  [{ goal: undefined }, /This is missing/],
  [{ days: 0 }, /Use at least one day/],
  [{ days: 366 }, /Use at most 365 days/],
  [{ attribution: 'linear' }, /Choose one of first, last/],
])('%o cannot be answered', async (more, sentence) => {
  await expect(testEngine.ask(1, { ...query, ...more })).rejects.toThrow(sentence)
})
