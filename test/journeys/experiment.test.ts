import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored, writeKey } from '../studio/collecting'
import { untilCounted } from '../studio/experiments'
import {
  askApi,
  aStudio,
  chooseOption,
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

const dayMs = 86_400_000

test('a winner is read, questioned, shipped, and everyone gets it', async () => {
  const studio = await aStudio(browser)
  const id = await aRunningExperiment(studio)
  await sendVisitors(studio)
  const page = await openOwnerPage(studio)
  const address = `/studio/acme/experiments/${id}`
  await untilCounted(studio, id, [200, 200])

  await visit(page, address)
  await page.getByText(/^Ship “test”: Orders \+/).waitFor()
  const primary = page.getByRole('region', { name: 'Primary metrics' }).first()
  await primary.getByRole('row', { name: /^control 10% of 200 Control/ }).waitFor()
  await primary.getByRole('row', { name: /^test 25% of 200 \+150%/ }).waitFor()
  await primary.getByRole('img', { name: /^Orders, test: \+\d+%, 95% interval/ }).waitFor()
  await primary.getByRole('cell', { name: /^99(\.\d)?%$/ }).waitFor()
  await primary.getByText('Better', { exact: true }).waitFor()
  await page
    .getByRole('region', { name: 'Guardrail metrics' })
    .first()
    .getByText('Safe', { exact: true })
    .waitFor()
  await isUsableInBothThemes(page)

  await primary.getByText('Details of Orders').click()
  await primary.getByText(/^Share of exposed units with “ordered”/).waitFor()
  await primary.getByRole('link', { name: 'Open as insight' }).waitFor()

  await page.getByRole('link', { name: 'Absolute' }).click()
  await page.waitForURL('**?effects=absolute')
  await primary.getByText('+15 points', { exact: true }).waitFor()

  await seeExposures(page)
  await explore(page)
  await writeNotes(page)
  await ship(page, studio, address)
})

const variantOf = (number: number) => (number % 2 === 0 ? 'control' : 'test')

async function aRunningExperiment(studio: TestStudio): Promise<string> {
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ],
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'New checkout',
    flag: 'checkout',
    metrics: [
      { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } },
      {
        name: 'Clicks',
        role: 'guardrail',
        margin: 20,
        measured: { type: 'total', amount: { happening: { event: 'clicked' } } },
      },
    ],
  })
  const at = new Date(Date.now() - 3 * dayMs).toISOString()
  await askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`, { at })
  return id
}

/** 400 persons: one in ten orders with the control, one in four with the new checkout, and all of them click. */
async function sendVisitors(studio: TestStudio) {
  const events = Array.from({ length: 400 }, (_, number) => {
    const exposedAt = Date.now() - 2.5 * dayMs + number * 60_000 * 6
    const base = { api_key: writeKey, distinct_id: `person-${number}` }
    const at = (minutes: number) => ({ timestamp: new Date(exposedAt + minutes * 60_000).toISOString() })
    const rank = Math.floor(number / 2)
    const orders = variantOf(number) === 'test' ? rank % 4 === 0 : rank % 10 === 0
    return [
      {
        ...anEvent({
          ...base,
          event: '$feature_flag_called',
          properties: {
            $feature_flag: 'checkout',
            $feature_flag_response: variantOf(number),
            plan: rank % 2 === 0 ? 'free' : 'pro',
          },
        }),
        ...at(0),
      },
      ...Array.from({ length: 2 + (rank % 3) }, (__, click) => ({
        ...anEvent({ ...base, event: 'clicked' }),
        ...at(1 + click),
      })),
      ...(orders ? [{ ...anEvent({ ...base, event: 'ordered' }), ...at(10) }] : []),
    ]
  }).flat()
  // a person who saw both variants counts in neither
  const both = (['control', 'test'] as const).map((variant, i) => ({
    ...anEvent({
      event: '$feature_flag_called',
      distinct_id: 'both',
      properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
    }),
    timestamp: new Date(Date.now() - dayMs + i * 1000).toISOString(),
  }))
  const all = [...events, ...both]
  expect(await send(studio, all)).toBe(200)
  await untilStored(studio, all.length)
}

async function seeExposures(page: Page) {
  await page.getByRole('link', { name: 'Exposures', exact: true }).click()
  const split = page.getByRole('region', { name: 'Split' }).first()
  await split.getByRole('row', { name: /^control 200 50% 50%/ }).waitFor()
  await page.getByRole('row', { name: /^Saw several variants: .* control and test 1$/ }).waitFor()
  await isUsableInBothThemes(page)
}

async function explore(page: Page) {
  await page.getByRole('link', { name: 'Explore', exact: true }).click()
  await page.getByLabel('Property', { exact: true }).fill('plan')
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.waitForURL('**key=plan**')
  const table = page.getByRole('table', { name: 'Orders by plan' })
  await table
    .getByRole('rowheader', { name: /^test .* of 100$/ })
    .first()
    .waitFor()
  await expect.poll(() => table.getByRole('rowheader', { name: /^(free|pro)$/ }).count()).toBe(2)
  await isUsableInBothThemes(page)
}

async function writeNotes(page: Page) {
  await page.getByRole('link', { name: 'Notes', exact: true }).click()
  await page.getByLabel('Notes and learnings').fill('# Learned\n\nA **shorter** form helps.')
  await page.getByRole('region', { name: 'Preview of the notes' }).getByText('shorter').waitFor()
  await page.getByRole('button', { name: 'Save notes' }).click()
  await page.getByText('The notes are saved').waitFor()
  await isUsableInBothThemes(page)
}

async function ship(page: Page, studio: TestStudio, address: string) {
  await visit(page, address)
  await page.getByRole('button', { name: 'Ship a variant…' }).click()
  const dialog = await openDialog(page, 'Ship a variant')
  await openList(dialog.getByLabel('Variant', { exact: true }))
  await chooseOption(page, 'test')
  await dialog.getByLabel('Why').fill('More orders')
  await dialog.getByRole('button', { name: 'Ship it to everyone' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('“test” was shipped').waitFor()
  await page.getByText('More orders').waitFor()
  await page.getByText('Ended', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'End experiment…' }).count()).toBe(0)
  await expect.poll(() => flagsOf(studio)).toEqual(Array(10).fill('test'))
}

/** What ten new visitors get. */
async function flagsOf({ address }: TestStudio): Promise<unknown[]> {
  return await Promise.all(
    Array.from({ length: 10 }, async (_, number) => {
      const answer = await fetch(`${address}/flags/?v=2`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: writeKey, distinct_id: `new-${number}` }),
      })
      const { flags } = (await answer.json()) as { flags: Record<string, { variant?: string }> }
      return flags['checkout']?.variant
    }),
  )
}
