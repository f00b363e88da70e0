import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import { untilCounted } from './experiments'
import {
  askApi,
  aStudio,
  fitsWindow,
  isUsableInBothThemes,
  openDialog,
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
const startedAt = Date.now()

/** The control is the flag's second variant, and each variant has 150 people. */
const variants = ['short', 'control', 'long'] as const
const orderingShare = { short: 3, control: 10, long: 11 }

test('results are read on a phone, downloaded, and each variant has one colour on every page', async () => {
  const studio = await aStudio(browser)
  const id = await aRunningExperiment(studio)
  const address = `/studio/acme/experiments/${id}`
  const page = await openOwnerPage(studio)
  await untilCounted(studio, id, [150, 150, 150])
  await visit(page, address)
  await page.getByRole('region', { name: 'How the estimate moved: Orders' }).waitFor()
  await isUsableInBothThemes(page)

  await seeOneColour(page, address)
  await downloadFiles(page, studio, id)

  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, address)
  await readOnPhone(page)
  await visit(page, `${address}/explore?by=event&key=plan`)
  await readOnPhone(page)
})

test('an end in the past leaves out those who were exposed since', async () => {
  const studio = await aStudio(browser)
  const id = await aRunningExperiment(studio)
  const page = await openOwnerPage(studio)
  await untilCounted(studio, id, [150, 150, 150])
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByRole('button', { name: 'End experiment…' }).click()
  const dialog = await openDialog(page, 'End the experiment')
  const field = dialog.getByLabel('Count exposures until')
  const enter = async (time: number) =>
    await field.fill(
      await page.evaluate((at) => {
        const local = new Date(at)
        return new Date(at - local.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
      }, time),
    )
  await enter(Date.now() + dayMs)
  await dialog.getByRole('button', { name: 'End the experiment' }).click()
  await dialog.getByText('An experiment cannot end in the future.').waitFor()
  // between the 225th and the 226th person
  await enter(firstExposedAt + (225 * 6 - 3) * 60_000)
  await dialog.getByLabel('Why').fill('The form was changed.')
  await dialog.getByRole('button', { name: 'End the experiment' }).click()
  await dialog.waitFor({ state: 'detached' })

  await untilCounted(studio, id, [75, 75, 75])
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByText('The form was changed.').waitFor()
  await page
    .getByRole('region', { name: 'Primary metrics' })
    .first()
    .getByRole('row', { name: 'control 10.67% of 75' })
    .waitFor()
})

/** Expects the reading of each variant but the control within the window, without scrolling sideways. */
async function readOnPhone(page: Page) {
  const readings = page.getByText(/^(?:Better|Worse|Not clear yet|Safe|Beyond margin)$/)
  await readings.first().waitFor()
  const reaches = await readings.evaluateAll((badges) =>
    badges.map((badge) => {
      const { left, right, width } = badge.getBoundingClientRect()
      return width > 0 && left >= 0 && right <= innerWidth
    }),
  )
  expect(reaches.length).toBeGreaterThanOrEqual(2)
  expect(reaches).toEqual(reaches.map(() => true))
  const cutOff = await page
    .getByRole('region', { name: /: intervals$/ })
    .evaluateAll((boxes) =>
      boxes
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => box.getAttribute('aria-label')),
    )
  expect(cutOff).toEqual([])
  await fitsWindow(page)
}

const colourBeside = (page: Page, region: string, variant: string): Promise<string> =>
  page
    .getByRole('region', { name: region })
    .first()
    .getByText(variant, { exact: true })
    .first()
    .evaluate((name) => {
      const mark = name.parentElement?.querySelector('svg')
      return mark ? getComputedStyle(mark).color : 'no mark'
    })

const lineColours = (page: Page, chart: string): Promise<string[]> =>
  page
    .getByRole('region', { name: chart })
    .first()
    .locator('.chart-drawing g[stroke^="var(--color-chart-"]')
    .evaluateAll((lines) => [...new Set(lines.map((line) => getComputedStyle(line).stroke))])

