import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aTilth } from '../start/tilth'
import { anEvent, send } from '../studio/collecting'
import {
  accessibilityViolations,
  violationsInBothThemes,
  aPerson,
  aSharedStudio,
  fitsWindow,
  inAnotherProject,
  openOwnerPage,
  visit,
  waitForHydration,
} from '../studio/studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'))

test('a newcomer comes from an empty folder to the first chart: set-up, the write key, an event, numbers', async () => {
  const tilth = await aTilth()
  const page = await aPerson({ browser, address: tilth.address })
  await page.goto('/')
  await page.waitForURL('**/studio/setup')
  await page.getByRole('heading', { name: 'Set up Tilth' }).waitFor()
  await waitForHydration(page)
  await expect.poll(() => focused(page)).toBe('code')
  expect(await violationsInBothThemes(page)).toEqual([])

  await page.keyboard.type(/^Set-up code: (\S+)$/m.exec(tilth.out)?.[1] ?? '')
  await page.getByLabel('Your name').fill('Ana Berg')
  await page.getByLabel('Your e-mail').fill('ana@example.com')
  await page.getByLabel('Password', { exact: true }).fill('lantern orchard violin')
  await page.getByLabel('First project').fill('Shop')
  await page.getByRole('button', { name: 'Set up Tilth' }).click()
  await page.waitForURL('**/studio/shop')
  await page.getByText('Waiting for your first event').waitFor()
  const writeKey = await page.getByRole('textbox', { name: 'Write key' }).inputValue()

  await send({ address: tilth.address, writeKey }, anEvent())
  await page.getByRole('heading', { name: 'Last 7 days' }).waitFor()
  const chart = page.getByRole('region', { name: 'Visitors of the last 30 days' })
  await chart.getByRole('img').first().waitFor()
  await page.getByRole('link', { name: 'Done: Connect a site' }).waitFor()
})

test('Home turns into numbers with the first event, and its checklist shows what is done', async () => {
  const studio = inAnotherProject(await shared(browser))
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/${studio.slug}`)
  await page.getByText('Waiting for your first event').waitFor()
  // the browser of this test is driven by a program, which is said before anything is looked for
  await page.getByText('Your browser is automated').waitFor()
  const step = (name: string) => page.getByRole('region', { name: 'Next steps' }).getByRole('link', { name })
  await expect.poll(() => step('Connect a site').getByText('Done:').count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])

  await send(studio, anEvent())
  await page.getByRole('heading', { name: 'Last 7 days' }).waitFor()
  await page.getByRole('link', { name: 'Done: Connect a site' }).waitFor()
  await page.getByRole('heading', { name: 'Visitors of the last 30 days' }).waitFor()
  await expect.poll(() => page.getByText('Waiting for your first event').count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
})

test('on a phone the numbers fit', async () => {
  const studio = inAnotherProject(await shared(browser))
  await send(studio, anEvent())
  const page = await openOwnerPage(studio, { viewport: { width: 390, height: 844 } })
  await expect
    .poll(async () => {
      await visit(page, `/studio/${studio.slug}`)
      return await page.getByRole('heading', { name: 'Last 7 days' }).count()
    })
    .toBe(1)
  await page.getByRole('heading', { name: 'Visitors of the last 30 days' }).waitFor()
  await fitsWindow(page)
})

test('a forgotten password has a way out without a mail server', async () => {
  const page = await aPerson(await shared(browser))
  await visit(page, '/studio/sign-in')
  await page.getByRole('link', { name: /Forgot/ }).click()
  await page.getByText('node bin/tilth.js member reset-link').waitFor()
})
