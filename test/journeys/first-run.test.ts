import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { patienceMs } from '../running/patience'
import { aTilth } from '../start/tilth'
import { accessibilityViolations, aPerson, visit, waitForHydration } from '../studio/studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('from an empty folder to a goal with its number: set-up, the site beside the steps, a visit, a card', async () => {
  const { page, site } = await setUpWith()
  await page.waitForURL('**/studio/shop/connect/first-visit')
  const shown = page.frameLocator('iframe[title="Your site"]').frameLocator('iframe')
  await shown.getByRole('button', { name: 'Start free' }).waitFor()
  await page.getByText('Waiting for your first event').waitFor()
  expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])

  const [tag = ''] = await page.getByRole('figure').locator('code').allTextContents()
  site.publish(tag)
  await (await aVisitor()).goto(site.origin)
  const arrived = page.getByRole('region', { name: 'Events are arriving' })
  await arrived.getByText('Page view', { exact: true }).waitFor()
  await arrived.getByText('Visitor', { exact: true }).waitFor()
  await page.getByText('Flag on “Start free”', { exact: true }).waitFor()
  await page.getByText('Survey on /', { exact: true }).waitFor()
  expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])

  await page.getByRole('link', { name: 'Create goal: Goal: visits of /' }).click()
  const dialog = page.getByRole('dialog', { name: 'New goal' })
  await expect.poll(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Visits of /')
  await expect.poll(() => dialog.getByLabel('Page', { exact: true }).inputValue()).toBe('/')
  await dialog.getByRole('button', { name: 'Create goal' }).click()
  await page.getByText('Goal created').waitFor()
  await expect
    .poll(async () => {
      await visit(page, '/studio/shop/web/goals')
      await page.getByRole('row', { name: /Visits of \// }).waitFor()
      return await page.getByRole('link', { name: '1 person who reached Visits of /' }).count()
    })
    .toBe(1)
})

test('the other cards fill in a flag with the button’s name, and a survey on the page', async () => {
  const { page, site } = await setUpWith()
  await page.waitForURL('**/studio/shop/connect/first-visit')
  const [tag = ''] = await page.getByRole('figure').locator('code').allTextContents()
  site.publish(tag)
  await (await aVisitor()).goto(site.origin)

  await page.getByRole('link', { name: 'Create flag: Flag on “Start free”' }).click()
  await page.waitForURL('**/studio/shop/flags/new?key=start-free')
  await expect.poll(() => page.getByLabel('Key', { exact: true }).inputValue()).toBe('start-free')

  await visit(page, '/studio/shop/connect/first-visit')
  await page.getByRole('link', { name: 'Create survey: Survey on /' }).click()
  await page.waitForURL('**/studio/shop/surveys/new?page=%2F')
  await page.getByText('Shown on /', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Use Blank survey' }).click()
  await page.waitForURL(/\/studio\/shop\/surveys\/(?!new)/)
  await visit(page, `${new URL(page.url()).pathname}?tab=audience`)
  await expect
    .poll(() =>
      page
        .locator('input, textarea')
        .evaluateAll((inputs) => inputs.map((input) => Reflect.get(input, 'value'))),
    )
    .toContain('^https?://[^/?#]+/?(?:[?#].*)?$')
})

test('a site that refuses frames has the steps alone', async () => {
  const { page } = await setUpWith({ 'x-frame-options': 'DENY' })
  await page.waitForURL('**/studio/shop/connect/first-visit')
  await page.getByText('This site does not allow being shown in other pages').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('figure').first().waitFor()
  await page.getByText('Waiting for your first event').waitFor()
})

/** A Tilth that was set up from its front page, with the address of a site of another origin. */
async function setUpWith(headers: Record<string, string> = {}) {
  const site = await aShop(headers)
  const tilth = await aTilth({ TILTH_OUTBOUND_ALLOW: '127.0.0.1' })
  const page = await aPerson({ browser, address: tilth.address })
  await page.goto('/')
  await page.waitForURL('**/studio/setup')
  await waitForHydration(page)
  await page.getByLabel('Set-up code').fill(/^Set-up code: (\S+)$/m.exec(tilth.out)?.[1] ?? '')
  await page.getByLabel('Your name').fill('Ana Berg')
  await page.getByLabel('Your e-mail').fill('ana@example.com')
  await page.getByLabel('Password', { exact: true }).fill('lantern orchard violin')
  await page.getByLabel('First project').fill('Shop')
  await page.getByLabel('Site address').fill(site.origin)
  await page.getByRole('button', { name: 'Set up Tilth' }).click()
  return { page, site }
}

/** A site of one page with a button, without a tag at first. */
async function aShop(headers: Record<string, string>) {
  let head = ''
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(
      `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><button>Start free</button></html>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The site has no port.')
  return { origin: `http://127.0.0.1:${address.port}`, publish: (tag: string) => (head = tag) }
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
