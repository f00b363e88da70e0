import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import { aStudio, fitsWindow, isUsableInBothThemes, openOwnerPage, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('above the bound, web analytics says its margin, until exact numbers are asked for', async () => {
  const studio = await aStudio(browser, { TILTH_EXACT_UP_TO: '3' })
  const visitors = ['ana', 'ben', 'cleo', 'dan', 'eve']
  await send(
    studio,
    visitors.map((distinct_id) => anEvent({ distinct_id, properties: { $session_id: `of-${distinct_id}` } })),
  )
  await untilStored(studio, visitors.length)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/web?period=7d')

  const figure = page.getByRole('link', { name: /^Visitors 5 ±0.5 %/ })
  await figure.waitFor()
  await page.getByText('Counted approximately above 3 persons').waitFor()
  await page.getByRole('columnheader', { name: 'Visitors ±0.5 %' }).first().waitFor()
  await isUsableInBothThemes(page)
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

  await page.getByRole('link', { name: 'Count exactly' }).click()
  await page.waitForURL('**/web?**exact=yes**')
  await page.getByRole('link', { name: /^Visitors 5/ }).waitFor()
  await expect.poll(() => page.getByText('±').count()).toBe(0)
})
