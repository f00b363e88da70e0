import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import { aMember, aStudio, isUsableInBothThemes, openDialog, openList, openOwnerPage, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('events and properties are listed, described, verified and hidden from the lists to choose from', async () => {
  const studio = await aStudio(browser)
  expect(
    await send(studio, [
      anEvent({ event: 'order', properties: { plan: 'pro', $lib: 'web' } }),
      anEvent({ event: 'debug ping', properties: { $lib: 'web' } }),
    ]),
  ).toBe(200)
  await untilStored(studio, 2)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/settings/events')
  await page
    .getByRole('row', {
      name: /^order 1 (?:just now|\d+ minutes? ago) (?:just now|\d+ minutes? ago) PostHog \(web\)/,
    })
    .waitFor()
  await isUsableInBothThemes(page)

  await page.getByRole('button', { name: 'Define order' }).click()
  const order = await openDialog(page, 'Define order')
  await order.getByLabel('Description').fill('An order was paid.')
  await order.getByRole('checkbox', { name: 'Verified' }).click()
  await order.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /^order Verified An order was paid\./ }).waitFor()

  await page.getByLabel('Find an event').fill('ping')
  await expect.poll(() => page.getByRole('row', { name: /^order/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Define debug ping' }).click()
  const ping = await openDialog(page, 'Define debug ping')
  await ping.getByRole('checkbox', { name: 'Hidden' }).click()
  await ping.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /^debug ping Hidden/ }).waitFor()

  await page.getByRole('link', { name: 'Properties' }).click()
  await page.getByRole('row', { name: /^plan Events order/ }).waitFor()
  await page.getByRole('button', { name: 'Define plan' }).waitFor()

  await visit(page, '/studio/acme/insights/new')
  await openList(page.getByRole('combobox', { name: 'Series A: event', exact: true }))
  await page.getByRole('option', { name: /^order.*Verified/ }).waitFor()
  await expect.poll(() => page.getByRole('option', { name: /debug ping/ }).count()).toBe(0)

  const vera = await aMember(studio, 'viewer', 'Vera')
  await visit(vera, '/studio/acme/settings/events')
  const define = vera.getByRole('button', { name: 'Define order' })
  await expect.poll(() => define.getAttribute('aria-disabled')).toBe('true')
})
