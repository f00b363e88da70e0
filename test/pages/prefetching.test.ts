import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisitor, isMarked, markWindow, openBrowser } from './browser'
import { aFront, type TestFront } from './fixture'

let site: TestFront
let browser: Browser

beforeAll(async () => {
  site = await aFront()
  browser = await openBrowser()
  await site.pages.ready()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** Keeps every payload until it is let go, and remembers how many were ever kept at once. */
async function holdPayloads(page: Page) {
  const held: { path: string; route: Route }[] = []
  const hold = { most: 0, total: 0, held, letOneGo: async () => held.shift()?.route.continue() }
  await page.route(
    (url) => url.searchParams.has('_rsc'),
    (route) => {
      held.push({ path: new URL(route.request().url()).pathname, route })
      hold.most = Math.max(hold.most, held.length)
      hold.total += 1
    },
  )
  return hold
}

test('no more than five pages are prefetched at once, however many links are in view', async () => {
  const { page } = await aVisitor(browser, site.address)
  const hold = await holdPayloads(page)
  await page.goto('/provoked/many')

  await expect.poll(() => hold.held.length).toBe(5)
  const reached = new Set<string>()
  while (reached.size < 20) {
    await expect.poll(() => hold.held.length).toBeGreaterThan(0)
    for (const { path } of hold.held) reached.add(path)
    await hold.letOneGo()
  }

  expect(hold.most).toBe(5)
})

test('not even for a link under the pointer, which is only the next in line', async () => {
  const { page } = await aVisitor(browser, site.address)
  const hold = await holdPayloads(page)
  await page.goto('/provoked/many')
  await expect.poll(() => hold.held.length).toBe(5)

  for (const name of ['18', '19', '20']) await page.getByRole('link', { name, exact: true }).hover()
  await hold.letOneGo()
  await expect.poll(() => hold.total).toBe(6)

  expect(hold.held.at(-1)?.path).toBe('/provoked/many/20')
  expect(hold.most).toBe(5)
})

test.each([
  ['is shown without asking again for 300 s', 295_000, false],
  ['is asked for again after 300 s', 305_000, true],
])('a prefetched page %s', async (_what, afterMs, asksAgain) => {
  const { page, requests } = await aVisitor(browser, site.address)
  const now = Date.now()
  await page.clock.setFixedTime(now)
  await page.goto('/provoked/prefetched', { waitUntil: 'networkidle' })
  await expect.poll(() => requests).toContain('payload /provoked/many/1')
  await markWindow(page)
  requests.length = 0

  await page.clock.setFixedTime(now + afterMs)
  await page.getByRole('link', { name: 'one' }).click()
  await page.getByRole('heading', { name: 'Number 1' }).waitFor()

  expect(await isMarked(page)).toBe(true)
  expect(requests.includes('payload /provoked/many/1')).toBe(asksAgain)
})
