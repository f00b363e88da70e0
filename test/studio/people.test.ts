import { Readable } from 'node:stream'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import {
  chooseOption,
  aMember,
  openDialog,
  openOwnerPage,
  askApi,
  aStudio,
  forgetRecentPasswords,
  accessibilityViolations,
  fitsWindow,
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
  await expect.poll(() => personsIn(studio)).toBe(2)
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
  await fitsWindow(page)
}

/** The laptop had another user before Dora signed in on it. */
async function splitLaptopOff(studio: TestStudio, page: Page) {
  await send(studio, anEvent({ distinct_id: 'laptop' }))
  const properties = { $anon_distinct_id: 'laptop' }
  await send(studio, anEvent({ event: '$identify', distinct_id: 'dora', properties }))
  const dora = row(page, /dora|laptop/)
  await untilReloaded(page, '/studio/acme/people', () => dora.count(), 1)
  await dora.getByRole('link').click()
  await page.getByRole('button', { name: 'Split laptop off…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Split off' }).click()
  await page.getByText('laptop split off').waitFor()
  await page.getByText('Events are being moved after a split.').waitFor()
  await isFit(page)
  await untilReloaded(page, '/studio/acme/people?search=laptop', () => row(page, 'laptop').count(), 1)
  await row(page, 'laptop').getByRole('link').click()
  await page.waitForURL(/people\/[0-9a-f-]+/)
  await page.getByRole('button', { name: 'Copy distinct id laptop' }).waitFor()
}

async function untilReloaded(page: Page, path: string, count: () => Promise<number>, wanted: number) {
  const someone = page.getByRole('table', { name: 'People' }).getByRole('link')
  await expect
    .poll(async () => {
      await visit(page, path)
      await someone.or(page.getByText('No matching people')).first().waitFor()
      return await count()
    })
    .toBe(wanted)
}

async function chooseColumns(page: Page) {
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = await openDialog(page, 'Columns')
  await dialog.getByLabel('Add column').fill('plan')
  await chooseOption(page, 'plan')
  await dialog.getByRole('button', { name: 'Move plan: arrow keys, or drag' }).focus()
  for (const left of [4, 3, 2, 1]) {
    await page.keyboard.press('ArrowUp')
    await page.getByText(`plan moved to ${left} of 5`).waitFor({ state: 'attached' })
  }
  await dialog.getByRole('button', { name: 'Remove Source' }).click()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL(/columns=property/)
  await page.getByRole('columnheader', { name: 'plan' }).waitFor()
  await row(page, 'cleo@example.com').getByText('pro', { exact: true }).waitFor()
  await expect
    .poll(() => page.getByRole('columnheader').allTextContents())
    .toEqual([
      expect.stringContaining('Person'),
      expect.stringContaining('plan'),
      expect.stringContaining('Country'),
      expect.stringContaining('Last page'),
      expect.stringContaining('Last seen'),
    ])
}

async function saveList(page: Page) {
  await page.getByRole('searchbox').fill('cleo')
  await row(page, 'dora').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Lists' }).click()
  await page.getByRole('menuitem', { name: 'Save as new list…' }).click()
  const dialog = await openDialog(page, 'Save list')
  await dialog.getByLabel('Name').fill('Regulars')
  await dialog.getByRole('button', { name: 'Save list' }).click()
  await page.getByText('List saved').waitFor()
  await page.getByRole('button', { name: 'Regulars', exact: true }).waitFor()
}

