import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import { openOwnerPage, aStudio, type TestStudio, visit } from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const partsIn = ({ tilth }: TestStudio) =>
  globSync(join(tilth.folder, 'engine/data/store/*/*/*_*_*_*/data.bin')).filter((file) =>
    readFileSync(join(file, '../columns.txt'), 'utf8').includes('`distinct_id`'),
  )

/** As a disk that loses what it holds: the first blocks of every file of events. */
function damage(studio: TestStudio): void {
  for (const file of partsIn(studio)) {
    if (!existsSync(file)) continue
    const bytes = readFileSync(file)
    bytes.fill(0xff, 0, 2000)
    writeFileSync(file, bytes)
  }
}

test('a page that meets damaged data says what is broken, since when, and where to look', async () => {
  const studio = await aStudio(browser)
  // in one request, so that no merge of parts puts another file in the place of a damaged one
  const events = ['cleo', 'dora'].map((distinct_id) => anEvent({ distinct_id }))
  expect(await send(studio, events)).toBe(200)
  await untilStored(studio, events.length)
  await expect.poll(() => partsIn(studio).length).toBeGreaterThan(0)
  const page = await openOwnerPage(studio, { foreseen: /./ })
  damage(studio)

  await page.goto('/studio/acme/people')
  await page.getByText('A part of the data cannot be read').waitFor()
  await page.getByText('Since').waitFor()
  await page.getByRole('link', { name: 'Open System' }).click()
  await page.waitForURL('**/studio/acme/settings/system')
  await visit(page, '/studio/acme/settings/system')
  await page.getByText('No backups.').waitFor()
})
