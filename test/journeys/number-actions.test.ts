import type { Browser, Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryText } from '#insights/text/query-text'
import { openBrowser } from '../pages/browser'
import { aVisitor } from '../site/site-fixture'
import { anEvent, send, untilStored } from '../studio/collecting'
import { anotherSite } from '../studio/other-site'
import {
  aMember,
  askApi,
  aStudio,
  fitsWindow,
  openOwnerPage,
  type TestStudio,
  violationsInBothThemes,
  visit,
  waitForHydration,
} from '../studio/studio'
import { sendUntilTaken } from '../wire/send-again'
import { patientClient } from '../wire/posthog-server'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const agents = ['Firefox/140.0', 'Chrome/140.0.0.0 Safari/537.36', 'Version/18.5 Safari/605.1.15'].map(
  (name) => `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${name}`,
)

/** Three people look at a page of another site with the tag on it, and two of them sign up. */
async function lookAround({ address, writeKey }: TestStudio) {
  const site = await anotherSite()
  site.publish(`<!doctype html><title>Boards</title>
    <script defer src="${address}/_tilth/script.js" data-project="${writeKey}"></script>
    <h1>Boards</h1><button onclick="tilth.track('signup'); this.textContent = 'Signed up'">Sign up</button>`)
  for (const [index, userAgent] of agents.entries()) {
    const page = await aVisitor(browser, { userAgent })
    const viewed = page.waitForResponse((response) => response.url().startsWith(address) && response.ok())
    await page.goto(site.origin)
    await viewed
    await page.waitForFunction(() => 'tilth' in window)
    if (index > 1) continue
    const told = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().startsWith(address),
    )
    await page.getByRole('button', { name: 'Sign up' }).click()
    expect((await told).ok()).toBe(true)
  }
}

/** Three Germans and two French, whose country an import says. */
async function importCustomers(studio: TestStudio) {
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const batch = ['DE', 'DE', 'DE', 'FR', 'FR'].map((country, index) => ({
    ...anEvent({
      distinct_id: `customer-${index}`,
      properties: {
        $geoip_country_code: country,
        $session_id: `0198c0de-0000-7000-8000-00000000000${index}`,
      },
    }),
    timestamp: at,
  }))
  const body = JSON.stringify({ api_key: studio.writeKey, historical_migration: true, batch })
  const headers = { 'content-type': 'application/json' }
  const answer = await sendUntilTaken(() =>
    fetch(`${studio.address}/batch/`, { method: 'POST', headers, body }),
  )
  expect(answer.status).toBe(200)
}

const newInsight = (query: object) => `/studio/acme/insights/new?q=${queryText(query)}`
const signups = { kind: 'funnel', steps: [{ event: '$pageview' }, { event: 'signup' }] }

test('people behind numbers become a cohort, get a flag, are asked, and are watched', async () => {
  const studio = await aStudio(browser)
  await lookAround(studio)
  await importCustomers(studio)
  await untilStored(studio, 10)
  const page = await openOwnerPage(studio)
  await makeCohort(page, studio)
  await askPeople(page, studio)
  await watch(page, studio)
  await saveSegment(page)
  await turnFlagOn(studio)
  await writeTo(page, studio)
  await viewerSees(await aMember(studio, 'viewer', 'Vera'))
})

/** With the keyboard: those who did not sign up are the six others. */
async function makeCohort(page: Page, studio: TestStudio) {
  await visit(page, newInsight(signups))
  await waitForHydration(page)
  const dropped = page.getByRole('link', { name: /6 people dropped off before/ })
  await dropped.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await menu.getByText('6 people', { exact: true }).waitFor()
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Who are they')
  expect(await violationsInBothThemes(page)).toEqual([])

  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await expect.poll(() => dropped.evaluate((link) => link === document.activeElement)).toBe(true)

  await page.keyboard.press('Space')
  await menu.waitFor()
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Who are they')
  await page.keyboard.type('Make')
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Make a cohort')
  await page.keyboard.press('Enter')
  await page.waitForURL(/cohorts\/new/)
  expect(page.url().length).toBeLessThan(1000)
  await page.getByText('6 people match now.').waitFor()
  await page.getByRole('button', { name: 'Create cohort' }).click()
  await page.getByRole('heading', { name: 'Dropped off before signup' }).waitFor()
  const { cohorts } = await askApi<{ cohorts: { id: string; name: string }[] }>(
    studio,
    'GET',
    '/projects/acme/cohorts',
  )
  expect(cohorts.map(({ name }) => name)).toEqual(['Dropped off before signup'])
  await page
    .getByText(/\b6 people\b/)
    .first()
    .waitFor()
}

