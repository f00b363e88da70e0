import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import {
  aMember,
  askApi,
  openDialog,
  openOwnerPage,
  accessibilityViolations,
  fitsWindow,
  type TestStudio,
  visit,
  aSharedStudio,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** Two signed up and one paid. */
const shared = aSharedStudio(async (studio) => {
  for (const [event, distinct_id] of [
    ['signup', 'ana'],
    ['signup', 'ben'],
    ['=paid', 'ana'],
  ] as const)
    await send(studio, anEvent({ event, distinct_id }))
  await untilStored(studio, 3)
})

async function atSql(options: BrowserContextOptions = {}): Promise<{ studio: TestStudio; page: Page }> {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio, options)
  await visit(page, '/studio/acme/sql')
  return { studio, page }
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL', exact: true })
const counted = 'select event, count() as n\nfrom events\ngroup by event\norder by n desc'

const cells = (page: Page) => page.getByRole('table', { name: 'Rows' }).getByRole('cell').allInnerTexts()

test('a statement is run, kept in the address, and saved as a file', async () => {
  const { page } = await atSql()
  await editor(page).fill(counted)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: '2 rows' }).waitFor()
  await expect.poll(() => cells(page)).toEqual(['signup', '2', '=paid', '1'])
  expect(await accessibilityViolations(page)).toEqual([])

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  expect(file).toBe("\uFEFFevent,n\r\nsignup,2\r\n'=paid,1\r\n")

  await page.reload()
  await page.getByRole('heading', { name: '2 rows' }).waitFor()
  await expect.poll(() => editor(page).inputValue()).toBe(counted)
})

test('rows are drawn as bars, in the address and as an insight on a dashboard', async () => {
  const { studio, page } = await atSql()
  await editor(page).fill(counted)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('table', { name: 'Rows' }).waitFor()
  await page.getByRole('radio', { name: 'Bars' }).click()
  const bars = (name: string) => page.getByRole('img', { name: new RegExp(`^${name}`) })
  await bars('Rows').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.reload()
  await bars('Rows').waitFor()

  await page.getByRole('link', { name: 'Save as insight' }).click()
  await page.getByRole('button', { name: 'Save…' }).click()
  const saving = await openDialog(page, 'Save insight')
  await saving.getByLabel('Name', { exact: true }).fill('Events by name')
  await saving.getByRole('combobox', { name: 'Add to dashboard' }).click()
  await page.getByRole('option', { name: 'New dashboard' }).click()
  await saving.getByLabel('Name of the new dashboard').fill('Our queries')
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Added to Our queries').first().hover()
  await page.getByRole('button', { name: 'Open dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Our queries' }).waitFor()
  await bars('Events by name').waitFor()

  const { insights } = await askApi<{ insights: { name: string; question: object }[] }>(
    studio,
    'GET',
    '/projects/acme/insights',
  )
  expect(insights.find(({ name }) => name === 'Events by name')?.question).toMatchObject({ chart: 'bar' })
})

test('what is wrong is said where it is, and mended from the list of columns', async () => {
  const { page } = await atSql()
  await editor(page).fill('select distinct\n  evnt from events')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('Line 2, column 3: There is no column "evnt" here. Did you mean "event"?').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Go to line 2' }).click()
  for (let i = 0; i < 'evnt'.length; i++) await page.keyboard.press('Delete')

  await page.getByRole('textbox', { name: 'Find a column' }).fill('such as `$pageview')
  await page.getByRole('button', { name: 'Insert event', exact: true }).click()
  await expect.poll(() => editor(page).inputValue()).toBe('select distinct\n  event from events')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: '2 rows' }).waitFor()
})

test('what is written is coloured, and completed with the names of tables and columns', async () => {
  const { page } = await atSql()
  await editor(page).fill('select  from events')
  for (let i = 0; i < ' from events'.length; i++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('ev')
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
  await suggestions.getByRole('option', { name: 'event column of events', selected: true }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => editor(page).inputValue()).toBe('select event from events')
  await expect.poll(() => suggestions.count()).toBe(0)
  await page.keyboard.type(', coun')
  await suggestions.getByRole('option', { name: 'countIf( function' }).click()
  await expect.poll(() => editor(page).inputValue()).toBe('select event, countIf( from events')
  await expect.poll(() => editor(page).evaluate((field) => field === document.activeElement)).toBe(true)
})

test('Tab indents, and after Escape it leaves', async () => {
  const { page } = await atSql()
  await editor(page).fill('')
  await page.keyboard.press('Tab')
  await expect.poll(() => editor(page).inputValue()).toBe('  ')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect.poll(() => editor(page).evaluate((field) => field === document.activeElement)).toBe(false)
})

test('what was run is there again, and what runs too long is stopped', async () => {
  const { page } = await atSql()
  await editor(page).fill(counted)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: '2 rows' }).waitFor()
  await editor(page).fill(
    'select count() from numbers(10000000) as a, numbers(100000) as b where (a.number + b.number) % 7 = 9',
  )
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Rows appear here').waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Use again: select event, count()' }).click()
  await expect.poll(() => editor(page).inputValue()).toBe(counted)
})

test('it fits on a phone', async () => {
  const { page } = await atSql({ viewport: { width: 390, height: 844 } })
  await editor(page).fill('select * from events')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: '3 rows' }).waitFor()
  await fitsWindow(page)
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a viewer of the project is told which members to ask', async () => {
  const { studio } = await atSql()
  const vera = await aMember(studio, 'viewer', 'Vera')
  await visit(vera, '/studio/acme/sql')
  await vera.getByText('This requires the role editor').waitFor()
})
