import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aHook } from '../outside/hook'
import { openBrowser } from '../pages/browser'
import { openOwnerPage, aStudio, accessibilityViolations, fitsWindow, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('an alert is set up, tested, muted and removed', async () => {
  const hook = await aHook()
  const studio = await aStudio(browser, { TILTH_OUTBOUND_ALLOW: '127.0.0.1' })
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/alerts')
  await page.getByText('No alerts yet').waitFor()
  await page.getByText('E-mail isn’t set up').waitFor()

  await page.getByRole('link', { name: 'Create alert' }).click()
  const address = page.getByLabel('E-mail address or webhook URL')
  const add = page.getByRole('button', { name: 'Add', exact: true })
  const setUp = page.getByRole('button', { name: 'Create alert' })
  await page.getByRole('button', { name: 'Remove ana@example.com' }).click()
  await page.getByText('No recipients yet. Fires when “Page view” events').waitFor()
  await setUp.click()
  await page.getByText('Choose a recipient.').waitFor()

  await address.fill('http://10.0.0.1/hook')
  await add.click()
  await setUp.click()
  await page.getByText('10.0.0.1 is not on the open internet').waitFor()
  await page.getByRole('button', { name: 'Remove 10.0.0.1' }).click()
  await address.fill(hook.url)
  await add.click()
  await page.getByLabel('Name').fill('Our pages are read')
  await setUp.click()
  await page.getByRole('heading', { name: 'Our pages are read' }).waitFor()

  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test sent').waitFor()
  expect(hook.calls.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.test'])
  await page.getByText('HTTP 204.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)

  await page.getByRole('button', { name: 'More about Our pages are read' }).click()
  await page.getByRole('menuitem', { name: 'Mute for a day' }).click()
  await page.getByText('Muted', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More about Our pages are read' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove alert' }).click()
  await page.getByText('No alerts yet').waitFor()
})
