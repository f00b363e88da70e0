import type { Browser, Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { patientClient } from '../wire/posthog-server'
import { untilCounted } from './experiments'
import {
  askApi,
  aStudio,
  chooseOption,
  fitsWindow,
  isUsable,
  isUsableInBothThemes,
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

const programme = '/studio/acme/experiments/programme'
const flags = ['checkout', 'menu', 'price'] as const
type FlagKey = (typeof flags)[number]

interface Assignment {
  person: string
  variants: Record<FlagKey, string>
}

test('from no experiment to the effect of a shipped one, which clients of posthog-node met', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  await visit(page, programme)
  await page.getByText('No experiment ended in this period').waitFor()
  await isUsable(page)
  await page.getByRole('link', { name: 'Running experiments' }).waitFor()

  const ids = await startAll(studio)
  const assignments = await meetFlags(studio)
  const effect = await order(studio, assignments)
  for (const flag of flags) await untilCounted(studio, ids[flag], sizes(assignments, flag))

  await ship(page, ids.checkout)
  await endExperiment(page, ids.price)
  await askApi(studio, 'POST', `/projects/acme/experiments/${ids.menu}/end`, { outcome: 'undecided' })

  await visit(page, '/studio/acme/experiments')
  await page.getByRole('link', { name: 'Programme' }).click()
  await page.getByRole('heading', { name: 'Experiment programme' }).waitFor()
  await page.getByText('1 shipped · 1 stopped · 1 undecided').waitFor()
  await page.getByText('1 of 3 shipped a new variant, 95% interval 6% to 79%').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'New checkout' })
  await row.getByText('Better', { exact: true }).waitFor()
  await row.getByText(effect, { exact: true }).waitFor()
  await row.getByRole('img', { name: `New checkout, test: ${effect} (95% interval` }).waitFor()
  await expect
    .poll(() => shownEffect(page, 'Shipped together, as measured'))
    .toBe(Number.parseInt(effect, 10))
  expect(await shownEffect(page, 'Shipped together, shrunk')).toBeLessThan(Number.parseInt(effect, 10))
  await isUsableInBothThemes(page)

  await search(page)
  await chooseMetric(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)
  await row.getByText('Better', { exact: true }).waitFor()
})

/** The number of a percentage in the figure with this name. */
async function shownEffect(page: Page, label: string): Promise<number> {
  const figure = page.getByText(label, { exact: true }).locator('..')
  const [, text = ''] = /\+(\d+)%/.exec((await figure.textContent()) ?? '') ?? []
  return Number(text)
}

async function startAll(studio: TestStudio): Promise<Record<FlagKey, string>> {
  const start = async (flag: FlagKey): Promise<string> => {
    await askApi(studio, 'POST', '/projects/acme/flags', {
      key: flag,
      kind: 'variants',
      variants: ['control', 'test'].map((key) => ({ key, percentage: 50 })),
      environments: { production: { isOn: true, conditions: [{}] } },
    })
    const conversion = (event: string) => ({ type: 'conversion', happening: { event } })
    const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
      name: `New ${flag}`,
      flag,
      hypothesis: 'People know what to do.',
      metrics: [
        { name: 'Orders', measured: conversion('ordered') },
        ...(flag === 'menu'
          ? [{ name: 'Searches', role: 'secondary', measured: conversion('searched') }]
          : []),
      ],
      analysis: { lookbackDays: 0 },
    })
    await askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`)
    return id
  }
  return { checkout: await start('checkout'), menu: await start('menu'), price: await start('price') }
}

const aClient = ({ address, writeKey }: TestStudio) =>
  new PostHog(writeKey, { host: address, ...patientClient })

/** The variants that 200 people got of each flag; the client reports the exposures. */
async function meetFlags(studio: TestStudio): Promise<Assignment[]> {
  const client = aClient(studio)
  const assignments: Assignment[] = []
  for (let number = 0; number < 200; number++) {
    const person = `person-${number}`
    const [checkout, menu, price] = await Promise.all(
      flags.map(async (flag) => String(await client.getFeatureFlag(flag, person))),
    )
    assignments.push({ person, variants: { checkout: `${checkout}`, menu: `${menu}`, price: `${price}` } })
  }
  await client.shutdown()
  return assignments
}

const sizes = (assignments: readonly Assignment[], flag: FlagKey): number[] =>
  ['control', 'test'].map(
    (variant) => assignments.filter(({ variants }) => variants[flag] === variant).length,
  )

/** Of the old checkout every fifth person orders, of the new one every second. Returns the relative effect. */
async function order(studio: TestStudio, assignments: readonly Assignment[]): Promise<string> {
  const client = aClient(studio)
  const [control = 0, treatment = 0] = ['control', 'test'].map((variant) => {
    const people = assignments.filter(({ variants }) => variants.checkout === variant)
    const ordering = people.filter((_, rank) => rank % (variant === 'control' ? 5 : 2) === 0)
    for (const { person } of ordering) client.capture({ distinctId: person, event: 'ordered' })
    return ordering.length / people.length
  })
  await client.shutdown()
  return `+${Math.round(100 * (treatment / control - 1))}%`
}

async function ship(page: Page, id: string) {
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByRole('button', { name: 'Ship a variant…' }).click()
  const dialog = await openDialog(page, 'Ship a variant')
  await openList(dialog.getByLabel('Variant', { exact: true }))
  await chooseOption(page, 'test')
  await dialog.getByLabel('Why').fill('One page is enough for an order.')
  await dialog.getByRole('button', { name: 'Ship it to everyone' }).click()
  await page.getByText('“test” was shipped').waitFor()
}

async function endExperiment(page: Page, id: string) {
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByRole('button', { name: 'End experiment…' }).click()
  const dialog = await openDialog(page, 'End the experiment')
  await dialog.getByLabel('Why').fill('Try a yearly price next.')
  await dialog.getByRole('button', { name: 'End the experiment' }).click()
  await page.getByText('The experiment was stopped').waitFor()
}

async function search(page: Page) {
  const learnings = page.getByRole('list', { name: 'Learnings' })
  await learnings.getByText('One page is enough for an order.').waitFor()
  await page.getByRole('searchbox', { name: 'Search learnings' }).fill('yearly')
  await page.waitForURL('**/programme?search=yearly')
  await expect.poll(() => learnings.getByRole('listitem').count()).toBe(1)
  await learnings.getByText('Try a yearly price next.').waitFor()
  await page.getByText('1 shipped · 1 stopped · 1 undecided').waitFor()
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.poll(() => learnings.getByRole('listitem').count()).toBe(2)
}

async function chooseMetric(page: Page) {
  await openList(page.getByRole('combobox', { name: 'Metric' }))
  await chooseOption(page, /^Searches/)
  await page.getByRole('region', { name: 'Effects on Searches', exact: true }).waitFor()
  await page.getByText('No shipped variant has an effect on Searches').waitFor()
  await openList(page.getByRole('combobox', { name: 'Metric' }))
  await chooseOption(page, /^Orders/)
  await page.getByRole('region', { name: 'Effects on Orders', exact: true }).waitFor()
}