async function changeList(page: Page) {
  await page.getByRole('button', { name: 'Lists' }).click()
  await page.getByRole('menuitem', { name: 'Regulars' }).click()
  await page.getByRole('button', { name: 'Regulars', exact: true }).waitFor()
  await row(page, 'dora').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('cleo')
  await page.getByRole('searchbox').fill('')
  await row(page, 'dora').waitFor()
  await page.getByRole('button', { name: 'Regulars · edited' }).click()
  await page.getByRole('menuitem', { name: 'Save changes to Regulars' }).click()
  await page.getByText('Regulars saved').waitFor()
  await page.getByRole('button', { name: 'Regulars', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Remove Regulars' }).click()
  await page.getByText('Regulars removed').waitFor()
  await page.getByRole('button', { name: 'Lists' }).waitFor()
}

describe('persons', () => {
  test('are found, opened, and show what they did', async () => {
    const { page } = await aShop()
    await visit(page, '/studio/acme/people')
    await row(page, 'dora').waitFor()
    const entries = await page.evaluate(() => history.length)
    await page.getByRole('searchbox').fill('EXAMPLE.com')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(/search=EXAMPLE/)
    expect(await page.evaluate(() => history.length), 'typing adds nothing to go back through').toBe(entries)
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

  test('have the columns that were chosen, and lists that are saved, changed and removed', async () => {
    const { page } = await aShop()
    await visit(page, '/studio/acme/people')
    await chooseColumns(page)
    await page.getByRole('link', { name: 'plan', exact: true }).click()
    await page.waitForURL(/sort=property/)
    await saveList(page)
    await isFit(page)
    // the columns are remembered where the address has none
    await visit(page, '/studio/acme/people')
    await page.getByRole('columnheader', { name: 'plan' }).waitFor()
    await changeList(page)
  })

  test('one is found while typing, exported, and erased for good, once the password was given', async () => {
    const studio = await aStudio(browser)
    await tellShop(studio)
    const page = await openOwnerPage(studio)
    await splitLaptopOff(studio, page)
    await visit(page, '/studio/acme/people')
    await row(page, 'dora').waitFor()
    await page.getByRole('searchbox').fill('cleo@')
    await row(page, 'dora').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /cleo@/ }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    const file = await (await download).createReadStream()
    expect(await new Response(Readable.toWeb(file) as ReadableStream).json()).toMatchObject({
      person: { properties: cleo },
    })
    await page.getByRole('button', { name: 'Erase…' }).click()
    await page.getByRole('alertdialog').getByRole('textbox').fill('erase')
    forgetRecentPasswords(studio)
    await page.getByRole('button', { name: 'Erase person' }).click()
    await page.getByLabel('Your password').fill(owner.password)
    await page.getByLabel('Your password').press('Enter')

    await page.waitForURL('**/people/erasures')
    await page.getByText('Erased', { exact: true }).waitFor()
    await isFit(page)
    await visit(page, '/studio/acme/people?search=cleo')
    await page.getByText('No matching people').waitFor()
    await expect.poll(() => personsIn(studio)).toBe(2)
    const found = await page.request.get('/studio/acme/search?text=cleo')
    expect(await found.json()).toMatchObject({ results: [] })
    const sql = "select countIf(distinct_id = 'cleo'), countIf(event = 'buy') from events"
    const counted = () => askApi<{ rows: unknown[][] }>(studio, 'POST', '/projects/acme/query?fresh', { sql })
    await expect.poll(async () => (await counted()).rows[0]?.map(Number)).toEqual([0, 0])
  })
})

test('a person of many events is a small page, whose events tell their properties when they are opened', async () => {
  const studio = await aStudio(browser)
  const details = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`detail_${i}`, `what it was ${i}`]),
  )
  for (let n = 0; n < 50; n++)
    await send(
      studio,
      anEvent({ event: 'work', distinct_id: 'cleo', properties: { ...details, n, $set: cleo } }),
    )
  await untilStored(studio, 50)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/people')
  await page.getByRole('link', { name: /cleo@/ }).click()
  await page.getByRole('heading', { name: 'cleo@example.com' }).waitFor()
  const events = page.getByRole('list', { name: 'Sessions, latest first' }).getByText('work', { exact: true })
  await expect.poll(() => events.count()).toBe(50)

  const html = await (await page.request.get(page.url())).text()
  expect(html).toContain('Sessions, latest first')
  expect(html.length).toBeLessThan(230_000)

  await events.first().click()
  await page.getByText('what it was 59').waitFor()
  expect(await page.getByText('what it was 59').count(), 'of the opened event alone').toBe(1)
  await isFit(page)
})

