import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import {
  aPerson,
  aSharedStudio,
  askApi,
  fitsWindow,
  isUsableInBothThemes,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const visitors = ['ana', 'ben', 'cleo', 'dan', 'eve']

/** A studio whose project has more visitors than are counted one by one. */
const shared = aSharedStudio(
  async (studio) => {
    await send(
      studio,
      visitors.map((distinct_id) =>
        anEvent({ distinct_id, properties: { $session_id: `of-${distinct_id}` } }),
      ),
    )
    await untilStored(studio, visitors.length)
  },
  { TILTH_EXACT_UP_TO: '3' },
)

const note = 'Counted approximately above 3 persons'

async function fitsEverywhere(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1280, 900],
      [390, 844],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await fitsWindow(page)
    }
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Follows the note to the exact numbers, of which no margin is left. */
async function countsExactly(page: Page, address: RegExp): Promise<void> {
  await page.getByRole('link', { name: 'Count exactly' }).first().click()
  await page.waitForURL(address)
  await expect.poll(() => page.getByText('±').count()).toBe(0)
}

test('above the bound, web analytics says its margin, until exact numbers are asked for', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/web?period=7d')

  const figure = page.getByRole('link', { name: /^Visitors 5 ±0.5 %/ })
  await figure.waitFor()
  await page.getByText(note).waitFor()
  await page.getByRole('columnheader', { name: 'Visitors ±0.5 %' }).first().waitFor()
  await isUsableInBothThemes(page)
  await fitsEverywhere(page)

  await countsExactly(page, /\/web\?.*exact=yes/)
  await page.getByRole('link', { name: /^Visitors 5/ }).waitFor()
})

const totals = { kind: 'totals', period: '7d' }
const people = { kind: 'trend', series: [{ event: null, measure: { math: 'persons' } }], period: '7d' }
const card = (id: string, query: object, x: number) => ({
  id,
  place: { x, y: 0, w: 6, h: 6 },
  content: { type: 'question', title: id, question: query },
})

async function create(studio: TestStudio, path: string, body: object): Promise<{ id: string; path: string }> {
  return await askApi(studio, 'POST', `/projects/acme${path}`, body)
}

test('insights, goals and dashboards say it too, and the API; a shared page says it without a link', async () => {
  const studio = await shared(browser)
  const { approximate } = await askApi<{ approximate?: object }>(studio, 'POST', '/projects/acme/query', {
    question: totals,
  })
  expect(approximate).toEqual({ within: 0.005, above: 3 })
  const insight = await create(studio, '/insights', { name: 'Visitors of the week', question: totals })
  await create(studio, '/goals', { name: 'Pricing', goal: { type: 'page', path: '/pricing' } })
  const cards = [card('Visits', totals, 0), card('People', people, 6)]
  const dashboard = await create(studio, '/dashboards', { name: 'Growth', cards })
  const subject = { kind: 'dashboard', id: dashboard.id }
  const share = await create(studio, '/shares', { subject })
  const page = await openOwnerPage(studio)

  await visit(page, `/studio/acme/insights/${insight.id}`)
  await page.getByText(note).waitFor()
  await page.getByText('±0.5 %', { exact: true }).first().waitFor()
  await isUsableInBothThemes(page)
  await fitsEverywhere(page)
  await countsExactly(page, /exact=yes/)

  await visit(page, '/studio/acme/web/goals?period=7d')
  await page.getByText(note).waitFor()
  await page.getByRole('columnheader', { name: 'Conversions ±0.5 %' }).waitFor()
  await isUsableInBothThemes(page)
  await fitsEverywhere(page)
  await countsExactly(page, /\/web\/goals\?.*exact=yes/)

  await visit(page, `/studio/acme/dashboards/${dashboard.id}`)
  await expect.poll(() => page.getByText(note).count()).toBe(cards.length)
  await isUsableInBothThemes(page)
  await fitsEverywhere(page)
  const visits = page.getByRole('region', { name: 'Visits', exact: true })
  await visits.getByRole('link', { name: 'Count exactly' }).click()
  await page.waitForURL(/exact=Visits/)
  await expect.poll(() => visits.getByText('±').count()).toBe(0)
  // the other card stays as it is
  await page.getByText(note).waitFor()

  const guest = await aPerson(studio)
  await guest.goto(share.path)
  await expect.poll(() => guest.getByText(note).count()).toBe(cards.length)
  expect(await guest.getByRole('link', { name: 'Count exactly' }).count()).toBe(0)
  await fitsEverywhere(guest)
})