/** Expects the mark beside each name to have the colour of its line, whichever the page. */
async function seeOneColour(page: Page, address: string) {
  const colours = await Promise.all(variants.map((variant) => colourBeside(page, 'Primary metrics', variant)))
  const [short, , long] = colours
  expect(new Set(colours).size).toBe(3)
  expect(await lineColours(page, 'How the estimate moved: Orders')).toEqual([short, long])
  await visit(page, `${address}/exposures`)
  await page.getByRole('region', { name: 'Split' }).first().waitFor()
  for (const [i, variant] of variants.entries())
    expect(await colourBeside(page, 'Split', variant)).toBe(colours[i])
  await visit(page, '/studio/acme/flags/checkout/numbers')
  for (const [i, variant] of variants.entries())
    expect(await colourBeside(page, 'Values served', variant)).toBe(colours[i])
  expect((await lineColours(page, 'People, by what they got')).toSorted()).toEqual(colours.toSorted())
  await visit(page, address)
}

/** Expects files with the numbers of the page. */
async function downloadFiles(page: Page, studio: TestStudio, id: string) {
  const path = `/projects/acme/experiments/${id}`
  const csv = await downloaded(page, 'Download', 'Table (CSV)')
  expect(csv.name).toBe('New checkout results.csv')
  const [head, control, short] = csv.text.split('\r\n').map((line) => line.split(','))
  const cell = (row: string[] | undefined, column: string) => row?.[head?.indexOf(column) ?? -1]
  const shown = page.getByRole('region', { name: 'Primary metrics' }).first()
  const percentOf = (row: string[] | undefined) => (100 * Number(cell(row, 'value'))).toFixed(2)
  await shown
    .getByRole('row', { name: `control ${percentOf(control)}% of ${cell(control, 'units')}` })
    .waitFor()
  await shown.getByRole('row', { name: `short ${percentOf(short)}% of ${cell(short, 'units')}` }).waitFor()
  expect([cell(control, 'reading'), cell(short, 'reading')]).toEqual(['control', 'better'])

  const json = await downloaded(page, 'Download', 'Data (JSON)')
  const { report } = await askApi<{ report: object }>(studio, 'GET', `${path}/results`)
  expect(JSON.parse(json.text)).toMatchObject({ report })

  const course = await downloaded(page, 'Download the course', 'Table (CSV)')
  expect(course.name).toBe('New checkout course.csv')
  const answer = await askApi<{ course: { variants: { points: object[] }[] }[] }>(
    studio,
    'GET',
    `${path}/course`,
  )
  const points = answer.course.flatMap((one) => one.variants.flatMap((variant) => variant.points))
  expect(course.text.trim().split('\r\n')).toHaveLength(1 + points.length)
}

async function downloaded(page: Page, button: string, entry: string) {
  await page.getByRole('button', { name: button, exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: entry }).click(),
  ])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

async function aRunningExperiment(studio: TestStudio): Promise<string> {
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: variants.map((key, i) => ({ key, percentage: i === 0 ? 33.34 : 33.33 })),
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  const ordered = { event: 'ordered' }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'New checkout',
    flag: 'checkout',
    control: 'control',
    metrics: [
      { name: 'Orders', measured: { type: 'conversion', happening: ordered } },
      {
        name: 'Order count',
        role: 'guardrail',
        margin: 20,
        measured: { type: 'total', amount: { happening: ordered } },
      },
    ],
    analysis: { method: 'sequential', lookbackDays: 0 },
  })
  const at = new Date(Date.now() - 3 * dayMs).toISOString()
  await askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`, { at })
  expect(await send(studio, visitors())).toBe(200)
  return id
}

/** At a whole minute, as the field of an end has them. */
const firstExposedAt = Math.floor((startedAt - 2.5 * dayMs) / 60_000) * 60_000

/** Of the short checkout a third orders, of the others a tenth. */
const visitors = () =>
  Array.from({ length: 450 }, (_, number) => {
    const variant = variants[number % 3] ?? 'control'
    const rank = Math.floor(number / 3)
    const exposedAt = firstExposedAt + number * 6 * 60_000
    const at = (minutes: number) => ({ timestamp: new Date(exposedAt + minutes * 60_000).toISOString() })
    const person = { distinct_id: `person-${number}` }
    const properties = {
      $feature_flag: 'checkout',
      $feature_flag_response: variant,
      plan: rank % 2 === 0 ? 'free' : 'pro',
    }
    return [
      { ...anEvent({ ...person, event: '$feature_flag_called', properties }), ...at(0) },
      ...(rank % orderingShare[variant] === 0
        ? [{ ...anEvent({ ...person, event: 'ordered' }), ...at(10) }]
        : []),
    ]
  }).flat()
