import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aMember, openOwnerPage, accessibilityViolations, fitsWindow, visit, aSharedStudio } from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

test('an owner sets how long data is kept, only after agreeing to what is deleted', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/settings/retention')
  expect(await accessibilityViolations(page)).toEqual([])
  const events = page.getByLabel('Delete events after (days)')
  await expect.poll(() => events.inputValue()).toBe('')
  await events.fill('30')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Check this box: older data is deleted permanently.').waitFor()
  await page.getByRole('checkbox', { name: 'Permanently delete older data' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Data retention saved').first().waitFor()

  await visit(page, '/studio/acme/settings/retention')
  await expect.poll(() => events.inputValue()).toBe('30')
  await expect.poll(() => page.getByLabel('Delete audit log entries after (days)').inputValue()).toBe('')
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)
})

test('a member who may not change the project sees how long data is kept, and why they may not change it', async () => {
  const page = await aMember(await shared(browser), 'viewer', 'Vera')
  await visit(page, '/studio/acme/settings/retention')
  await expect.poll(() => page.getByLabel('Delete events after (days)').isDisabled()).toBe(true)
})
