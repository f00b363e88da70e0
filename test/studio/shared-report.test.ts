import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { meetCheckout, untilCounted } from './experiments'
import {
  accessibilityViolations,
  aPerson,
  askApi,
  aStudio,
  fitsWindow,
  isUsable,
  openDialog,
  openOwnerPage,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const errors = {
  name: 'Errors',
  goal: 'decrease',
  measured: { type: 'conversion', happening: { event: '$exception' } },
}

const refunds = { name: 'Refunds', measured: { type: 'conversion', happening: { event: 'refunded' } } }

test('the report of an experiment is shared behind a password, shows nothing else, and is gone once revoked', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'new', percentage: 50 },
    ],
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'New checkout',
    hypothesis: 'Fewer fields, fewer errors.',
    flag: 'checkout',
    metrics: [errors, refunds],
    notes: 'Ask the support team.',
  })
  await askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`, {})
  await meetCheckout(studio, 'control')
  await untilCounted(studio, id, [100, 100])

  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByRole('button', { name: 'Share…' }).click()
  const dialog = await openDialog(page, 'Share New checkout')
  await dialog.getByLabel('Password', { exact: true }).fill('open sesame')
  await expect.poll(() => dialog.getByText('Viewers can change the date range').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()

  const guest = await aPerson(studio)
  await guest.goto(new URL(link).pathname)
  await guest.getByLabel('Password', { exact: true }).fill('open sesame')
  await guest.getByRole('button', { name: 'Open' }).click()
  await guest.getByRole('heading', { name: 'New checkout' }).waitFor()
  await guest.getByText('Fewer fields, fewer errors.').waitFor()
  await guest
    .getByRole('row', { name: /^new 0\.00% of 100/ })
    .first()
    .waitFor()
  await expect.poll(() => guest.locator('main a').count()).toBe(0)
  expect(await guest.content()).not.toContain('person-')
  await fitsWindow(guest)
  expect(await accessibilityViolations(guest)).toEqual([])

  const { sentence } = await askApi<{ sentence: string }>(
    studio,
    'GET',
    `/projects/acme/experiments/${id}/results`,
  )
  const whole = await guest.content()
  for (const shown of [sentence, 'Refunds', 'of the exposed']) expect(whole).toContain(shown)
  expect(whole).not.toContain('support team')

  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByRole('button', { name: 'Edit share' }).click()
  for (const part of ['Verdict', 'Metric Refunds', 'Exposed units and split'])
    await dialog.getByRole('checkbox', { name: part }).uncheck()
  for (const part of ['Course of the estimates', 'Notes'])
    await dialog.getByRole('checkbox', { name: part }).check()
  await isUsable(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Share saved').first().waitFor()
  await guest.goto(new URL(link).pathname)
  await guest.getByText('Ask the support team.').waitFor()
  await guest.getByRole('region', { name: 'How the estimate moved: Errors' }).waitFor()
  await guest.getByRole('row', { name: /^new 0\.00% of 100/ }).waitFor()
  const chosen = await guest.content()
  for (const left of [sentence, 'Refunds', 'of the exposed']) expect(chosen).not.toContain(left)
  expect(await accessibilityViolations(guest)).toEqual([])

  await dialog.getByText('Password', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Revoke share' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke share' }).click()
  await page.getByText('Share revoked').first().waitFor()
  expect((await guest.goto(new URL(link).pathname))?.status()).toBe(404)
})
