import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import {
  openOwnerPage,
  accessibilityViolations,
  horizontalOverflow,
  type TestStudio,
  waitForHydration,
  visit,
  aSharedStudio,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Three people: two read the pricing, one of them orders. */
async function tell(studio: TestStudio) {
  const looked = (who: string, path: string, event = '$pageview') =>
    anEvent({
      event,
      distinct_id: who,
      properties: { $current_url: `https://shop.example.com${path}`, $session_id: undefined },
    })
  for (const event of [
    looked('ana', '/'),
    looked('ben', '/'),
    looked('ben', '/pricing'),
    looked('cem', '/pricing'),
    looked('cem', '/thanks'),
    looked('cem', '/=cmd()'),
  ])
    expect(await send(studio, event)).toBe(200)
}

const shared = aSharedStudio(tell)

const visitors = async (page: Page) =>
  (
    await page
      .getByRole('link', { name: /^Visitors/ })
      .first()
      .textContent()
  )?.match(/\d+/)?.[0]

/** Until what was sent can be asked about. */
async function untilCounted(page: Page, count: string) {
  await expect
    .poll(
      async () => {
        await visit(page, '/studio/acme/web?compare=none')
        return await visitors(page)
      },
      { timeout: 15_000 },
    )
    .toBe(count)
}

test('a press on a row narrows the page, the address keeps it, and the way back undoes it', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await untilCounted(page, '3')
  await waitForHydration(page)

  await page.getByRole('link', { name: '/pricing', exact: true }).first().click()
  await expect.poll(() => visitors(page)).toBe('2')
  expect(new URL(page.url()).searchParams.get('page')).toBe('/pricing')

  await page.getByRole('button', { name: /Page is/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect.poll(() => visitors(page)).toBe('3')
  await page.goBack()
  await expect.poll(() => visitors(page)).toBe('2')

  await page.getByRole('button', { name: 'Save as a segment…' }).click()
  await page.getByLabel('Name').fill('Interested')
  await page.getByRole('button', { name: 'Save the segment' }).click()
  await page.getByText('Segment saved').waitFor()

  await visit(page, '/studio/acme/web/goals')
  await page.getByRole('button', { name: 'New goal…' }).click()
  await page.getByLabel('Page', { exact: true }).fill('thanks')
  await page.getByLabel('Name').fill('Ordered')
  await page.getByRole('button', { name: 'Set the goal' }).click()
  await page.getByText('Begin a page with').waitFor()
  await page.getByLabel('Page', { exact: true }).fill('/thanks')
  await page.getByRole('button', { name: 'Set the goal' }).click()
  await page.getByText('Goal set').waitFor()
  await page.getByText('Interested').waitFor()

  await page
    .getByRole('row', { name: /Ordered/ })
    .getByRole('link', { name: 'Show' })
    .click()
  await page.getByRole('link', { name: /^Conversion rate/ }).waitFor()
  await page.getByRole('columnheader', { name: 'Conversion' }).first().waitFor()
})

test('a panel is to be had as a file, and every view fits a telephone', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio, { viewport: { width: 390, height: 844 } })
  await untilCounted(page, '3')

  const href = await page.getByRole('link', { name: 'All pages as CSV' }).getAttribute('href')
  const file = await page.request.get(href ?? '')
  expect(file.headers()['content-type']).toContain('text/csv')
  expect(await file.text()).toContain(',/pricing,')

  for (const path of ['', '/now', '/robots', '/goals', '/rows?of=page&find=pric']) {
    await visit(page, `/studio/acme/web${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await horizontalOverflow(page)).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
  }
  await page.getByRole('link', { name: '/pricing', exact: true }).waitFor()
})
