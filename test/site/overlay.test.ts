import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aVisitor, openBrowser, openTestSite, type TestSite } from './site-fixture'

let browser: Browser
let site: TestSite

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  site = await openTestSite()
})
afterEach(() => site.close())

const attribute = (value: unknown): string => JSON.stringify(value).replaceAll('"', '&quot;')
const script = '<script async src="/_tilth/site-dev.js" data-shown="1"></script>'
const lines = [
  { number: 2, text: 'function Quiet() {' },
  { number: 3, text: "  throw new Error('<b>Ouch</b>')" },
]

/** A page of `tilth dev`, and a server that knows the lines of one file. */
async function aPage(body: string, colorScheme: 'light' | 'dark' = 'light') {
  site.handle('/_tilth/site-changes', async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
  })
  site.handle('/_tilth/site-source', async ({ url = '' }, response) => {
    const isKnown = /file=pages%2Fquiet|script=Price-1\.js&line=1&column=\d+$/.test(url)
    const excerpt = { file: 'pages/quiet.tsx', line: 3, lines }
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? excerpt : {}))
  })
  site.show('/', { title: 'Quiet', body: `<main><h1>Quiet</h1>${body}</main>`, head: script })
  const page = await aVisitor(browser, { colorScheme })
  await page.goto(site.address)
  return { page, overlay: page.getByRole('alertdialog') }
}

const problem = {
  message: '<b>Ouch</b>',
  file: 'pages/quiet.tsx',
  line: 3,
  components: ['Quiet', 'Section'],
}

test('a mistake that the server has found is shown with its lines and components, as text', async () => {
  const { page, overlay } = await aPage(
    `<tilth-problem data-problem="${attribute(problem)}"></tilth-problem>`,
  )
  await page.getByRole('alertdialog', { name: 'A mistake in the site folder' }).waitFor()
  await overlay.getByText('<b>Ouch</b>', { exact: true }).waitFor()
  await overlay.getByText('pages/quiet.tsx:3', { exact: true }).waitFor()
  expect(await overlay.getByRole('list').getByRole('listitem').allTextContents()).toEqual([
    'Quiet',
    'Section',
  ])
  await expect
    .poll(() => overlay.locator('mark').textContent())
    .toContain("3    throw new Error('<b>Ouch</b>')")
  expect(await overlay.locator('b').count()).toBe(0)
  expect(
    await overlay.getByRole('button', { name: 'Close' }).evaluate((button) => button.matches(':focus')),
  ).toBe(true)
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'hidden' })
})

test('it goes when the mistake is gone', async () => {
  const one = `<tilth-problem data-problem="${attribute(problem)}"></tilth-problem>`
  const { page, overlay } = await aPage(one + one)
  await page.getByRole('alertdialog', { name: '2 mistakes in the site folder' }).waitFor()
  const remove = () => page.evaluate(() => document.querySelector('tilth-problem')?.remove())
  await remove()
  await page.getByRole('alertdialog', { name: 'A mistake in the site folder' }).waitFor()
  await remove()
  await overlay.waitFor({ state: 'hidden' })
})

test.each(['light', 'dark'] as const)('it has the appearance %s of the browser', async (colorScheme) => {
  const { page, overlay } = await aPage(
    `<tilth-problem data-problem="${attribute(problem)}"></tilth-problem>`,
    colorScheme,
  )
  await page.evaluate((scheme) => (document.documentElement.style.colorScheme = scheme), colorScheme)
  const background = await overlay.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(29, 27, 24)')
})

test('an exception in a script of the site folder is shown, and no other', async () => {
  site.file('/own.js', 'text/javascript', "setTimeout(() => { throw new Error('Elsewhere') })")
  site.file(
    '/_tilth/site/Price-1.js',
    'text/javascript',
    "setTimeout(() => { throw Object.assign(new Error('Too many'), { componentStack: '\\n    at Price (x)\\n    at div\\n    at Page (y)' }) })",
  )
  const { page, overlay } = await aPage('')
  const load = (src: string) =>
    page.evaluate(async (address) => {
      const thrown = new Promise((resolve) => addEventListener('error', resolve, { once: true }))
      const element = document.createElement('script')
      element.src = address
      document.body.append(element)
      await thrown
    }, src)
  await load('/own.js')
  expect(await overlay.count()).toBe(0)
  await load('/_tilth/site/Price-1.js')
  await overlay.getByText('Too many', { exact: true }).waitFor()
  await overlay.getByText('pages/quiet.tsx:3', { exact: true }).waitFor()
  expect(await overlay.getByRole('list').getByRole('listitem').allTextContents()).toEqual(['Price', 'Page'])
})
