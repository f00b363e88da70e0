import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import { openOwnerPage, aStudio, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('a shield set in the studio holds for the next event, and what cannot be one is told at its field', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/settings/collection')
  const save = page.getByRole('button', { name: 'Save' })

  await page.getByLabel('Blocked countries').fill('Germany')
  await save.click()
  await page.getByText('Write the two letters of the country').waitFor()

  await page.getByLabel('Blocked countries').fill('')
  await page.getByLabel('Blocked pages').fill('/admin*\n/preview')
  await page.getByLabel('Allowed hostnames').fill('shop.example.com')
  await page.getByLabel('Monthly event limit').fill('250000')
  await save.click()
  await page.getByText('Collection saved').waitFor()

  await visit(page, '/studio/acme/live')
  for (const path of ['/admin/users', '/pricing'])
    expect(
      await send(studio, anEvent({ properties: { $current_url: `https://shop.example.com${path}` } })),
    ).toBe(200)
  await page.getByText('/pricing').first().waitFor()
  await visit(page, '/studio/acme/settings/collection')
  await expect.poll(() => page.getByLabel('Blocked pages').inputValue()).toBe('/admin*\n/preview')
  await expect.poll(() => page.getByLabel('Monthly event limit').inputValue()).toBe('250,000')
})
