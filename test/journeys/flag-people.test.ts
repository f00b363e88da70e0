import type { Browser, Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from '../studio/collecting'
import { patientClient } from '../wire/posthog-server'
import { sendUntilTaken } from '../wire/send-again'
import {
  accessibilityViolations,
  askApi,
  aStudio,
  chooseOption,
  isUsable,
  isUsableInBothThemes,
  openOwnerPage,
  type TestStudio,
  visit,
} from '../studio/studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

interface MatchList {
  total: number
  counts: { persons: number }
  matches: { name: string; distinctId: string }[]
}

const people = (studio: TestStudio, parameters = '') =>
  askApi<MatchList>(studio, 'GET', `/projects/acme/flags/new-checkout/people${parameters}`)

test('20% of Germans on the Pro plan get a new flag, and its page lists who they are', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  await tellCustomers(studio)
  await createFlag(page)
  await expect.poll(async () => (await people(studio)).counts.persons).toBe(24)
  await expect.poll(async () => (await people(studio, '?show=all&set=1')).total).toBe(12)

  const served = await people(studio)
  expect(served.total).toBeGreaterThan(0)
  expect(served.total).toBeLessThan(12)
  await askAsClient(studio, served)
  await seeWho(page, served)
  await reorderSets(page)
  await compareEnvironments(studio, page)
})

/** Twelve Germans and six French on the Pro plan, and six Germans on the Free one: an import says where they were. */
async function tellCustomers(studio: TestStudio) {
  const customers = Array.from({ length: 24 }, (_, index) => ({
    distinct_id: `customer-${index}`,
    country: index < 12 || index >= 18 ? 'DE' : 'FR',
    plan: index < 18 ? 'pro' : 'free',
  }))
  for (const { distinct_id, plan } of customers) {
    const $set = { plan, name: `Customer ${distinct_id.slice('customer-'.length)}` }
    await send(studio, anEvent({ event: '$identify', distinct_id, properties: { $set } }))
  }
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const batch = customers.map(({ distinct_id, country }) => ({
    ...anEvent({ distinct_id, properties: { $geoip_country_code: country } }),
    timestamp: at,
  }))
  const body = JSON.stringify({ api_key: studio.writeKey, historical_migration: true, batch })
  const headers = { 'content-type': 'application/json' }
  const answer = await sendUntilTaken(() =>
    fetch(`${studio.address}/batch/`, { method: 'POST', headers, body }),
  )
  expect(answer.status).toBe(200)
  // the form of a flag offers the properties that are stored
  await untilStored(studio, 2 * customers.length)
}

