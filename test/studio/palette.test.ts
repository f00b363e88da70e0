import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import {
  accessibilityViolations,
  aMember,
  aSharedStudio,
  askApi,
  fitsWindow,
  openDialog,
  untilIdle,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** Acme has one thing of most kinds; Cleo bought on the Pro plan. */
async function fillAcme(studio: TestStudio): Promise<void> {
  const create = (path: string, body: unknown) => askApi(studio, 'POST', `/projects/acme${path}`, body)
  await create('/insights', { name: 'Onboarding funnel', question: { kind: 'totals' } })
  await create('/dashboards', { name: 'Growth' })
  await create('/flags', { key: 'onboarding-tour' })
  await create('/surveys', { name: 'Onboarding survey' })
  await create('/cohorts', { name: 'Power users', persons: [] })
  await create('/posts', { title: 'How we rebuilt onboarding' })
  const cleo = { email: 'cleo@example.com', name: 'Cleo Onboarova' }
  await send(studio, anEvent({ event: '$identify', distinct_id: 'cleo', properties: { $set: cleo } }))
  await send(studio, anEvent({ event: 'purchase', distinct_id: 'cleo', properties: { plan_tier: 'pro' } }))
  await expect
    .poll(async () => (await askApi<{ total: number }>(studio, 'GET', '/projects/acme/persons')).total)
    .toBe(1)
}

const shared = aSharedStudio(fillAcme)

const shownOptions = (page: Page) => page.getByRole('dialog', { name: 'Command palette' }).getByRole('option')
const option = (page: Page, name: RegExp | string) => shownOptions(page).filter({ hasText: name })

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await openDialog(page, 'Command palette')
}

async function atHome(options: Parameters<typeof openOwnerPage>[1] = {}): Promise<Page> {
  const page = await openOwnerPage(await shared(browser), options)
  await visit(page, '/studio/acme')
  return page
}

