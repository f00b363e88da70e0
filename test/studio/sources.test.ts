import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import { anotherSite } from './other-site'
import {
  aPerson,
  aSharedStudio,
  askApi,
  chooseOption,
  isUsable,
  openDialog,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** A visitor comes from somewhere, looks at another page, and signs up. */
async function signsUp(studio: TestStudio, person: string, properties: object): Promise<void> {
  const timestamp = daysAgo(15)
  const visitor = `visitor-${person}`
  const opened = { $current_url: 'https://shop.example.com/', ...properties }
  await send(studio, { ...anEvent({ distinct_id: visitor, properties: opened }), timestamp })
  await send(studio, {
    ...anEvent({ distinct_id: visitor, properties: { $referrer: 'https://shop.example.com/' } }),
    timestamp: new Date(Date.parse(timestamp) + 60_000).toISOString(),
  })
  const identified = { event: '$identify', distinct_id: person, properties: { $anon_distinct_id: visitor } }
  const later = new Date(Date.parse(timestamp) + 120_000).toISOString()
  await send(studio, { ...anEvent(identified), timestamp: later })
  await send(studio, { ...anEvent({ event: 'signup', distinct_id: person }), timestamp: later })
}

/** Ana found the shop by a search and came back; Ben read the newsletter and did not. Two visitors came today. */
async function sendVisits(studio: TestStudio): Promise<void> {
  await signsUp(studio, 'ana', { $referrer: 'https://www.google.com/' })
  await signsUp(studio, 'ben', {
    $current_url: 'https://shop.example.com/?utm_source=newsletter&utm_medium=email',
  })
  await send(studio, { ...anEvent({ event: 'ordered', distinct_id: 'ana' }), timestamp: daysAgo(8) })
  await send(studio, anEvent({ distinct_id: 'cem' }))
  await send(studio, anEvent({ event: 'signup', distinct_id: 'cem' }))
  await send(studio, anEvent({ distinct_id: 'dana' }), iPhone)
  const query = { kind: 'trend', period: '30d', series: [{ event: null }] }
  const told = () =>
    askApi<{ answer: { lines: { total: number }[] } }>(studio, 'POST', '/projects/acme/query?fresh=1', {
      question: query,
    })
  await expect.poll(async () => (await told()).answer.lines[0]?.total).toBe(12)
}

const shared = aSharedStudio(sendVisits)

async function choose(page: Page, box: string, option: string | RegExp) {
  await openList(page.getByRole('combobox', { name: box, exact: true }))
  await chooseOption(page, option)
}

/** The form comes a moment after its page. */
const untilBuilt = (page: Page) =>
  page.getByRole('switch', { name: 'Filter out internal and test users' }).waitFor()

test('which source brings sign-ups that come back', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/insights/new?kind=retention')
  await untilBuilt(page)
  await choose(page, 'Starts with', /^signup/i)
  await page.getByRole('switch', { name: 'Same as start event' }).click()
  await page.getByRole('combobox', { name: 'Returns with', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Add breakdown' }).fill('First-touch')
  await chooseOption(page, /^First-touch source/)

  const ofAll = (source: string) =>
    page.getByRole('table', { name: `Cohorts: ${source}` }).getByRole('row', { name: /^All/ })
  await expect.poll(() => ofAll('Google').innerText()).toMatch(/^All\s+1\s+100%\s+100%/)
  await expect.poll(() => ofAll('Newsletter').innerText()).toMatch(/^All\s+1\s+100%\s+0%/)
  await isUsable(page)
})

test('this week’s funnel by device is put onto a new dashboard, shared with a password and embedded', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/insights')
  await page.getByRole('link', { name: 'Conversion and drop-off between steps' }).click()
  await untilBuilt(page)
  await choose(page, 'Step 2', /^signup/i)
  await page.getByRole('button', { name: /^Date range/ }).click()
  await page.getByRole('button', { name: 'This week' }).click()
  await page.getByRole('button', { name: 'Date range: This week' }).waitFor()
  await page.getByRole('combobox', { name: 'Add breakdown' }).fill('Device')
  await chooseOption(page, /^Device(?! id)/)

  await page.getByRole('link', { name: 'Desktop, signup: 1 person' }).waitFor()
  await page.getByRole('link', { name: 'Mobile, signup: 1 person dropped off before' }).waitFor()
  await saveOntoNewDashboard(page, { insight: 'Sign-ups by device', dashboard: 'This week' })

  await page.getByRole('region', { name: 'Sign-ups by device' }).waitFor()
  const site = await anotherSite()
  const { link, code } = await shareWithPassword(page, { name: 'This week', host: site.origin })
  site.publish(code)

  const guest = await aPerson(studio)
  await guest.goto(site.origin)
  const frame = guest.frameLocator(`iframe[src="${link}"]`)
  await frame.getByLabel('Password', { exact: true }).fill('let me in')
  await frame.getByRole('button', { name: 'Open' }).click()
  await frame.getByText('The password is wrong.').waitFor()
  expect(await frame.getByRole('region', { name: 'Sign-ups by device' }).count()).toBe(0)
  await frame.getByLabel('Password', { exact: true }).fill('open sesame')
  await frame.getByRole('button', { name: 'Open' }).click()
  const card = frame.getByRole('region', { name: 'Sign-ups by device' })
  await card.getByText('overall conversion: 1 of 2 people').waitFor()
  await card.getByTitle('Desktop, signup: 1 person').waitFor()
  await card.getByTitle('Mobile, signup: 1 person dropped off before').waitFor()
})

async function saveOntoNewDashboard(page: Page, named: { insight: string; dashboard: string }) {
  await page.getByRole('button', { name: 'Save…' }).click()
  const saving = await openDialog(page, 'Save insight')
  await saving.getByLabel('Name', { exact: true }).fill(named.insight)
  await saving.getByRole('combobox', { name: 'Add to dashboard' }).click()
  await page.getByRole('option', { name: 'New dashboard' }).click()
  await saving.getByLabel('Name of the new dashboard').fill(named.dashboard)
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(`Added to ${named.dashboard}`).first().hover()
  await page.getByRole('button', { name: 'Open dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: named.dashboard }).waitFor()
}

async function shareWithPassword(page: Page, { name, host }: { name: string; host: string }) {
  await page.getByRole('button', { name: 'Share…' }).click()
  const sharing = await openDialog(page, `Share ${name}`)
  await sharing.getByLabel('Password', { exact: true }).fill('open sesame')
  await sharing.getByRole('button', { name: 'Create link' }).click()
  const embed = sharing.getByRole('button', { name: 'Get embed code' })
  await embed.waitFor()
  await sharing.getByLabel('Allowed embed domains').fill(host)
  await embed.click()
  const code = (await sharing.locator('pre[aria-label="Embed code"]').textContent()) ?? ''
  return { link: await sharing.getByLabel('Link', { exact: true }).inputValue(), code }
}

test('a person shows where they came from at first', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/people')
  await page.getByRole('link', { name: /\bana\b/ }).click()
  const properties = page.getByRole('region', { name: 'Properties' })
  await properties.getByText('First-touch channel').waitFor()
  await properties.getByText('Organic Search', { exact: true }).waitFor()
})
