import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { patienceMs } from '../running/patience'
import { anEvent, send } from '../studio/collecting'
import {
  accessibilityViolations,
  aSharedStudio,
  chooseOption,
  fitsWindow,
  isUsable,
  openDialog,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
  waitForHydration,
} from '../studio/studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Three people: two read the pricing, one of them orders. */
async function sendVisits(studio: TestStudio) {
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

const shared = aSharedStudio(sendVisits)

const visitors = async (page: Page) =>
  (
    await page
      .getByRole('link', { name: /^Visitors/ })
      .first()
      .textContent()
  )?.match(/\d+/)?.[0]

/** Until all sent events are counted, in the panels too: a slow machine keeps their answers for up to a minute. */
async function untilCounted(page: Page, count: string) {
  const lastPage = page.getByRole('link', { name: '/=cmd()', exact: true }).first()
  await expect
    .poll(async () => {
      await visit(page, '/studio/acme/web?compare=none')
      const isListed = await lastPage.waitFor({ timeout: patienceMs / 12 }).then(
        () => true,
        () => false,
      )
      return [await visitors(page), isListed]
    })
    .toEqual([count, true])
}

test('a press on a row narrows the page, the address keeps it, and the way back undoes it', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await untilCounted(page, '3')
  await waitForHydration(page)

  await page.getByRole('link', { name: '/pricing', exact: true }).first().click()
  await expect.poll(() => visitors(page)).toBe('2')
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('/pricing')

  await page.getByRole('button', { name: /Page is/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect.poll(() => visitors(page)).toBe('3')
  await page.goBack()
  await expect.poll(() => visitors(page)).toBe('2')

  await page.getByRole('button', { name: 'Save as segment…' }).click()
  await page.getByLabel('Name').fill('Interested')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await page.getByText('Segment saved').waitFor()

  await visit(page, '/studio/acme/web/goals')
  await page.getByRole('button', { name: 'New goal…' }).click()
  await page.getByLabel('Page', { exact: true }).fill('thanks')
  await page.getByLabel('Name').fill('Ordered')
  await page.getByRole('button', { name: 'Create goal' }).click()
  await page.getByText('Begin a page with').waitFor()
  await page.getByLabel('Page', { exact: true }).fill('/thanks')
  await page.getByRole('button', { name: 'Create goal' }).click()
  await page.getByText('Goal created').waitFor()
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
    await fitsWindow(page)
    expect(await accessibilityViolations(page)).toEqual([])
  }
  await page.getByRole('link', { name: '/pricing', exact: true }).waitFor()
})

test('the page is filtered in a dialog, compared by weekdays and drawn by the hour', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await untilCounted(page, '3')
  await waitForHydration(page)

  await page.getByRole('button', { name: 'Add filter…' }).click()
  const dialog = await openDialog(page, 'Add filter')
  await openList(dialog.getByRole('combobox', { name: 'Comparison' }))
  await chooseOption(page, 'contains')
  await dialog.getByRole('combobox', { name: 'Values' }).fill('pric')
  await chooseOption(page, /pric/)
  await isUsable(page)
  await dialog.getByRole('button', { name: 'Apply filter' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => visitors(page)).toBe('2')
  await page.getByRole('button', { name: /Page contains/ }).waitFor()

  await visit(page, '/studio/acme/web?period=7d')
  await page.getByRole('button', { name: 'vs previous period, same weekdays' }).click()
  await page.getByRole('menuitem', { name: /Match exact dates/ }).click()
  await page.waitForURL((url) => url.searchParams.get('compare') === 'previous')
  await page.getByRole('button', { name: 'vs previous period', exact: true }).waitFor()

  const intervals = page.getByRole('navigation', { name: 'Interval' })
  await intervals.getByRole('link', { name: 'Hour' }).click()
  await page.waitForURL((url) => url.searchParams.get('interval') === 'hour')
  await expect
    .poll(() => intervals.getByRole('link', { name: 'Hour' }).getAttribute('aria-current'))
    .toBe('page')
  await isUsable(page)
})

test('a whole list is searched as one types and sorted by its columns', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await untilCounted(page, '3')
  await visit(page, '/studio/acme/web/rows?of=page&compare=none')
  const pages = page.getByRole('table', { name: 'Visitors by page' })
  for (const name of ['Bounce rate', 'Time on page', 'Scroll depth'])
    await pages.getByRole('columnheader', { name }).waitFor()

  await pages.getByRole('link', { name: 'Page', exact: true }).click()
  await page.waitForURL((url) => url.searchParams.get('sort') === 'value')
  const first = async () => await pages.getByRole('row').nth(1).getByRole('cell').first().textContent()
  await expect.poll(first).toBe('/')
  await pages.getByRole('link', { name: 'Page', exact: true }).click()
  await expect.poll(first).toBe('/thanks')

  await page.getByRole('searchbox', { name: 'Search pages' }).fill('pric')
  await page.waitForURL((url) => url.searchParams.get('find') === 'pric')
  await expect.poll(first).toBe('/pricing')
  await expect.poll(() => pages.getByRole('row').count()).toBe(2)
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('value')
})
