import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryFrom, queryText } from '#insights/text/query-text'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from '../studio/collecting'
import {
  accessibilityViolations,
  aMember,
  aSharedStudio,
  askApi,
  aStudio,
  chooseOption,
  fitsWindow,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
  waitForHydration,
} from '../studio/studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** Three people open a page, two of them sign up; one of them has a name that a spreadsheet would run. */
const busyStudio = aSharedStudio(async (studio) => {
  for (const person of ['ana', 'ben', 'cleo']) await send(studio, anEvent({ distinct_id: person }))
  for (const [person, plan] of [
    ['ana', '=1+1'],
    ['ben', 'pro'],
  ])
    await send(studio, anEvent({ distinct_id: person, event: 'signup', properties: { plan } }))
  await expect.poll(() => seen(studio)).toBe(5)
})

const seen = async (studio: TestStudio): Promise<number> =>
  (await askApi<{ events: unknown[] }>(studio, 'GET', '/projects/acme/events')).events.length

const signups = { kind: 'trend', period: '7d', series: [{ event: 'signup' }], chart: 'number' }

const saved = (studio: TestStudio, wanted: object = {}): Promise<{ id: string }> =>
  askApi(studio, 'POST', '/projects/acme/insights', { name: 'Signups', question: signups, ...wanted })

const asked = (page: Page) => queryFrom(new URL(page.url()).searchParams.get('q') ?? undefined)

async function choose(page: Page, box: string, option: string | RegExp) {
  await openList(page.getByRole('combobox', { name: box, exact: true }))
  await chooseOption(page, option)
}

describe('a query', () => {
  test('is built, answered as it is built, kept, and found again', async () => {
    const studio = await busyStudio(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/insights')
    await page.getByRole('link', { name: 'A number over time' }).click()
    await page.getByRole('heading', { name: 'Page view: unique people' }).waitFor()

    await choose(page, 'Series A: event', /^signup/i)
    await page.getByRole('heading', { name: 'Signup: unique people' }).waitFor()
    await choose(page, 'Chart type', 'Number')
    await expect.poll(() => asked(page)).toMatchObject({ chart: 'number', series: [{ event: 'signup' }] })
    await page.getByRole('main').getByText('2', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Who signs up')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Who signs up', level: 1 }).waitFor()

    await visit(page, '/studio/acme/insights')
    await page.getByLabel('Find an insight').fill('signs')
    await page.waitForURL(/search=signs/)
    await page.getByRole('link', { name: /Who signs up/ }).click()
    await page.waitForURL(/insights\/[\w-]+$/)
  })

  test('stands in its address: a recipient of its link sees the same, or why it makes no sense', async () => {
    const studio = await busyStudio(browser)
    const page = await aMember(studio, 'viewer', 'Vera')
    await visit(page, `/studio/acme/insights/new?q=${queryText(signups)}`)
    await page.getByRole('main').getByText('2', { exact: true }).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: 'Save…' }).getAttribute('aria-disabled'))
      .toBe('true')

    for (const [query, sentence] of nonsense) {
      await visit(page, `/studio/acme/insights/new?q=${queryText(query)}`)
      await page.getByText(sentence).filter({ visible: true }).first().waitFor()
    }
  })
})

test('another type of a new insight keeps the date range that was chosen', async () => {
  const studio = await busyStudio(browser)
  const page = await openOwnerPage(studio)
  const types = page.getByRole('navigation', { name: 'Insight types' })
  await visit(page, `/studio/acme/insights/new?q=${queryText({ ...signups, period: '90d' })}`)
  await types.getByRole('link', { name: 'Retention' }).click()
  await page.getByRole('button', { name: 'Date range: Last 90 days' }).waitFor()

  await visit(page, '/studio/acme/insights/new?kind=trend')
  await types.getByRole('link', { name: 'Retention' }).click()
  await page.getByRole('button', { name: 'Date range: Last 12 weeks' }).waitFor()
})

const nonsense: [query: object, sentence: string | RegExp][] = [
  [{ kind: 'funnel', steps: [{ event: 'signup' }] }, 'A funnel has at least two steps.'],
  [
    { kind: 'trend', period: '10y', interval: 'minute', series: [{ event: 'signup' }] },
    /Choose a longer interval or a shorter period/,
  ],
  [{ kind: 'trend', series: [{ event: 'signup' }], formulas: [{ text: 'A / C' }] }, /the only series is A/],
]

/** The form comes a moment after its page. */
async function untilBuilt(page: Page) {
  await page.getByRole('switch', { name: 'Filter out internal and test users' }).waitFor()
  await waitForHydration(page)
}

test('the steps of a funnel are put in another order with the arrow keys', async () => {
  const studio = await busyStudio(browser)
  const page = await openOwnerPage(studio)
  const funnel = { kind: 'funnel', steps: [{ event: 'signup' }, { event: '$pageview' }] }
  await visit(page, `/studio/acme/insights/new?q=${queryText(funnel)}`)
  await untilBuilt(page)
  await page.getByRole('button', { name: /^Move step 1/ }).press('ArrowDown')
  await page.getByRole('heading', { name: 'Page view → signup' }).waitFor()
  await page.getByText('67%').first().waitFor()
})

