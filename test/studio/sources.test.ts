import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import {
  aSharedStudio,
  askApi,
  chooseOption,
  isUsable,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** A visitor comes from somewhere, looks at another page, and signs up. */
async function signsUp(studio: TestStudio, person: string, properties: object): Promise<void> {
  const timestamp = daysAgo(15)
  const visitor = `visitor-${person}`
  const opened = { $current_url: 'https://shop.example.com/', ...properties }
  await send(studio, { ...anEvent({ distinct_id: visitor, properties: opened }), timestamp })
  await send(studio, {
    ...anEvent({ distinct_id: visitor, properties: { $referrer: 'https://shop.example.com/' } }),
    timestamp: new Date(Date.parse(timestamp) + 60_000).toISOString(),
  })
  const identified = { event: '$identify', distinct_id: person, properties: { $anon_distinct_id: visitor } }
  const later = new Date(Date.parse(timestamp) + 120_000).toISOString()
  await send(studio, { ...anEvent(identified), timestamp: later })
  await send(studio, { ...anEvent({ event: 'signup', distinct_id: person }), timestamp: later })
}

/** Ana found the shop by a search and came back; Ben read the newsletter and did not. Two visitors came today. */
async function tell(studio: TestStudio): Promise<void> {
  await signsUp(studio, 'ana', { $referrer: 'https://www.google.com/' })
  await signsUp(studio, 'ben', {
    $current_url: 'https://shop.example.com/?utm_source=newsletter&utm_medium=email',
  })
  await send(studio, { ...anEvent({ event: 'ordered', distinct_id: 'ana' }), timestamp: daysAgo(8) })
  await send(studio, anEvent({ distinct_id: 'cem' }))
  await send(studio, anEvent({ event: 'signup', distinct_id: 'cem' }))
  await send(studio, anEvent({ distinct_id: 'dana' }), iPhone)
  const question = { kind: 'trend', period: '30d', series: [{ event: null }] }
  const told = () =>
    askApi<{ answer: { lines: { total: number }[] } }>(studio, 'POST', '/projects/acme/query?fresh=1', {
      question,
    })
  await expect.poll(async () => (await told()).answer.lines[0]?.total).toBe(12)
}

const shared = aSharedStudio(tell)

async function choose(page: Page, box: string, option: string | RegExp) {
  await openList(page.getByRole('combobox', { name: box, exact: true }))
  await chooseOption(page, option)
}

/** The form comes a moment after its page. */
const untilBuilt = (page: Page) =>
  page.getByRole('switch', { name: 'Filter out internal and test users' }).waitFor()

test('which source brings sign-ups that come back', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/insights/new?kind=retention')
  await untilBuilt(page)
  await choose(page, 'Starts with', /^signup/i)
  await page.getByRole('switch', { name: 'Same as start event' }).click()
  await page.getByRole('combobox', { name: 'Returns with', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Add breakdown' }).fill('First-touch')
  await chooseOption(page, /^First-touch source/)

  const ofAll = (source: string) =>
    page.getByRole('table', { name: `Cohorts: ${source}` }).getByRole('row', { name: /^All/ })
  await expect.poll(() => ofAll('Google').innerText()).toMatch(/^All\s+1\s+100%\s+100%/)
  await expect.poll(() => ofAll('Newsletter').innerText()).toMatch(/^All\s+1\s+100%\s+0%/)
  await isUsable(page)
})

test('this week’s funnel by device', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/insights')
  await page.getByRole('link', { name: 'Conversion and drop-off between steps' }).click()
  await untilBuilt(page)
  await choose(page, 'Step 2', /^signup/i)
  await page.getByRole('button', { name: /^Date range/ }).click()
  await page.getByRole('button', { name: 'This week' }).click()
  await page.getByRole('button', { name: 'Date range: This week' }).waitFor()
  await page.getByRole('combobox', { name: 'Add breakdown' }).fill('Device')
  await chooseOption(page, /^Device(?! id)/)

  await page.getByRole('link', { name: 'Desktop, signup: 1 persons' }).waitFor()
  await page.getByRole('link', { name: 'Mobile, signup: 1 persons dropped off before' }).waitFor()
})

test('a person shows where they came from at first', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/people')
  await page.getByRole('link', { name: 'ana', exact: true }).click()
  const properties = page.getByRole('region', { name: 'Properties' })
  await properties.getByText('First-touch channel').waitFor()
  await properties.getByText('Organic Search', { exact: true }).waitFor()
})
