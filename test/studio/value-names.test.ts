import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryText } from '#insights/text/query-text'
import { openBrowser } from '../pages/browser'
import { sendUntilTaken } from '../wire/send-again'
import { anEvent, send } from './collecting'
import {
  accessibilityViolations,
  aSharedStudio,
  askApi,
  openOwnerPage,
  type TestStudio,
  visit,
  waitForHydration,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** Cleo and her company X-Ray are in Germany, Dora in France: an import of past events says where they were. */
async function tellWhere(studio: TestStudio): Promise<void> {
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const viewFrom = (distinct_id: string, country: string, properties: object = {}) => ({
    ...anEvent({ distinct_id, properties: { $geoip_country_code: country, ...properties } }),
    timestamp: at,
  })
  await send(
    studio,
    anEvent({
      event: '$identify',
      distinct_id: 'cleo',
      properties: { $set: { name: 'Cleo', country: 'DE' } },
    }),
  )
  await send(
    studio,
    anEvent({
      event: '$groupidentify',
      distinct_id: 'cleo',
      properties: { $group_type: 'company', $group_key: 'c-17', $group_set: { name: 'X-Ray' } },
    }),
  )
  const batch = [viewFrom('cleo', 'DE', { $groups: { company: 'c-17' } }), viewFrom('dora', 'FR')]
  const body = JSON.stringify({ api_key: studio.writeKey, historical_migration: true, batch })
  const headers = { 'content-type': 'application/json' }
  const answer = await sendUntilTaken(() =>
    fetch(`${studio.address}/batch/`, { method: 'POST', headers, body }),
  )
  expect(answer.status).toBe(200)
  const countries = {
    kind: 'totals',
    filter: { type: 'event', key: '$geoip_country_code', operator: 'is_set' },
  }
  await expect
    .poll(
      async () =>
        (
          await askApi<{ answer: { figures: { visitors: number } } }>(
            studio,
            'POST',
            '/projects/acme/query?fresh=1',
            {
              question: countries,
            },
          )
        ).answer.figures.visitors,
    )
    .toBe(2)
}

const shared = aSharedStudio(tellWhere)

const trend = (fields: object) =>
  `/studio/acme/insights/new?q=${queryText({ kind: 'trend', series: [{ event: '$pageview' }], ...fields })}`

const flagIn = (page: Page, name: string) =>
  page.getByRole('row').filter({ hasText: name }).locator('img[src^="/_tilth/country-flags/"]')

test('web analytics names countries and draws their flags, and fetches only those shown', async () => {
  const page = await openOwnerPage(await shared(browser))
  const flags: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/_tilth/country-flags/')) flags.push(`${pathname} ${response.status()}`)
  })
  await visit(page, '/studio/acme/web')
  await page.getByRole('link', { name: 'Countries', exact: true }).click()
  const flag = flagIn(page, 'Germany')
  await flag.scrollIntoViewIfNeeded()
  await expect.poll(() => flag.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect.poll(() => flags.length).toBe(2)
  expect(flags.toSorted()).toEqual(['/_tilth/country-flags/DE.svg 200', '/_tilth/country-flags/FR.svg 200'])
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a chart names the values of a breakdown: countries, and groups by their name', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, trend({ breakdowns: [{ type: 'event', key: '$geoip_country_code' }] }))
  await page.getByText('Germany', { exact: true }).first().waitFor()
  await page.getByText('France', { exact: true }).first().waitFor()
  await page.goto(trend({ breakdowns: [{ type: 'group', group: 'company', key: '$group_key' }] }))
  await page.getByText('X-Ray', { exact: true }).first().waitFor()
})

test('a filter finds a country by its name, and marks one that no event had', async () => {
  const page = await openOwnerPage(await shared(browser))
  const inGermany = { type: 'event', key: '$geoip_country_code', operator: 'exact', value: ['DE'] }
  await visit(page, trend({ filter: inGermany }))
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Remove Germany' }).waitFor()
  const values = page.getByRole('combobox', { name: /: value$/ })
  await values.fill('franc')
  await page.getByRole('option', { name: /^France/ }).waitFor()
  await values.fill('switz')
  await page.getByRole('option', { name: /^Switzerland.*No events with it/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a person’s page names their country and their company', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/people')
  await page.getByRole('link', { name: 'Cleo' }).click()
  await page.getByRole('heading', { name: 'Cleo' }).waitFor()
  const properties = page.getByRole('region', { name: 'Properties' })
  await properties.getByText('Germany', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'X-Ray' }).waitFor()
})

test('the estimate of a flag links to the list of the people it counts, a visitor among them', async () => {
  const studio = await shared(browser)
  const inFrance = { type: 'person', key: '$geoip_country_code', operator: 'exact', value: ['FR'] }
  const environments = { production: { isOn: false, conditions: [{ conditions: [inFrance] }] } }
  await askApi(studio, 'POST', '/projects/acme/flags', { key: 'bonjour', environments })
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/flags/bonjour')
  await page.getByText(/Matches 1 of the 2 people of the last 30 days/).waitFor()
  await page.getByText(/by their last known place and device/).waitFor()
  await page.getByRole('link', { name: 'Show this person' }).click()
  await page.waitForURL(/\/people\?.*filter=/)
  await page.getByRole('heading', { name: '1 person' }).waitFor()
  await page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'dora' }).waitFor()
})
