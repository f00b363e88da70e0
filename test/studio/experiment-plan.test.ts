import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import { askApi, aStudio, isUsableInBothThemes, openOwnerPage, type TestStudio, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const dayMs = 86_400_000

test('an experiment is planned from the project’s history, and its analysis is checked on it', async () => {
  const studio = await aStudio(browser)
  const id = await aDraft(studio)
  await sendVisitors(studio, id)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByRole('link', { name: 'Plan', exact: true }).click()

  const checklist = page.getByRole('region', { name: 'Checklist' }).first()
  await checklist.getByText('The flag "checkout" is off in production. Turn it on first.').waitFor()
  await checklist.getByText(/^“Refunds” measures “refundd”.* Is it “refunded”\?$/).waitFor()
  await checklist.getByText('Errors keep the experiment from starting.').waitFor()

  const size = page.getByRole('region', { name: 'Sample size and running time' }).first()
  await size
    .getByText(/^The flag was not read in the last 28 days\. The plan takes all 300 active units/)
    .waitFor()
  await size.getByRole('row', { name: /^Orders Primary 25\.00% / }).waitFor()
  await size.getByLabel('Page path').fill('/pricing')
  await size.getByRole('button', { name: 'Plan again' }).click()
  await page.waitForURL('**/plan?path=%2Fpricing*')
  await size.getByText(/^300 units had “\$pageview” at \/pricing in the last 28 days/).waitFor()

  await size.getByText(/^An effect of 20% takes about \d+ days to find\.$/).waitFor()
  const decide = size.getByRole('button', { name: /^Decide at [\d,]+ people in each variant$/ })
  const people = /[\d,]+/.exec((await decide.textContent()) ?? '')?.[0] ?? ''
  await decide.click()
  await size
    .getByText(
      new RegExp(`^It decides with ${people} people in each variant after about \\d+ days, and finds`),
    )
    .waitFor()
  await decide.waitFor({ state: 'detached' })

  const check = page.getByRole('region', { name: 'Can I trust this on my data?' }).first()
  await check.getByRole('button', { name: 'Check on my data' }).click()
  await check.getByRole('row', { name: /^Orders As promised \d/ }).waitFor()
  await check.getByText('“Refunds” was not checked: nothing of it happened in the history.').waitFor()
  await isUsableInBothThemes(page)
})

async function aDraft(studio: TestStudio): Promise<string> {
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ],
  })
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'New checkout',
    flag: 'checkout',
    metrics: [
      { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } },
      {
        name: 'Refunds',
        role: 'secondary',
        measured: { type: 'conversion', happening: { event: 'refundd' } },
      },
    ],
    analysis: { smallestEffect: 0.2 },
  })
  return id
}

/** 300 persons of ten days, every fourth with an order, and one refund; then all of it is counted. */
async function sendVisitors(studio: TestStudio, id: string) {
  const events = Array.from({ length: 300 }, (_, number) => {
    const at = Date.now() - 11 * dayMs + number * (dayMs / 30)
    const one = (event: string, minutes: number) => ({
      ...anEvent({ distinct_id: `person-${number}`, event }),
      timestamp: new Date(at + minutes * 60_000).toISOString(),
    })
    return [
      one('$pageview', 0),
      ...(number % 4 === 0 ? [one('ordered', 1)] : []),
      ...(number === 8 ? [one('refunded', 2)] : []),
    ]
  }).flat()
  expect(await send(studio, events)).toBe(200)
  await untilStored(studio, events.length)
  const counted = async () => {
    const { plan } = await askApi<{ plan: { history: { units: number } } }>(
      studio,
      'GET',
      `/projects/acme/experiments/${id}/plan`,
    )
    return plan.history.units
  }
  await expect.poll(counted, { interval: 1000 }).toBe(300)
}
