import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  aMember,
  aSharedStudio,
  fitsWindow,
  openOwnerPage,
  violationsInBothThemes,
  visit,
} from '../studio/studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

/** More rows than a part of an upload holds, so that several are sent. */
const rows = 1500
const history = Array.from({ length: rows }, (_, n) =>
  JSON.stringify({
    uuid: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    event: n % 3 ? '$pageview' : 'ordered',
    distinct_id: `visitor ${n % 50}`,
    timestamp: `2025-0${1 + (n % 3)}-01T10:00:00Z`,
    properties: JSON.stringify({ $current_url: 'https://shop.example.com/', text: 'x'.repeat(2000) }),
  }),
).join('\n')

test('an owner uploads a history, previews it, imports it, exports it and takes it back', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/settings/import')
  await page.getByText('No imports yet').waitFor()
  await page.getByRole('combobox', { name: 'Product' }).click()
  await page.getByRole('option', { name: 'Umami' }).click()
  await page.getByText('Reads the download, or the tables website_event').waitFor()
  await page.getByRole('combobox', { name: 'Product' }).click()
  await page.getByRole('option', { name: 'PostHog' }).click()
  const file = page.getByLabel('Files', { exact: true }).and(page.locator('input'))
  await file.setInputFiles([
    { name: 'events.jsonl', mimeType: 'application/json', buffer: Buffer.from(`${history}\n{"cut`) },
  ])
  await page.getByText('events.jsonl', { exact: true }).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Upload and preview' }).click()

  const upload = page.getByRole('region', { name: 'PostHog: events.jsonl' })
  const start = upload.getByRole('button', { name: 'Import 1,500 events' })
  await start.waitFor()
  await upload.getByText('not JSON, perhaps cut').waitFor()
  await upload.getByText('ordered').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await upload.getByLabel('Leave out events from').fill('2025-03-01T00:00')
  await upload.getByRole('button', { name: 'Preview again' }).click()
  await upload.getByRole('button', { name: 'Import 1,000 events' }).click()

  const row = page.getByRole('row', { name: /events\.jsonl/ })
  await row.getByText('Complete').waitFor()
  await expect.poll(() => upload.count()).toBe(0)
  expect(await row.textContent()).toContain('1,000')
  expect(await row.textContent()).toContain('500 at the cut-over or later')
  await expect.poll(() => readdir(join(studio.tilth.folder, 'imports'))).toEqual([])

  await visit(page, '/studio/acme/settings/export')
  await page.getByText('1,000 rows').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('combobox', { name: 'First month' }).click()
  await page.getByRole('option', { name: 'February 2025' }).click()
  await page.getByText('500 rows').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('acme-events.jsonl')
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines).toHaveLength(500)

  await visit(page, '/studio/acme/settings/import')
  await row.getByRole('button', { name: 'Undo the import of events.jsonl' }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await row.getByText('Undone').waitFor()
})

test('a file that is cut says so, and is discarded', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/settings/import')
  const file = page.getByLabel('Files', { exact: true }).and(page.locator('input'))
  const buffer = gzipSync(history).subarray(0, -50)
  await file.setInputFiles([{ name: 'cut.jsonl.gz', mimeType: 'application/gzip', buffer }])
  await page.getByRole('button', { name: 'Upload and preview' }).click()
  const upload = page.getByRole('region', { name: /cut\.jsonl\.gz$/ })
  await upload.getByText(/cut\.jsonl\.gz is cut or damaged/).waitFor()
  await upload.getByRole('button', { name: 'Discard cut.jsonl.gz' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => upload.count()).toBe(0)
})

test('a member who may not export persons is told what it takes', async () => {
  const page = await aMember(await shared(browser), 'viewer', 'Vera')
  for (const name of ['import', 'export']) {
    await visit(page, `/studio/acme/settings/${name}`)
    await page.getByText('Your role has no access to this page').waitFor()
  }
})

test('daily totals of Plausible stand in web analytics beside what Tilth counts', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/settings/import')
  await page.getByRole('combobox', { name: 'Product' }).click()
  await page.getByRole('option', { name: 'Plausible' }).click()
  const days = Array.from({ length: 31 }, (_, n) => `2024-05-${String(n + 1).padStart(2, '0')}`)
  const tables = {
    visitors: [
      'date,visitors,pageviews,bounces,visits,visit_duration',
      ...days.map((day, n) => `${day},${100 + n},${300 + n},50,120,12000`),
    ],
    pages: [
      'date,hostname,page,visits,visitors,pageviews',
      ...days.flatMap((day) => [`${day},acme.example,/,80,80,200`, `${day},acme.example,/pricing,40,40,100`]),
    ],
    locations: [
      'date,country,region,city,visitors,visits,visit_duration,bounces,pageviews',
      ...days.map((day) => `${day},DE,DE-BE,2950159,60,70,7000,30,150`),
    ],
  }
  const file = page.getByLabel('Files', { exact: true }).and(page.locator('input'))
  await file.setInputFiles(
    Object.entries(tables).map(([name, lines]) => ({
      name: `imported_${name}_20240501_20240531.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`${lines.join('\n')}\n`),
    })),
  )
  await page.getByRole('button', { name: 'Upload and preview' }).click()
  await page.getByRole('button', { name: 'Import 155 daily totals' }).click()
  const row = page.getByRole('row', { name: /Plausible/ })
  await row.getByText('Complete').waitFor()
  await row.getByText('155 daily totals').waitFor()

  await visit(page, '/studio/acme/web?period=2024-04-01..2024-05-31')
  const imported = page.getByRole('region', { name: 'Imported from Plausible' })
  await imported
    .getByText(/1 – 31 May 2024|1 May/)
    .first()
    .waitFor()
  // 100 to 130 visitors a day
  await imported.getByText('115', { exact: true }).first().waitFor()
  await imported
    .getByText('3,720', { exact: true })
    .or(imported.getByText('3.72k', { exact: true }))
    .first()
    .waitFor()
  await page.getByRole('region', { name: 'Imported countries' }).getByText('Germany').waitFor()
  await page.getByRole('region', { name: 'Imported pages' }).getByText('/pricing').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)

  await visit(page, '/studio/acme/web?period=2024-04-01..2024-05-31&country=DE')
  await page.getByText('Imported days of Plausible are not shown').waitFor()
  await visit(page, '/studio/acme/web')
  await page.getByRole('heading', { name: 'Pages' }).waitFor()
  expect(await imported.count()).toBe(0)
})
