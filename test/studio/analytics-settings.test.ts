import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import {
  accessibilityViolations,
  aMember,
  aSharedStudio,
  askApi,
  chooseOption,
  fitsWindow,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const page = '/studio/acme/settings/analytics'

/** Ana works on the shop; Cleo buys there. */
async function tellShop(studio: TestStudio): Promise<void> {
  for (const [distinct_id, email] of [
    ['ana', 'ana@acme.example'],
    ['cleo', 'cleo@example.com'],
  ] as const) {
    await send(studio, anEvent({ event: '$identify', distinct_id, properties: { $set: { email } } }))
    await send(studio, anEvent({ distinct_id }))
  }
  await expect.poll(() => visitors(studio, false)).toBe(2)
}

const shared = aSharedStudio(tellShop)

async function visitors(studio: TestStudio, withoutTestAccounts: boolean): Promise<number> {
  const query = { kind: 'totals', withoutTestAccounts }
  const { answer } = await askApi<{ answer: { figures: { visitors: number } } }>(
    studio,
    'POST',
    '/projects/acme/query?fresh=1',
    { question: query },
  )
  return answer.figures.visitors
}

async function isFit(shown: Page): Promise<void> {
  expect(await accessibilityViolations(shown)).toEqual([])
  await fitsWindow(shown)
}

test('internal users are left out where that is asked for, and web analytics offers it', async () => {
  const studio = await shared(browser)
  const nobody = { type: 'person', key: 'email', operator: 'icontains', value: '@nobody.example' }
  await askApi(studio, 'PATCH', '/projects/acme', { answers: { testAccounts: nobody } })
  expect(await visitors(studio, true)).toBe(2)

  const owner = await openOwnerPage(studio)
  await expect
    .poll(async () => {
      await visit(owner, page)
      return await owner.getByRole('textbox', { name: /: value$/ }).count()
    })
    .toBe(1)
  await owner.getByRole('textbox', { name: /: value$/ }).fill('@acme.example')
  await isFit(owner)
  await owner.getByRole('button', { name: 'Save internal users' }).click()
  await owner.getByText('Internal users saved').waitFor()

  await expect.poll(() => visitors(studio, true)).toBe(1)
  expect(await visitors(studio, false)).toBe(2)
  await visit(owner, '/studio/acme/web')
  await owner.getByRole('button', { name: 'More', exact: true }).click()
  await owner.getByRole('menuitem', { name: 'Filter out internal and test users' }).click()
  await owner.waitForURL((url) => url.search !== '')
})

test('currency and first day of the week are kept beside internal users, and audited', async () => {
  const studio = await shared(browser)
  const testAccounts = { type: 'person', key: 'email', operator: 'icontains', value: '@acme.example' }
  await askApi(studio, 'PATCH', '/projects/acme', { answers: { testAccounts } })
  const owner = await openOwnerPage(studio, { viewport: { width: 390, height: 844 } })
  await visit(owner, page)
  await owner.getByRole('combobox', { name: 'Currency' }).fill('Swiss')
  await chooseOption(owner, 'Swiss Franc (CHF)')
  await owner.getByRole('radio', { name: 'Sunday' }).click()
  await isFit(owner)
  await owner.getByRole('button', { name: 'Save', exact: true }).click()
  await owner.getByText('Currency and weeks saved').waitFor()

  const answers = async () => (await askApi<{ answers: object }>(studio, 'GET', '/projects/acme')).answers
  await expect.poll(answers).toEqual({
    weekStart: 'sunday',
    currency: 'CHF',
    testAccounts,
    bounceRule: 'plausible',
    pageGroups: [],
    attribution: 'last',
  })
  const { entries } = await askApi<{ entries: { action: string }[] }>(studio, 'GET', '/projects/acme/audit')
  expect(entries[0]?.action).toBe('project.change')
})

test('pages that differ by ids are grouped as suggested, and an engaged visit is no bounce', async () => {
  const studio = await shared(browser)
  const boards = ['17', '18', '19']
  for (const id of boards) {
    const $current_url = `https://shop.example.com/boards/${id}`
    expect(await send(studio, anEvent({ distinct_id: 'cleo', properties: { $current_url } }))).toBe(200)
  }
  const owner = await openOwnerPage(studio)
  const suggestion = owner.getByRole('button', { name: '/boards/:id 3 pages' })
  await expect
    .poll(async () => {
      await visit(owner, page)
      await owner.getByRole('button', { name: 'Save page groups' }).waitFor()
      return await suggestion.count()
    })
    .toBe(1)
  // the list of pages leads here while pages are listed one by one
  await visit(owner, '/studio/acme/web/rows?of=page')
  await owner.getByRole('link', { name: 'Group pages that differ only by ids' }).click()
  await owner.getByRole('button', { name: 'Save page groups' }).waitFor()
  await suggestion.click()
  await owner.getByRole('row', { name: /^\/boards\/:id .* 3 3$/ }).waitFor()
  await isFit(owner)
  await owner.getByRole('button', { name: 'Save page groups' }).click()
  await owner.getByText('Page groups saved').waitFor()

  await owner.getByRole('radio', { name: /^Second view, action or engagement/ }).click()
  await owner.getByRole('textbox', { name: 'Engagement' }).fill('15')
  await owner.getByRole('radio', { name: /^First touch/ }).click()
  await owner.getByRole('button', { name: 'Save visits' }).click()
  await owner.getByText('Visits saved').waitFor()
  const answers = async () => (await askApi<{ answers: object }>(studio, 'GET', '/projects/acme')).answers
  await expect
    .poll(answers)
    .toMatchObject({ pageGroups: ['/boards/:id'], bounceSeconds: 15, attribution: 'first' })
  await owner.getByRole('radio', { name: /^Second view, autocapture or length/ }).click()
  await owner.getByRole('textbox', { name: 'Length' }).fill('20')
  const save = owner.getByRole('button', { name: 'Save visits' })
  await save.click()
  await expect.poll(answers).toMatchObject({ bounceRule: 'posthog', bounceSeconds: 20, attribution: 'first' })
  // until the page has the answer, its form is unsaved and asks before it is left
  await expect.poll(() => save.getAttribute('aria-busy')).toBeNull()

  await visit(owner, '/studio/acme/web/rows?of=page')
  await owner.getByRole('link', { name: '/boards/:id', exact: true }).waitFor()
  expect(await owner.getByRole('link', { name: 'Group pages that differ only by ids' }).count()).toBe(0)

  await visit(owner, '/studio/acme/web?compare=none')
  await owner.getByRole('link', { name: '/boards/:id', exact: true }).first().click()
  await owner.waitForURL((url) => url.searchParams.get('page') === '/boards/:id')
  await owner.getByRole('button', { name: 'Page is /boards/:id' }).waitFor()
  await owner.getByRole('button', { name: 'More', exact: true }).click()
  await owner.getByRole('menuitem', { name: 'Show pages one by one' }).click()
  await owner.getByRole('link', { name: '/boards/17', exact: true }).first().waitFor()
})

test('a viewer sees the settings and cannot change them', async () => {
  const viewer = await aMember(await shared(browser), 'viewer', 'Vera')
  await visit(viewer, page)
  const save = viewer.getByRole('button', { name: 'Save', exact: true })
  await save.waitFor()
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
})