async function createFlag(page: Page) {
  await visit(page, '/studio/acme/flags')
  await page.getByRole('link', { name: 'Create flag' }).click()
  await page.getByLabel('Key', { exact: true }).first().fill('new-checkout')
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'new-checkout' }).waitFor()

  await page.getByRole('button', { name: 'Add condition', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Country…' }).click()
  await page.getByLabel('Condition set 1, condition 1: value').fill('germ')
  await chooseOption(page, /^Germany/)
  await page.getByRole('button', { name: 'Remove Germany' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Add condition', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Person or group property…' }).click()
  await page.getByLabel('Condition set 1, condition 2: property').fill('plan')
  await chooseOption(page, /^plan/)
  await page.getByLabel('Condition set 1, condition 2: value').fill('pro')
  await chooseOption(page, /^pro/)
  await page.getByRole('button', { name: 'Remove pro' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })

  await page.getByLabel('Condition set 1: percentage', { exact: true }).fill('20')
  await page.getByText('If Country is Germany and plan is pro, 20% get it.').first().waitFor()
  await page.getByRole('switch', { name: 'Off in production' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('new-checkout saved').waitFor()
}

/** Of the Germans on the Pro plan, those of the list get the flag from an unmodified client, and the others do not. */
async function askAsClient(studio: TestStudio, { matches }: MatchList) {
  const client = new PostHog(studio.writeKey, { host: studio.address, ...patientClient })
  const ids = Array.from({ length: 24 }, (_, index) => `customer-${index}`)
  const values = await Promise.all(ids.map((id) => client.isFeatureEnabled('new-checkout', id)))
  await client.shutdown()
  const served = ids.filter((_, index) => values[index] === true)
  expect(served.toSorted()).toEqual(matches.map(({ distinctId }) => distinctId).toSorted())
}

async function seeWho(page: Page, { total, matches }: MatchList) {
  await page.getByRole('link', { name: 'People', exact: true }).last().click()
  const table = page.getByRole('table', { name: 'People and their values' })
  await table.waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(total + 1)
  for (const { name } of matches)
    await table.getByRole('row').filter({ hasText: name }).getByText('On', { exact: true }).first().waitFor()
  await page.getByText(`${total} in rollout · ${12 - total} outside`).waitFor()
  await isUsableInBothThemes(page)

  await page.getByRole('link', { name: 'Condition set 1' }).click()
  await page.waitForURL(/set=1/)
  await page.getByRole('region', { name: '12 people' }).waitFor()
  await page.getByRole('link', { name: 'Show all sets' }).click()
  // the links of the list before still name the set
  await page.getByRole('link', { name: 'Show all sets' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Get none/ }).click()
  await page.getByRole('region', { name: `${24 - total} people` }).waitFor()
  await page.getByText('No condition set matched.').first().waitFor()

  await page.getByRole('link', { name: /^Get a value/ }).click()
  await page.getByRole('region', { name: total === 1 ? '1 person' : `${total} people` }).waitFor()
  const [first] = matches
  await page.getByRole('link', { name: `Explain the value of ${first?.name}` }).click()
  await page.getByText('A condition set matched.', { exact: true }).waitFor()
}

/** The handle of the moved set keeps the focus, so that it can be moved on. */
async function reorderSets(page: Page) {
  await visit(page, '/studio/acme/flags/new-checkout')
  await page.getByRole('button', { name: 'Duplicate condition set 1' }).click()
  await page.getByLabel('Condition set 2: percentage', { exact: true }).fill('70')
  await page.getByText('plan is pro, 70% get it.').first().waitFor()
  await page.getByRole('button', { name: 'Move condition set 2: arrow keys, or drag' }).focus()
  await page.keyboard.press('ArrowUp')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  const percentage = (set: number) =>
    page.getByLabel(`Condition set ${set}: percentage`, { exact: true }).inputValue()
  const percentages = () => Promise.all([percentage(1), percentage(2)])
  await expect.poll(focused).toBe('Move condition set 1: arrow keys, or drag')
  await expect.poll(percentages).toEqual(['70', '20'])
  await page.getByText('condition set 2 moved to 1 of 2').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('Move condition set 2: arrow keys, or drag')
  await expect.poll(percentages).toEqual(['20', '70'])
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}

async function compareEnvironments(studio: TestStudio, page: Page) {
  await askApi(studio, 'POST', '/projects/acme/environments', { name: 'staging' })
  await askApi(studio, 'POST', '/projects/acme/flags', { key: 'same-everywhere' })
  await visit(page, '/studio/acme/flags/environments')
  await page.getByRole('link', { name: 'Compare' }).click()
  const table = page.getByRole('table', { name: 'Flags in production and staging' })
  const row = (key: string) => table.getByRole('row').filter({ hasText: key })
  await row('new-checkout').getByText('If Country is Germany and plan is pro, 20% get it.').waitFor()
  await row('new-checkout').getByText('No rules').waitFor()
  await expect.poll(() => row('same-everywhere').count()).toBe(0)
  await page.getByText('1 of 2 flags differs').waitFor()
  await page.getByRole('checkbox', { name: 'Show equal flags' }).click()
  await row('same-everywhere').waitFor()
  await isUsable(page)
}
