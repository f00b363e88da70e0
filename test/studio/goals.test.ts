import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import { aStudio, askApi, fitsWindow, isUsableInBothThemes, openOwnerPage, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('goals have their numbers in the chosen period, and the persons behind them', async () => {
  const studio = await aStudio(browser)
  const create = (name: string, goal: object) =>
    askApi(studio, 'POST', '/projects/acme/goals', { name, goal })
  await create('Signed up', { type: 'event', event: 'signup' })
  await create('Paid', { type: 'revenue' })
  const of = (distinct_id: string) => ({ distinct_id, properties: { $session_id: `of-${distinct_id}` } })
  await send(studio, [
    anEvent(of('ana')),
    anEvent({ event: 'signup', ...of('ana') }),
    anEvent(of('ben')),
    anEvent({ event: 'order', distinct_id: 'ben', properties: { $session_id: 'of-ben', revenue: 12 } }),
    anEvent(of('cleo')),
    anEvent(of('dan')),
  ])
  await untilStored(studio, 6)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/web/goals?period=7d')
  const signedUp = page.getByRole('row', { name: /^Signed up/ })
  await signedUp.getByText('25%').waitFor()
  await page.getByRole('row', { name: /^Paid/ }).getByText(/12/).first().waitFor()
  await isUsableInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.getByRole('button', { name: 'Date range: Last 7 days' }).click()
  await page.getByRole('menuitem', { name: 'Yesterday' }).click()
  await page.waitForURL('**/web/goals?period=yesterday')
  await signedUp.getByText('0', { exact: true }).waitFor()
  await page.goBack()
  await signedUp.getByRole('link', { name: '1 person who reached Signed up' }).click()
  await page.getByRole('menuitem', { name: 'Who are they' }).click()
  await page.waitForURL('**/people/behind?**')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
})
