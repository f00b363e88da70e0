import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryText } from '#insights/text/query-text'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import { askApi, aStudio, inAnotherProject, openOwnerPage, type TestStudio, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const visitors = { kind: 'totals', period: '7d' }

/** The sections of a project, and the words in each that say that one person was here. */
const sections: readonly [path: string, says: RegExp][] = [
  ['', /Visitors\s+1\b/],
  ['/web', /Visitors\s+1\b/],
  ['/web/now', /1 visitor|Visitors\s+1\b/],
  [`/insights/new?q=${encodeURIComponent(queryText(visitors))}`, /Visitors\s+1\b/],
  ['/live', /Page view/],
  ['/people', /1 person/],
  ['/settings/events', /Page view/],
]

/** The words of a section once all its answers are there. */
async function wordsIn(page: Page, studio: TestStudio, path: string): Promise<string> {
  await visit(page, `/studio/${studio.slug}${path}`)
  const main = page.locator('main')
  const loading = main.locator('[aria-busy=true]')
  await expect.poll(async () => (await loading.count()) === 0 && (await main.innerText()) !== '').toBe(true)
  return await main.innerText()
}

async function aDashboard(studio: TestStudio): Promise<string> {
  const cards = [{ content: { type: 'question', title: 'Seen', question: visitors } }]
  const { id } = await askApi<{ id: string }>(
    studio,
    'POST',
    `/projects/${studio.slug}/dashboards`,
    { name: 'Growth', cards },
    studio.secretKey,
  )
  return `/dashboards/${id}`
}

const stored = async (studio: TestStudio): Promise<unknown> => {
  const path = `/projects/${studio.slug}/query?fresh`
  const sql = 'select count() from events'
  const { rows } = await askApi<{ rows: unknown[][] }>(studio, 'POST', path, { sql }, studio.secretKey)
  return rows[0]?.[0]
}

test('the first visit is in every section as soon as it is stored', async () => {
  const studio = inAnotherProject(await aStudio(browser))
  const page = await openOwnerPage(studio)
  const all = [...sections, [await aDashboard(studio), /Visitors\s+1\b/] as const]
  for (const [path, says] of all) expect(await wordsIn(page, studio, path)).not.toMatch(says)

  expect(await send(studio, anEvent())).toBe(200)
  await expect.poll(() => stored(studio), { interval: 20 }).toBe(1)

  for (const [path, says] of all) expect(await wordsIn(page, studio, path)).toMatch(says)
})

test('pages that are open show the first visit without a reload', async () => {
  const studio = inAnotherProject(await aStudio(browser))
  const page = await openOwnerPage(studio)
  const shown = [
    ...sections.filter(([path]) => /^$|^\/web$|^\/insights/.test(path)),
    [await aDashboard(studio), /Visitors\s+1\b/] as const,
  ]
  const tabs = await Promise.all(
    shown.map(async ([path, says]) => {
      const tab = await page.context().newPage()
      const live = tab.waitForResponse((response) => response.url().includes('/_tilth/live/'))
      expect(await wordsIn(tab, studio, path)).not.toMatch(says)
      await live
      return { main: tab.locator('main'), says }
    }),
  )

  expect(await send(studio, anEvent())).toBe(200)

  for (const { main, says } of tabs) await expect.poll(() => main.innerText()).toMatch(says)
})
