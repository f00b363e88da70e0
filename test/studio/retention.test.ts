import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  aMember,
  openOwnerPage,
  accessibilityViolations,
  horizontalOverflow,
  visit,
  aSharedStudio,
} from './studio'

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
  expect(await events.inputValue()).toBe('')
  await events.fill('30')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Check this box: data that is older is deleted for good.').waitFor()
  await page.getByRole('checkbox', { name: 'Delete what is older for good' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Data retention saved').first().waitFor()

  await visit(page, '/studio/acme/settings/retention')
  expect(await events.inputValue()).toBe('30')
  expect(await page.getByLabel('Delete audit log entries after (days)').inputValue()).toBe('')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0)
})

test('a member who may not change the project sees how long data is kept, and why they may not change it', async () => {
  const page = await aMember(await shared(browser), 'viewer', 'Vera')
  await visit(page, '/studio/acme/settings/retention')
  expect(await page.getByLabel('Delete events after (days)').isDisabled()).toBe(true)
})