describe('a kept insight', () => {
  test('is changed, says what changed, and goes back', async () => {
    const studio = await busyStudio(browser)
    const { id } = await saved(studio)
    const page = await openOwnerPage(studio)
    await visit(page, `/studio/acme/insights/${id}?edit=yes`)
    await choose(page, 'Chart type', 'Table')
    await expect.poll(() => asked(page)).toMatchObject({ chart: 'table' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(`**/insights/${id}`)

    await page.getByText('chart: number → table').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('chart: table → number').waitFor()
    await page.getByText('Version 3').waitFor()
  })

  test('is edited with the period that was chosen for its view', async () => {
    const studio = await busyStudio(browser)
    const { id } = await saved(studio, { name: 'Signups by period' })
    const page = await openOwnerPage(studio)
    await visit(page, `/studio/acme/insights/${id}`)
    await page.getByRole('button', { name: 'Date range: Last 7 days' }).click()
    await page.getByRole('button', { name: 'Last 90 days', exact: true }).click()
    await expect.poll(() => asked(page)).toMatchObject({ period: '90d' })
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.waitForURL(/edit=yes/)
    await untilBuilt(page)
    await page.getByRole('button', { name: 'Date range: Last 90 days' }).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL((url) => !url.searchParams.has('edit'))
    await expect.poll(() => asked(page)).toMatchObject({ period: '90d' })
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.waitForURL(/edit=yes/)
    await untilBuilt(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(`**/insights/${id}`)
    await page.getByText('period: 7d → 90d').waitFor()
  })

  test('is archived, and back at a press; and a favourite of one person alone', async () => {
    const studio = await aStudio(browser)
    await saved(studio)
    const [page, ben] = [await openOwnerPage(studio), await aMember(studio, 'viewer', 'Ben')]
    await visit(page, '/studio/acme/insights')
    await page.getByRole('button', { name: 'More about Signups' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByText('Signups archived').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: /Signups/ }).waitFor()

    await page.getByRole('button', { name: 'Make Signups a favourite' }).click()
    await page.getByRole('button', { name: 'Signups is a favourite' }).waitFor()
    await visit(ben, '/studio/acme/insights?show=favourites')
    await ben.getByText('No favourites yet').waitFor()
  })
})

test('its numbers are a file, in which nothing runs', async () => {
  const studio = await busyStudio(browser)
  const page = await openOwnerPage(studio)
  const byPlan = {
    kind: 'trend',
    period: '7d',
    series: [{ event: 'signup' }],
    breakdowns: [{ type: 'event', key: 'plan' }],
    chart: 'table',
  }
  const file = await page.request.get(`/studio/acme/answer/csv?q=${queryText(byPlan)}&name=By "plan"/ü`)
  expect(file.headers()['content-type']).toBe('text/csv; charset=utf-8')
  expect(file.headers()['content-disposition']).toBe(
    `attachment; filename="By plan _.csv"; filename*=UTF-8''By%20plan%20%C3%BC.csv`,
  )
  expect(await file.text()).toContain(`'=1+1,1`)

  const numbers = await page.request.get(`/studio/acme/answer/json?q=${queryText(signups)}`)
  expect(await numbers.json()).toMatchObject({ answer: { lines: [{ total: 2 }] } })
  const refused = await page.request.get('/studio/acme/answer/csv?q=nothing')
  expect([refused.status(), await refused.text()]).toEqual([
    400,
    'The address asks no question. Copy all of it.\n',
  ])
})

test('every kind can be used by everyone, and fits a phone', async () => {
  const studio = await busyStudio(browser)
  const page = await openOwnerPage(studio, { viewport: { width: 390, height: 844 } })
  const { id } = await saved(studio)
  const kinds = ['trend', 'funnel', 'retention', 'paths', 'lifecycle', 'stickiness', 'breakdown', 'totals']
  const built = [...kinds.map((kind) => `new?kind=${kind}`), `${id}?edit=yes`]
  for (const path of [...built, id, '']) {
    await visit(page, `/studio/acme/insights/${path}`)
    if (built.includes(path)) await untilBuilt(page)
    expect(await accessibilityViolations(page), path).toEqual([])
    await fitsWindow(page, path)
    if (built.includes(path)) await expect.poll(() => answerIsFirst(page), { message: path }).toBe(true)
  }
})

/** Whether the answer is above the form that defines it. */
async function answerIsFirst(page: Page): Promise<boolean> {
  // streamed parts are in the page before they are shown
  const answer = await page.locator('.chart-frame').filter({ visible: true }).first().boundingBox()
  const form = await page.getByRole('region', { name: 'Definition' }).boundingBox()
  if (!answer || !form) throw new Error('There is no answer, or no form.')
  return answer.y + answer.height <= form.y
}
