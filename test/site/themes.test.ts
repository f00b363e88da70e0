import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endAfterFile } from '../running/end-after-file'
import { aFolder, aTilth, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { horizontalOverflow, violationsInBothThemes } from '../studio/studio'
import { aVisitor, openBrowser } from './site-fixture'

let browser: Browser
let tilth: RunningTestTilth
const endLater = endAfterFile()

const file = (title: string, body: string, more = ''): string => `---\ntitle: ${title}\n${more}---\n${body}\n`
const parts = ['## One', 'Words.', '## Two', 'Words.'].join('\n\n')

const home = `
:::hero{align="center"}
# Boards for small teams
Plan a week in ten minutes.

[Start](/signup) [See prices](/docs)
:::

## What you get

:::features
### Boards
Three columns.
### Automations
What moves by itself.
### Calm
Once a day.
:::

:::prices{best="Team"}
### Free
**0 €**

[Start](/signup)
### Team
**9 €** a month

[Start](/signup)
:::

:::questions
### Is there a trial?
Yes.
:::

:::signup{name="news" button="Sign up"}
Once a month.
:::
`

const files: Readonly<Record<string, string>> = {
  'pages/index.md': file('Acme', home),
  'pages/docs/v1/install.md': file('Installation', parts, 'order: 1\n'),
  'pages/docs/v1/boards.md': file('Boards', parts),
  'pages/docs/v2/install.md': file('Installation', parts, 'order: 1\n'),
  'pages/docs/v2/guides/boards.md': file('Boards', parts),
  'posts/2026-03-02-hello.md': file('Hello', parts),
  'posts/2026-03-02-hello.ar.md': file('مرحبا', 'نص', 'slug: marhaban\n'),
}

beforeAll(async () => {
  const folder = aFolder(endLater)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const [opened, started] = await Promise.all([
    openBrowser(),
    aTilth({ ...ownedEnvironment, TILTH_SITE: folder }, endLater),
  ])
  browser = opened
  tilth = started
})
afterAll(() => browser?.close())

const often = { interval: 100 }

const read = async (path: string): Promise<string> => (await fetch(tilth.address + path)).text()

async function useTheme(theme: 'docs' | 'product', mark: string): Promise<void> {
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme/site`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ theme }),
  })
  expect(answer.status).toBe(200)
  await expect.poll(() => read('/docs/v2/install'), often).toContain(mark)
}

async function areUsable(paths: readonly string[]): Promise<void> {
  const page = await aVisitor(browser, { bypassCSP: true })
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(tilth.address + path)
    expect.soft(await violationsInBothThemes(page), path).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect.soft(await horizontalOverflow(page), path).toBeLessThanOrEqual(0)
  }
}

test('documentation has a sidebar of its folder, versions, and a way through its pages', async () => {
  await useTheme('docs', 'docs-nav')
  const page = await aVisitor(browser, { viewport: { width: 1280, height: 900 } })
  await page.goto(`${tilth.address}/docs/v1/install`)
  const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('link')
  await contents.first().waitFor()
  expect(await contents.allTextContents()).toEqual(['v2', 'v1', 'Installation', 'Boards'])
  const headings = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
  await headings.first().waitFor()
  expect(await headings.allTextContents()).toEqual(['One', 'Two'])
  await page.setViewportSize({ width: 390, height: 844 })
  await headings.first().waitFor({ state: 'hidden' })
  await page.getByText('On this page').last().click()
  await headings.last().click()
  await page.waitForURL('**/docs/v1/install#at-two')
  await page.setViewportSize({ width: 1280, height: 900 })
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/docs\/v2\/install$/)
  await page.getByRole('link', { name: 'Go to the newest version' }).click()
  await page.waitForURL('**/docs/v2/install')
  await page.getByRole('link', { name: 'Next Boards' }).click()
  await page.waitForURL('**/docs/v2/guides/boards')
  await page.getByRole('link', { name: 'Previous Installation' }).waitFor()
  await areUsable(['/', '/blog', '/blog/hello', '/docs/v1/install'])
})

test('the product theme draws a home page of blocks', async () => {
  await useTheme('product', 'product-header')
  await areUsable(['/', '/blog', '/blog/hello', '/docs/v1/install'])
})

test('a translation has the words and the direction of its language, and both name each other', async () => {
  const page = await aVisitor(browser)
  await page.goto(`${tilth.address}/blog/hello`)
  await page.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: 'العربية' }).click()
  await page.waitForURL('**/blog/marhaban')
  await page.getByRole('link', { name: 'English' }).waitFor()
  await page.waitForFunction(() => document.documentElement.dir === 'rtl')
  expect(await page.getAttribute('html', 'lang')).toBe('ar')

  const html = await read('/blog/hello')
  const origin = '[^"]*'
  for (const [language, path] of [
    ['en', '/blog/hello'],
    ['ar', '/blog/marhaban'],
    ['x-default', '/blog/hello'],
  ])
    expect(html).toMatch(new RegExp(`hrefLang="${language}" href="${origin}${path}"`))

  expect(await read('/blog')).not.toContain('/blog/marhaban')
  expect(await read('/blog/languages/ar')).toContain('/blog/marhaban')
  expect(await read('/blog/languages/ar/rss.xml')).toContain('<language>ar</language>')
  expect((await fetch(`${tilth.address}/blog/languages/fr`)).status).toBe(404)
})
