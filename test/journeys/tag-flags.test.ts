import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { present } from '../product/fixture'
import { openBrowser } from '../pages/browser'
import { patienceMs } from '../running/patience'
import { anEvent, send, untilStored } from '../studio/collecting'
import { askApi, aStudio, openOwnerPage, type TestStudio, visit } from '../studio/studio'
import { aSite } from '../wire/posthog-server'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('one line in a page of another origin: from the flag in the studio to its numbers', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio, { permissions: ['clipboard-read', 'clipboard-write'] })
  const pages: Record<string, string> = {}
  const site = await aSite(pages, studio.tilth.port)

  // an event by another SDK, on which Code opens until there are events of the tag
  const sentBefore = Array.from({ length: 2 }, () =>
    anEvent({ event: 'signup', properties: { $lib: 'web' } }),
  )
  expect(await send(studio, sentBefore)).toBe(200)
  await untilStored(studio, sentBefore.length)
  await makeFlag(page)
  await visit(page, '/studio/acme/flags/new-pricing/code')
  await isOpenedOn(page, 'posthog-js')
  const [tag] = await copied(page, 'Tilth tag', ['In the head of every page'])
  const [element] = await copied(page, 'Tilth tag', ['Where the page shows the flag'])

  // a visitor sees it, in a page with what the studio shows and nothing else
  pages['/prices'] = `<!doctype html><head><title>Prices</title>${tag}</head><h1>Prices</h1>${element}`
  const first = await aVisitor()
  await first.goto(`${site}/prices`)
  await first.getByText('What it turns on').waitFor()
  // what a driven browser sends while it leaves a page has another user agent
  await expect.poll(() => exposuresOf(studio)).toBe(1)
  await leave(first)
  await expect
    .poll(async () => {
      await visit(page, '/studio/acme/flags/new-pricing/numbers')
      await page
        .getByText(/^(?:Values served|No evaluations yet)$/)
        .first()
        .waitFor()
      return await page.getByRole('row', { name: /^On/ }).count()
    })
    .toBeGreaterThan(0)
})

const currentGuide = (page: Page) =>
  page.getByRole('navigation', { name: 'Clients' }).locator('[aria-current]')
const isOpenedOn = (page: Page, guide: string) =>
  expect.poll(() => currentGuide(page).textContent()).toBe(guide)

/** The texts that a member has in their clipboard after copying each of these. */
async function copied(page: Page, guide: string, titles: readonly string[]): Promise<string[]> {
  await page.getByRole('navigation', { name: 'Clients' }).getByRole('link', { name: guide }).click()
  const texts: string[] = []
  for (const title of titles) {
    await page.getByRole('button', { name: `Copy ${title}` }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe(texts.at(-1) ?? '')
    texts.push(await page.evaluate(() => navigator.clipboard.readText()))
  }
  return texts
}

async function makeFlag(page: Page) {
  await visit(page, '/studio/acme/flags')
  await page.getByRole('link', { name: 'Create flag' }).click()
  await page.getByLabel('Key', { exact: true }).first().fill('new-pricing')
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'new-pricing' }).waitFor()
  await page.getByRole('switch', { name: 'Off in production' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Turn new-pricing on in production?' })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('new-pricing saved').waitFor()
}

/** A browser of their own, which is driven by a program and counted all the same. */
async function aVisitor(): Promise<Page> {
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const context = await browser.newContext({ userAgent })
  context.setDefaultTimeout(patienceMs)
  onTestFinished(() => context.close())
  await context.addInitScript(() => Object.assign(window, { __tilth: true }))
  return context.newPage()
}

/** Closes the page as a visitor does, which sends what is left to be sent. */
async function leave(page: Page) {
  await page.goto('about:blank')
  await page.context().close()
}

async function exposuresOf(studio: TestStudio): Promise<number> {
  const sql = `select count() from events where event = '$feature_flag_called'`
  const { rows } = await askApi<{ rows: unknown[][] }>(studio, 'POST', '/projects/acme/query?fresh', { sql })
  return Number(present(rows[0])[0])
}