/** From the last point of a line, with the keys that read it. */
async function askPeople(page: Page, studio: TestStudio) {
  await visit(page, newInsight({ kind: 'trend', series: [{ event: 'signup' }], chart: 'bar', period: '7d' }))
  await waitForHydration(page)
  await page.getByRole('slider', { name: /point by point/ }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await menu.getByText('2 people', { exact: true }).waitFor()
  await menu.getByRole('menuitem', { name: 'Ask them a question' }).click()
  await page.getByText('2 people match now.').waitFor()
  await page.getByRole('button', { name: 'Use Blank survey' }).click()
  await page.waitForURL(/surveys\/(?!new)/)
  const { surveys } = await askApi<{ surveys: { targeting: { person?: { type: string } } }[] }>(
    studio,
    'GET',
    '/projects/acme/surveys',
  )
  expect(surveys.map(({ targeting }) => targeting.person?.type)).toEqual(['cohort'])
}

async function watch(page: Page, studio: TestStudio) {
  await visit(page, '/studio/acme/web?compare=none')
  await waitForHydration(page)
  await page
    .getByRole('link', { name: 'Boards: 3', exact: true })
    .or(page.getByRole('link', { name: '/: 3', exact: true }))
    .first()
    .click()
  const menu = page.getByRole('menu')
  await menu.getByText('3 people', { exact: true }).waitFor()
  await menu.getByRole('menuitem', { name: 'Watch this' }).click()
  await page.getByText('3 people match now.').waitFor()
  await page.getByRole('button', { name: 'Create alert' }).click()
  await page.waitForURL(/alerts\/(?!new)/)
  const { alerts } = await askApi<{ alerts: { name: string; watched: object }[] }>(
    studio,
    'GET',
    '/projects/acme/alerts',
  )
  expect(alerts).toMatchObject([{ name: 'Page: /', watched: { type: 'event', event: '$pageview' } }])
}

async function saveSegment(page: Page) {
  await visit(page, '/studio/acme/web?compare=none')
  await waitForHydration(page)
  await page.getByRole('link', { name: '/: 3', exact: true }).first().click()
  await page.getByRole('menu').getByRole('menuitem', { name: 'As a segment' }).click()
  await page.getByRole('dialog', { name: 'Save as segment' }).waitFor()
  await page.getByRole('button', { name: 'Save segment' }).click()
  await page.getByText('Segment saved').waitFor()
}

/** On a telephone, from the row of a country: an unmodified client gets it for a German, and not for others. */
async function turnFlagOn(studio: TestStudio) {
  const page = await openOwnerPage(studio, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await visit(page, '/studio/acme/web?compare=none&places-tab=country')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Germany: 3', exact: true }).tap()
  const menu = page.getByRole('menu')
  await menu.getByText('3 people', { exact: true }).waitFor()
  await fitsWindow(page)
  await menu.getByRole('menuitem', { name: 'Turn a flag on for them' }).click()
  await page.getByText('3 people match now.').waitFor()
  await page.getByLabel('Key', { exact: true }).fill('willkommen')
  await fitsWindow(page)
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'willkommen' }).waitFor()

  const client = new PostHog(studio.writeKey, { host: studio.address, ...patientClient })
  const isOn = (id: string) => client.isFeatureEnabled('willkommen', id)
  await expect.poll(() => isOn('customer-0'), { interval: 250 }).toBe(true)
  expect(await isOn('customer-3')).toBe(false)
  await client.shutdown()
}

/** One of three Germans subscribed: the newsletter goes to that one, and to no other subscriber. */
async function writeTo(page: Page, studio: TestStudio) {
  const set = anEvent({
    event: '$set',
    distinct_id: 'customer-0',
    properties: { $set: { email: 'customer-0@example.com' } },
  })
  expect(await send(studio, [set])).toBe(200)
  await askApi(studio, 'POST', '/projects/acme/letter-lists/newsletter/import', {
    addresses: 'customer-0@example.com\nstranger@example.com',
    consent: 'Signed up at the fair',
  })
  const post = { title: 'Boards 3', slug: 'boards-3', body: 'They are out.' }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/posts', post)
  await askApi(studio, 'POST', `/projects/acme/posts/${id}/publish`, {})

  await visit(page, '/studio/acme/web?compare=none&places-tab=country')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Germany: 3', exact: true }).click()
  await page.getByRole('menu').getByRole('menuitem', { name: 'Write to them' }).click()
  await page.getByText('3 people match now.').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByLabel('Cohort name').fill('Germans to write to')
  await page.getByRole('button', { name: 'Create cohort and write' }).click()
  await page.waitForURL(/newsletter\/new\?cohort=/)
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Cohort' }).textContent())
    .toContain('Germans to write to')
  const review = async () => {
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('heading', { name: /^Boards 3: \d+ subscribers?$/ }).waitFor()
    return await page.getByRole('heading', { name: /^Boards 3: / }).textContent()
  }
  // the e-mail address of the person is stored within a moment
  await expect.poll(review).toBe('Boards 3: 1 subscriber')
}

async function viewerSees(page: Page) {
  await visit(page, newInsight(signups))
  await waitForHydration(page)
  await page.getByRole('link', { name: /6 people dropped off before/ }).click()
  const menu = page.getByRole('menu')
  await menu.getByText('6 people', { exact: true }).waitFor()
  expect(await menu.getByRole('menuitem').allTextContents()).toEqual(['Who are they', 'Compare'])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
}
