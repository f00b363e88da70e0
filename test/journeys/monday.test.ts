import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMailServer } from '../outside/smtp'
import { openBrowser } from '../pages/browser'
import { anEvent, untilStored } from '../studio/collecting'
import {
  askApi,
  aStudio,
  fitsWindow,
  isUsable,
  isUsableInBothThemes,
  openOwnerPage,
  type TestStudio,
  visit,
} from '../studio/studio'
import { sendUntilTaken } from '../wire/send-again'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const weekMs = 7 * 86_400_000
const earlierWeeks = 8
const usualVisitors = 20

interface Week {
  visitors: number
  signups: number
  /** The referrer of visitors after the usual ones. */
  referrer?: string
}

let sessions = 0

/** The visits of a week; seven days ago is within the last whole week, whatever day it is. */
function eventsOf(weeksBefore: number, { visitors, signups, referrer }: Week) {
  const timestamp = new Date(Date.now() - (weeksBefore + 1) * weekMs).toISOString()
  return Array.from({ length: visitors }, (_, i) => {
    const session = `0198c0de-0000-7000-8000-${String(++sessions).padStart(12, '0')}`
    const isReferred = referrer !== undefined && i >= usualVisitors
    const event = {
      distinct_id: `visitor-${weeksBefore}-${i}`,
      timestamp,
      properties: { $session_id: session, ...(isReferred && { $referrer: referrer }) },
    }
    return [anEvent(event), ...(i < signups ? [anEvent({ ...event, event: 'signup' })] : [])]
  }).flat()
}

/** Sends nine weeks as a client does that has a history to tell, and waits until they are stored. */
async function sendWeeks(studio: TestStudio, lastWeek: Week) {
  const quiet = { visitors: usualVisitors, signups: 10 }
  const batch = [
    ...Array.from({ length: earlierWeeks }, (_, i) => eventsOf(i + 1, quiet)).flat(),
    ...eventsOf(0, lastWeek),
  ]
  const body = JSON.stringify({ api_key: studio.writeKey, historical_migration: true, batch })
  const headers = { 'content-type': 'application/json' }
  const answer = await sendUntilTaken(() =>
    fetch(`${studio.address}/batch/`, { method: 'POST', headers, body }),
  )
  expect(answer.status).toBe(200)
  await untilStored(studio, batch.length)
}

const signedUp = { name: 'Signed up', goal: { type: 'event', event: 'signup' } }

const visitorsOf = async (page: Page) =>
  (
    await page
      .getByRole('link', { name: /^Visitors/ })
      .first()
      .textContent()
  )?.match(/\d+/)?.[0]

test('Home and the weekly mail begin with what was unusual, and a button leads to its numbers', async () => {
  const mail = await aMailServer()
  const studio = await aStudio(browser, {
    TILTH_SMTP: `smtp://127.0.0.1:${mail.port}`,
    TILTH_MAIL_FROM: 'tilth@shop.example',
  })
  await askApi(studio, 'POST', '/projects/acme/goals', signedUp)
  await sendWeeks(studio, { visitors: 60, signups: 0, referrer: 'https://news.ycombinator.com/' })
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme')
  const lastWeek = page.getByRole('region', { name: 'Last week' })
  const sentences = lastWeek.getByRole('listitem')
  await expect.poll(() => sentences.count()).toBe(3)
  const ofVisitors = sentences.filter({ hasText: 'Visitors +200% against a usual week, most of it by ' })
  await ofVisitors
    .getByText(/^60 in the week of .*; a usual week of the 8 compared has \d+ to \d+\./)
    .waitFor()
  await sentences.filter({ hasText: 'Signed up −100% against a usual week' }).waitFor()
  await sentences.filter({ hasText: 'is a new source: it brought 67% of the visitors' }).waitFor()
  // it stands before all other panels
  expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Last week')
  await isUsableInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await ofVisitors.getByRole('link', { name: 'See the week' }).press('Enter')
  await page.waitForURL(/\/studio\/acme\/web\?period=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d&source=/)
  await expect.poll(() => visitorsOf(page)).toBe('40')

  await visit(page, '/studio/acme/alerts/reports/new')
  await page.getByLabel('Name', { exact: true }).fill('Monday numbers')
  await page.getByRole('button', { name: 'Create report' }).click()
  await page.getByRole('heading', { name: 'Monday numbers' }).waitFor()
  const first = page.getByRole('region', { name: 'First sentences' })
  await expect.poll(() => first.getByRole('listitem').count()).toBe(3)
  await isUsable(page)
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect.poll(() => mail.letters.length).toBe(1)
  const letter = (mail.letters[0]?.raw ?? '').replaceAll('=\r\n', '')
  expect(letter).toMatch(/^Visitors \+200% against a usual week, most of it by /m)
  expect(letter).toMatch(/^See the week: \S+\/studio\/acme\/web\?period=/m)
  expect(letter.indexOf('Visitors +200%')).toBeLessThan(letter.indexOf('Visitors: 60'))
})

test('a week as those before is nothing unusual, also above a dashboard that is Home', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/goals', signedUp)
  await sendWeeks(studio, { visitors: usualVisitors, signups: 11 })
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme')
  const lastWeek = page.getByRole('region', { name: 'Last week' })
  await lastWeek.getByText(/^Nothing unusual in the week of /).waitFor()
  await lastWeek
    .getByText(/^2 numbers compared with the 8 weeks before\. .*: Visitors, Signed up\.$/)
    .waitFor()
  expect(await lastWeek.getByRole('listitem').count()).toBe(0)

  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/dashboards', {
    name: 'Growth',
    cards: [],
  })
  await askApi(studio, 'POST', `/projects/acme/dashboards/${id}/home`)
  await visit(page, '/studio/acme')
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Growth')
  await lastWeek.getByText(/^Nothing unusual in the week of /).waitFor()
  await isUsable(page)
})