test('a person is added to a cohort that is named while adding', async () => {
  const { page } = await aShop()
  await visit(page, '/studio/acme/people?search=dora')
  await page.getByRole('link', { name: /dora/ }).click()
  await page.getByRole('button', { name: 'Add to cohort…' }).click()
  const dialog = await openDialog(page, 'Add to a cohort')
  await dialog.getByLabel('Cohort').fill('Window shoppers')
  await chooseOption(page, /Window shoppers/)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Added to Window shoppers').waitFor()
  await page.getByRole('link', { name: 'Window shoppers' }).click()
  await page.getByRole('heading', { name: 'Window shoppers' }).waitFor()
  await row(page, 'dora').waitFor()
})

describe('cohorts', () => {
  test.each<[string, string, BrowserContextOptions]>([
    ['on a desk', 'Regulars', {}],
    ['on a phone', 'Devoted', { viewport: { width: 390, height: 844 } }],
  ])('are said condition by condition, and count who fits, %s', async (_, name, options) => {
    const { page } = await aShop(options)
    await visit(page, '/studio/acme/people/cohorts/new')
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('menuitem', { name: 'Event…', exact: true }).click()
    await page.getByLabel('Condition 1: event').fill('buy')
    await chooseOption(page, /^buy/)
    await page.getByLabel('Condition 1: how often').fill('2')
    await page.getByText('In this cohort: did buy at least 2 times in the last 30 days.').waitFor()
    await page.getByText('Matches 1 of 2 people of the last 30 days.').waitFor()
    await isFit(page)

    await page.getByRole('button', { name: 'Create cohort' }).click()
    await page.getByRole('heading', { name }).waitFor()
    await row(page, 'cleo@example.com').waitFor()
    await isFit(page)
    await visit(page, '/studio/acme/people/cohorts')
    await row(page, 'did buy at least 2 times').first().waitFor()
  })

  test('begin with the filters of the list of persons', async () => {
    const { page } = await aShop()
    await visit(page, '/studio/acme/people')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByLabel(/: property$/).fill('plan')
    await chooseOption(page, /^plan/)
    await page.getByLabel(/: value$/).fill('pro')
    await chooseOption(page, /^pro/)
    await page.getByText('1 person', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Save as cohort…' }).click()
    await page.getByText('In this cohort: plan is pro and did anything in the last 30 days.').waitFor()
    await page.getByText('Matches 1 of 2 people of the last 30 days.').waitFor()
    await page.getByLabel('Name').fill('Customers of Pro')
    await page.getByRole('button', { name: 'Create cohort' }).click()
    await page.getByRole('heading', { name: 'Customers of Pro' }).waitFor()
    await row(page, 'cleo@example.com').waitFor()

    await visit(page, '/studio/acme/people?period=all&search=cleo')
    await page.getByRole('button', { name: 'Save as cohort…' }).hover()
    await page.getByText('A cohort has no search.').filter({ visible: true }).waitFor()
  })

  test('from a list say which lines no one is known by', async () => {
    const { page } = await aShop()
    await visit(page, '/studio/acme/people/cohorts')
    await page.getByRole('button', { name: 'From a list…' }).click()
    await page.getByLabel('Name').fill('Invited')
    await page.getByLabel('Distinct ids or e-mails').fill('cleo@example.com\ndora\nghost')
    await page.getByRole('button', { name: 'Create cohort' }).click()
    await page.getByText('2 lines found, 1 not').waitFor()
    await page.getByText('ghost').waitFor()
    await page.getByRole('link', { name: 'Open cohort' }).click()
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
