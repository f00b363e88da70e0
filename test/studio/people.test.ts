import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import {
  aMember,
  openOwnerPage,
  askApi,
  aStudio,
  forgetRecentPasswords,
  accessibilityViolations,
  horizontalOverflow,
  owner,
  type TestStudio,
  visit,
  aSharedStudio,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const cleo = { email: 'cleo@example.com', plan: 'pro' }

/** Cleo bought twice and is known; Dora only looked. */
async function tellShop(studio: TestStudio): Promise<void> {
  await send(studio, anEvent({ event: '$identify', distinct_id: 'cleo', properties: { $set: cleo } }))
  for (const distinct_id of ['cleo', 'dora']) await send(studio, anEvent({ distinct_id }))
  for (const price of [3, 4])
    await send(
      studio,
      anEvent({
        event: 'buy',
        distinct_id: 'cleo',
        properties: { price, $groups: { company: 'x-ray' } },
      }),
    )
  await expect.poll(() => personsIn(studio), { timeout: 20_000 }).toBe(2)
}

const shop = aSharedStudio(tellShop)

async function aShop(options: BrowserContextOptions = {}): Promise<{ studio: TestStudio; page: Page }> {
  const studio = await shop(browser)
  return { studio, page: await openOwnerPage(studio, options) }
}

const personsIn = async (studio: TestStudio): Promise<number> =>
  (await askApi<{ total: number }>(studio, 'GET', '/projects/acme/persons')).total

const row = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name })

async function isFit(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0)
}

describe('persons', () => {
  test('are found, opened, and show what they did', async () => {
    const { page } = await aShop()
    await visit(page, '/studio/acme/people')
    await row(page, 'dora').waitFor()
    await page.getByRole('searchbox').fill('EXAMPLE.com')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=EXAMPLE/)
    await row(page, 'dora').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /cleo@example\.com/ }).click()

    await page.getByRole('heading', { name: 'cleo@example.com' }).waitFor()
    await page.getByText('pro', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'x-ray' }).waitFor()
    await page.getByText('buy', { exact: true }).first().waitFor()
    await isFit(page)
  })

  test('can be exported by admins alone', async () => {
    const { studio, page } = await aShop()
    await visit(page, '/studio/acme/people?search=cleo')
    await page.getByRole('link', { name: /cleo@/ }).click()
    const href = await page.getByRole('link', { name: 'Export' }).getAttribute('href')
    const file = await page.request.get(href ?? '')
    expect(file.headers()['content-disposition']).toContain('attachment')
    expect(await file.json()).toMatchObject({ person: { properties: cleo } })

    const viewer = await aMember(studio, 'viewer', 'Ben')
    expect((await viewer.request.get(href ?? '')).status()).toBe(403)
  })

  test('are erased for good, once the password was given', async () => {
    const studio = await aStudio(browser)
    await tellShop(studio)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/people?search=cleo')
    await page.getByRole('link', { name: /cleo@/ }).click()
    await page.getByRole('button', { name: 'Erase…' }).click()
    await page.getByRole('textbox').fill('erase')
    forgetRecentPasswords(studio)
    await page.getByRole('button', { name: 'Erase the person' }).click()
    await page.getByLabel('Your password').fill(owner.password)
    await page.keyboard.press('Enter')

    await page.waitForURL('**/people/erasures')
    await page.getByText('Erased', { exact: true }).waitFor({ timeout: 20_000 })
    await isFit(page)
    await visit(page, '/studio/acme/people?search=cleo')
    await page.getByText('No matching persons').waitFor()
  })
})

describe('cohorts', () => {
  test.each<[string, string, BrowserContextOptions]>([
    ['on a desk', 'Regulars', {}],
    ['on a phone', 'Devoted', { viewport: { width: 390, height: 844 } }],
  ])('are said condition by condition, and count who fits, %s', async (_, name, options) => {
    const { page } = await aShop(options)
    await visit(page, '/studio/acme/people/cohorts/new')
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByRole('menuitem', { name: 'Did something…' }).click()
    await page.getByLabel('Condition 1: event').fill('buy')
    await page.getByRole('option', { name: 'buy' }).first().click()
    await page.getByLabel('Condition 1: how often').fill('2')
    await page.getByText('Everybody who did buy at least 2 times in the last 30 days.').waitFor()
    await page.getByText('Matches 1 of 2 persons of the last 30 days.').waitFor()
    await isFit(page)

    await page.getByRole('button', { name: 'Make the cohort' }).click()
    await page.getByRole('heading', { name }).waitFor()
    await row(page, 'cleo@example.com').waitFor()
    await isFit(page)
    await visit(page, '/studio/acme/people/cohorts')
    await row(page, 'did buy at least 2 times').first().waitFor()
  })

  test('from a list say which lines nobody is known by', async () => {
    const { page } = await aShop()
    await visit(page, '/studio/acme/people/cohorts')
    await page.getByRole('button', { name: 'From a list…' }).click()
    await page.getByLabel('Name').fill('Invited')
    await page.getByLabel('Distinct ids or e-mails').fill('cleo@example.com\ndora\nghost')
    await page.getByRole('button', { name: 'Make the cohort' }).click()
    await page.getByText('2 lines found, 1 not').waitFor()
    await page.getByText('ghost').waitFor()
    await page.getByRole('link', { name: 'Open the cohort' }).click()
    await row(page, 'dora').waitFor()
  })
})

test('groups show their persons', async () => {
  const { page } = await aShop()
  await visit(page, '/studio/acme/people/groups')
  await page.getByRole('link', { name: 'x-ray' }).click()
  await row(page, 'cleo@example.com').waitFor()
  await isFit(page)
})
