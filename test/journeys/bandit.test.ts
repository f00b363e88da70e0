import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, writeKey } from '../studio/collecting'
import { untilCounted } from '../studio/experiments'
import {
  askApi,
  aStudio,
  chooseOption,
  isUsable,
  isUsableInBothThemes,
  openDialog,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
} from '../studio/studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const often = { interval: 500 }

test('a bandit is created and started, moves its weights, and leaves weights alone that were changed by hand', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/insights', {
    name: 'Weekly orders',
    question: { kind: 'trend', series: [{ event: 'ordered' }] },
  })
  const page = await openOwnerPage(studio)
  const id = await createBandit(page)
  await start(page)
  await page.getByRole('link', { name: 'Results', exact: true }).click()
  const weights = page.getByRole('region', { name: 'Weights', exact: true })
  await weights.getByRole('row', { name: /^control 50% / }).waitFor()
  await page.getByText('The weights have not moved yet').waitFor()
  await page.getByText('No one has been exposed yet. Wait.').first().waitFor()

  // the bandit looks once when it starts, and waits for its burn-in
  await expect.poll(async () => (await logOf(studio, id)).lookedAt, often).toBeDefined()
  await sendVisitors(studio)
  await untilCounted(studio, id, [30, 30], [expect.closeTo(0.1), expect.closeTo(0.6)])
  await weights.getByRole('button', { name: 'Pause' }).click()
  await weights.getByText('Paused', { exact: true }).waitFor()
  await weights.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(async () => (await weightsOf(studio, id)).length, often).toBe(2)
  await seeMoves(page, id)
  await changeByHand(page, studio, id)
})

async function createBandit(page: Page): Promise<string> {
  await visit(page, '/studio/acme/experiments/new')
  await page.getByLabel('Name', { exact: true }).fill('Shorter checkout')
  await page.getByRole('radio', { name: /^Bandit/ }).click()
  await openList(page.getByRole('combobox', { name: 'Weights move' }))
  await chooseOption(page, 'At most once an hour')
  await page.getByLabel('Burn-in', { exact: true }).fill('20')
  await page.getByRole('radio', { name: /^A new flag/ }).click()
  await page.getByLabel('Key of the flag').fill('checkout')
  await page.getByRole('button', { name: 'Add a metric' }).click()
  const dialog = await openDialog(page, 'New metric')
  await openList(dialog.getByRole('combobox', { name: 'From a saved insight' }))
  await chooseOption(page, /^Weekly orders/)
  await dialog.getByLabel('Name', { exact: true }).fill('Orders')
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  await dialog.waitFor({ state: 'detached' })
  await isUsable(page)
  await page.getByRole('button', { name: 'Create experiment' }).click()
  await page.getByRole('heading', { name: 'Shorter checkout', exact: true }).waitFor()
  await page.waitForURL(/experiments\/[^/]+\/settings/)
  const [, id = ''] = /experiments\/([^/]+)\/settings/.exec(page.url()) ?? []
  return id
}

async function start(page: Page) {
  await page.getByRole('button', { name: 'Start…' }).click()
  const dialog = await openDialog(page, 'Start Shorter checkout?')
  await dialog.getByRole('checkbox', { name: 'Turn the flag on in production' }).click()
  await dialog.getByRole('button', { name: 'Start experiment' }).click()
  await page.getByText('Shorter checkout is running').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
}

/** Sixty persons: one in ten orders with the control, six in ten with the other variant. */
async function sendVisitors(studio: TestStudio) {
  const now = Date.now()
  const events = Array.from({ length: 60 }, (_, number) => {
    const variant = number % 2 === 0 ? 'control' : 'test'
    const rank = Math.floor(number / 2) % 10
    const base = {
      api_key: writeKey,
      distinct_id: `person-${number}`,
      timestamp: new Date(now).toISOString(),
    }
    const properties = {
      $feature_flag: 'checkout',
      $feature_flag_response: variant,
      $feature_flag_version: '2',
    }
    const exposed = { ...anEvent({ ...base, event: '$feature_flag_called', properties }), ...base }
    const orders = variant === 'test' ? rank < 6 : rank < 1
    return orders ? [exposed, { ...anEvent({ ...base, event: 'ordered' }), ...base }] : [exposed]
  }).flat()
  expect(await send(studio, events)).toBe(200)
}

interface WeightsLog {
  lookedAt?: string
  changes: { weights: Record<string, number> }[]
}

const logOf = (studio: TestStudio, id: string) =>
  askApi<WeightsLog>(studio, 'GET', `/projects/acme/experiments/${id}/weights`)

const weightsOf = async (studio: TestStudio, id: string) =>
  (await logOf(studio, id)).changes.map((change) => change.weights)

async function seeMoves(page: Page, id: string) {
  await visit(page, `/studio/acme/experiments/${id}`)
  const weights = page.getByRole('region', { name: 'Weights', exact: true })
  await weights.getByText('Moving', { exact: true }).waitFor()
  await weights.getByRole('row', { name: /^test 95% >?99\.\d% 30$/ }).waitFor()
  await page.getByRole('img', { name: 'How the weights moved' }).waitFor()
  const log = page.getByRole('region', { name: 'Log of weights' })
  await log
    .getByRole('row', { name: /5% 95% 45% \d+ bandit “test” is the best with a probability of/ })
    .waitFor()
  await log.getByRole('row', { name: /50% 50% 0% \d+ .* The weights are equal at the start\./ }).waitFor()
  await isUsableInBothThemes(page)
  await visit(page, `/studio/acme/experiments/${id}/exposures`)
  await page
    .getByText(/^The weights move, /)
    .first()
    .waitFor()
  await isUsableInBothThemes(page)
  await visit(page, `/studio/acme/experiments/${id}/plan`)
  await page.getByText('A bandit has no planned size', { exact: false }).waitFor()
}

async function changeByHand(page: Page, studio: TestStudio, id: string) {
  await askApi(studio, 'PATCH', '/projects/acme/flags/checkout', {
    variants: [
      { key: 'control', percentage: 40 },
      { key: 'test', percentage: 60 },
    ],
  })
  // a change of the experiment lets the bandit look at its flag
  await askApi(studio, 'PATCH', `/projects/acme/experiments/${id}`, {
    notes: 'Fewer in the new one for now.',
  })
  await expect.poll(async () => (await weightsOf(studio, id)).length, often).toBe(3)
  await visit(page, `/studio/acme/experiments/${id}`)
  const weights = page.getByRole('region', { name: 'Weights', exact: true })
  await weights.getByText(/ changed the weights by hand\.$/).waitFor()
  await weights.getByRole('row', { name: /^control 40% / }).waitFor()
  await weights.getByRole('button', { name: 'Resume' }).waitFor()
}