describe('the command palette finds', () => {
  test('things of every kind by a mistyped word, and opens one by keyboard', async () => {
    const page = await atHome()
    await openPalette(page)
    await page.keyboard.type('onbord')
    await option(page, 'Cleo Onboarova').or(option(page, 'onboarding-tour')).first().waitFor()
    await expect
      .poll(() => shownOptions(page).allTextContents())
      .toEqual(['Onboarding funnel', 'onboarding-tour', 'Onboarding survey', 'How we rebuilt onboarding'])
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => option(page, 'onboarding-tour').getAttribute('data-highlighted')).not.toBeNull()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/studio/acme/flags/onboarding-tour')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test.each([
    // typed             the option                   where it leads
    ['cleo@exam', /Cleo Onboarova/, /\/people\/[0-9a-f-]+$/],
    ['power', /Power users/, /\/people\/cohorts\/.+/],
    ['grwth', /Growth/, /\/dashboards\/.+/],
    ['retention', /^Data retention/, /\/settings\/retention$/],
  ])('"%s"', async (typed, name, address) => {
    const page = await atHome()
    await openPalette(page)
    await page.keyboard.type(typed)
    await option(page, name).click()
    await page.waitForURL(address)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test.each([
    // typed             the first option             where it leads
    ['goals', /^Goals/, /\/web\/goals$/],
    ['segments', /^Segments/, /\/web\/goals$/],
    ['Germany', /^Germany/, /\/web\?country=DE$/],
    ['purchase', /^purchase/, /\/insights\/new\?q=/],
    ['cleo onb', /^Cleo Onboarova/, /\/people\/[0-9a-f-]+$/],
  ])('"%s" first', async (typed, name, address) => {
    const page = await atHome()
    await openPalette(page)
    await page.keyboard.type(typed)
    await expect.poll(() => shownOptions(page).first().textContent()).toMatch(name)
    await shownOptions(page).first().click()
    await page.waitForURL(address)
  })

  test('an event before the persons who are found by an address that has its name', async () => {
    const studio = await shared(browser)
    const properties = { $set: { email: 'purchase@example.com' } }
    await send(studio, anEvent({ event: '$identify', distinct_id: 'purchase-of-eve', properties }))
    const page = await atHome()
    await openPalette(page)
    await page.keyboard.type('purchase')
    await option(page, 'purchase@example.com').waitFor()
    await expect.poll(() => shownOptions(page).first().textContent()).toBe('purchase')
  })

  test('an event and a property, and asks about them', async () => {
    const page = await atHome()
    await openPalette(page)
    await page.keyboard.type('purchase')
    await page.getByRole('option', { name: 'purchase', exact: true }).click()
    await page.waitForURL(/\/insights\/new\?q=/)
    await page.getByText('purchase', { exact: true }).first().waitFor()
    await openPalette(page)
    await page.keyboard.type('plan tier')
    await option(page, 'Event property').click()
    // on the page of the event's query the form changes with the link
    await page
      .getByLabel(/^Breakdown 1/)
      .first()
      .waitFor()
  })
})

test('what was opened last comes first, by its present name, and no one else sees it', async () => {
  const studio = await shared(browser)
  const page = await atHome()
  await openPalette(page)
  await page.keyboard.type('power')
  await option(page, 'Power users').click()
  await page.getByRole('heading', { name: 'Power users' }).waitFor()
  // an effect of the page remembers it
  await untilIdle(page)
  await visit(page, '/studio/acme/flags/onboarding-tour')
  const { cohorts } = await askApi<{ cohorts: { id: string }[] }>(studio, 'GET', '/projects/acme/cohorts')
  await askApi(studio, 'PATCH', `/projects/acme/cohorts/${cohorts[0]?.id}`, { name: 'Champions' })

  await openPalette(page)
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
  await recent.first().waitFor()
  await expect.poll(() => recent.allTextContents()).toEqual(['onboarding-tourFlag', 'ChampionsCohort'])
  expect(await page.evaluate(() => Object.values(localStorage).join())).not.toContain('Power users')
})

test('it creates what the role may create', async () => {
  const studio = await shared(browser)
  const page = await atHome()
  await openPalette(page)
  await page.keyboard.type('new dash')
  await option(page, 'New dashboard').click()
  await page.getByRole('dialog', { name: 'New dashboard' }).getByLabel('Name').waitFor()
  await visit(page, '/studio/acme')
  await openPalette(page)
  await page.keyboard.type('invite')
  await option(page, 'Invite member').click()
  await page.getByRole('dialog', { name: 'Invite a member' }).getByLabel('E-mail').waitFor()

  const viewer = await aMember(studio, 'viewer', 'Vera')
  await visit(viewer, '/studio/acme')
  await openPalette(viewer)
  await viewer.keyboard.type('onboarding survey')
  await option(viewer, 'Onboarding survey').waitFor()
  await viewer.getByRole('combobox', { name: 'Search commands' }).fill('new')
  await option(viewer, 'Onboarding survey').waitFor({ state: 'detached' })
  await expect.poll(() => option(viewer, /^(New|Invite) /).count()).toBe(0)
})

test('it changes the theme, shares the page, and gives the focus back', async () => {
  const page = await atHome()
  await visit(page, '/studio/acme/web')
  const goals = page.getByRole('link', { name: 'Goals' }).first()
  await goals.focus()
  await openPalette(page)
  await page.keyboard.type('dark')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => goals.evaluate((link) => link === document.activeElement)).toBe(true)

  await openPalette(page)
  await page.keyboard.type('dark')
  await option(page, 'Dark theme').click()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')

  await openPalette(page)
  await page.keyboard.type('share')
  await option(page, 'Share this page').click()
  await openDialog(page, 'Share web analytics')
})

test('it says that it searches until the server has answered', async () => {
  const page = await atHome()
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/studio/acme/search?text=**', async (route) => {
    await held
    await route.continue()
  })
  await openPalette(page)
  const dialog = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.type('new')
  await option(page, 'New flag').waitFor()
  await dialog.getByText('Searching…').waitFor()
  answer()
  await dialog.getByText('Searching…').waitFor({ state: 'detached' })
})

test('on a phone it fits, and says how many results there are', async () => {
  const page = await atHome({ viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: /^Search or jump to/ }).click()
  await page.getByRole('combobox', { name: 'Search commands' }).fill('onboarding')
  await page.getByRole('status').filter({ hasText: '4 results' }).waitFor({ state: 'attached' })
  await fitsWindow(page)
  expect(await accessibilityViolations(page)).toEqual([])
})
