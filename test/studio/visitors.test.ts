import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryText } from '#insights/text/query-text'
import { openBrowser } from '../pages/browser'
import { aVisitor } from '../site/site-fixture'
import { aSite, installedPage, installedScript } from '../wire/posthog-server'
import {
  askApi,
  aStudio,
  fitsWindow,
  isUsableInBothThemes,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

interface ListedPerson {
  id: string
  distinctId: string
  label: { name: string }
}

const personsOf = async (studio: TestStudio): Promise<ListedPerson[]> =>
  (await askApi<{ persons: ListedPerson[] }>(studio, 'GET', '/projects/acme/persons')).persons

/** A shop at another origin: one page with Tilth's own tag, one with posthog-js, which knows visitors again. */
async function aShop({ address, writeKey, tilth }: TestStudio): Promise<string> {
  return await aSite(
    {
      '/tilth': `<!doctype html><title>Boards 2</title><script defer src="${address}/_tilth/script.js" data-project="${writeKey}"></script><h1>Shop</h1>`,
      '/posthog': installedPage(writeKey, address, {}, '/posthog.js'),
      '/posthog.js': await installedScript(),
    },
    tilth.port,
  )
}

async function aVisitorOf(address: string): Promise<Page> {
  const visitor = await aVisitor(browser, { userAgent: agent })
  await visitor.goto(address)
  return visitor
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const liveRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem').filter({ hasText: name })

/** The shape and the colour of the first mark in a place. */
const markIn = (place: Locator): Promise<string> =>
  place
    .first()
    .locator('svg[viewBox="0 0 24 24"][aria-hidden] > path[fill="currentColor"]')
    .first()
    .evaluate((path) => `${path.getAttribute('d')} ${getComputedStyle(path).color}`)

async function launchSurvey(studio: TestStudio): Promise<string> {
  const content = {
    questions: [{ id: 'why', kind: 'open', text: 'Why?' }],
    endCards: [{ id: 'thanks', header: 'Thank you!' }],
  }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', {
    name: 'Feedback',
    content,
  })
  await askApi(studio, 'POST', `/projects/acme/surveys/${id}/launch`, {})
  return id
}

test('two visitors are recognised by name from their first click to a flag, and one keeps the mark when identified', async () => {
  const studio = await aStudio(browser)
  const survey = await launchSurvey(studio)
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'new-pricing',
    environments: { production: { isOn: true, conditions: [{ conditions: [] }] } },
  })
  const page = await openOwnerPage(studio)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, '/studio/acme/live')
  await page.getByText('Connected').waitFor()

  const shop = await aShop(studio)
  const passing = await aVisitorOf(`${shop}/tilth`)
  const known = await aVisitorOf(`${shop}/posthog`)
  await expect.poll(async () => (await personsOf(studio)).length, { interval: 250 }).toBe(2)
  const anonymous = String(await known.evaluate('posthog.get_distinct_id()'))
  const persons = await personsOf(studio)
  const { id = '', label: { name } = { name: '' } } =
    persons.find((one) => one.distinctId === anonymous) ?? {}
  const other = persons.find((one) => one.distinctId !== anonymous)?.label.name ?? ''
  expect([name, other]).toEqual([
    expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/),
    expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/),
  ])

  // in Live, as soon as it happens
  for (const one of [name, other]) await liveRow(page, one).first().waitFor()
  const mark = await markIn(liveRow(page, name))
  await page.getByLabel('Search page, person and properties').fill(name)
  await liveRow(page, other).first().waitFor({ state: 'detached' })

  // in People, by a part of the name
  await visit(page, '/studio/acme/people')
  await row(page, other)
    .getByText(/, read “Boards 2”/)
    .waitFor()
  await page.getByRole('searchbox').fill(name.slice(0, -1).toLowerCase())
  await row(page, other).waitFor({ state: 'detached' })
  await row(page, name).waitFor()
  expect(await markIn(row(page, name))).toBe(mark)

  // behind a number
  const question = encodeURIComponent(queryText({ kind: 'totals', period: '7d' }))
  await visit(page, `/studio/acme/people/behind?question=${question}&point={}`)
  for (const one of [name, other]) await row(page, one).waitFor()

  // at a flag
  await visit(page, '/studio/acme/flags/new-pricing/people?show=all')
  for (const one of [name, other]) await row(page, one).waitFor()

  // in an answer to a survey
  const box = passing.getByRole('dialog', { name: 'Feedback' })
  await box.getByRole('textbox', { name: 'Why?' }).fill('It is quick')
  await box.getByRole('button', { name: 'Submit' }).click()
  await box.getByText('Thank you!').waitFor()
  await expect
    .poll(async () => {
      await visit(page, `/studio/acme/surveys/${survey}/responses`)
      return await row(page, other).count()
    })
    .toBe(1)

  // identified: the name is their own, the mark stays
  await visit(page, '/studio/acme/live')
  await liveRow(page, name).first().waitFor()
  await known.evaluate(`posthog.identify('account-7', { name: 'Ana Lima', email: 'ana@example.com' })`)
  await liveRow(page, 'Ana Lima').filter({ hasText: 'ana@example.com' }).first().waitFor()
  expect(await markIn(liveRow(page, 'Ana Lima'))).toBe(mark)
  await liveRow(page, name).first().waitFor({ state: 'detached' })
  await expect
    .poll(async () => {
      await visit(page, `/studio/acme/people?search=${encodeURIComponent(name)}`)
      return await row(page, 'Ana Lima').filter({ hasText: 'ana@example.com' }).count()
    })
    .toBe(1)
  expect(await markIn(row(page, 'Ana Lima'))).toBe(mark)
  await isUsableInBothThemes(page)

  // an old link leads to the person, whose ids are copied by a press
  await visit(page, `/studio/acme/people/${id}`)
  const heading = page.getByRole('heading', { level: 1, name: 'Ana Lima' })
  expect(await markIn(heading)).toBe(mark)
  // one live region of the frame says what was copied, however many ids there are
  await expect.poll(() => page.locator('main output').count()).toBe(0)
  await page.getByRole('button', { name: 'Copy distinct id account-7' }).click()
  await page.getByText('Distinct id account-7 copied').waitFor({ state: 'attached' })
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('account-7')
  await isUsableInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)
})
