import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aMailServer } from '../outside/smtp'
import { anEvent, send, untilStored } from './collecting'
import { accessibilityViolations, aStudio, isUsable, openOwnerPage, type TestStudio, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const dayMs = 86_400_000

test('a weekly report is set up, previewed, sent by e-mail and listed', async () => {
  const mail = await aMailServer()
  const studio = await aStudio(browser, {
    TILTH_SMTP: `smtp://127.0.0.1:${mail.port}`,
    TILTH_MAIL_FROM: 'tilth@shop.example',
  })
  await visitedLastWeek(studio, ['ana', 'ben', 'cleo'])
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/alerts/reports')
  await page.getByText('No reports yet').waitFor()
  await page.getByRole('link', { name: 'Create report' }).click()
  await page.getByRole('heading', { name: 'New report' }).waitFor()

  await page.getByLabel('Name', { exact: true }).fill('Monday numbers')
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Frequency' }).textContent())
    .toContain('Every week')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create report' }).click()
  await page.getByRole('heading', { name: 'Monday numbers' }).waitFor()
  const metrics = page.getByRole('table', { name: 'Metric' })
  await metrics.getByRole('row', { name: /^Visitors 3\b/ }).waitFor()
  await page.getByRole('row', { name: /^\/pricing 3\b/ }).waitFor()
  await isUsable(page)

  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Monday numbers is being sent').first().waitFor()
  await expect.poll(() => mail.letters.map(({ to }) => to)).toEqual([['ana@example.com']])
  const letter = mail.letters[0]?.raw ?? ''
  expect(letter).toMatch(/^Subject: .*Monday_numbers/m)
  expect(letter).toMatch(/^Visitors: 3\b/m)
  expect(letter).toMatch(/^ {2}\/pricing: 3\b/m)

  await visit(page, '/studio/acme/alerts/reports')
  await page.getByRole('row', { name: /Monday numbers.*Every week at 08:00/s }).waitFor()
})

/** Seven days ago is within the last full week, whatever day it is. */
async function visitedLastWeek(studio: TestStudio, persons: readonly string[]) {
  const timestamp = new Date(Date.now() - 7 * dayMs).toISOString()
  expect(
    await send(
      studio,
      persons.map((distinct_id) => anEvent({ distinct_id, timestamp })),
    ),
  ).toBe(200)
  await untilStored(studio, persons.length)
}
