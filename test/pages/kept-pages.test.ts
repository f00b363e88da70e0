import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localOrigin } from '#projects/access'
import { aVisitor, openBrowser } from './browser'
import { aFront, type TestFront } from './fixture'

let site: TestFront
let browser: Browser

beforeAll(async () => {
  site = await aFront()
  // the front page of a Tilth without an owner leads to set-up
  const owner = { email: 'ana@example.com', password: 'five unrelated words do well' }
  await site.product.signIn.setup.provision({ owner }, localOrigin)
  browser = await openBrowser()
  await site.pages.ready()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(site.address + path, { headers: { accept: 'text/html', ...headers } })

test.each([
  ['/', 'Garden'],
  ['/blog', 'Blog'],
])('%s says honestly that there is nothing yet, with no script but our own', async (address, title) => {
  const { page, requests } = await aVisitor(browser, site.address)

  await page.goto(address, { waitUntil: 'networkidle' })

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
  expect(await page.locator('script:not([type$=json])').count()).toBe(1)
  expect(requests.filter((request) => request.startsWith('script'))).toEqual(['script /_tilth/site.js'])
  expect(requests.filter((request) => request.startsWith('stylesheet'))).not.toEqual([])
})

test('a public page is rendered once, and from then on answered from memory', async () => {
  const first = await read('/llms.txt')
  expect(first.headers.get('x-tilth-cache')).toBe('miss')
  const text = await first.text()

  // a page rendered within two seconds of a change is rendered once more
  const again = async () => {
    const { headers } = await read('/llms.txt')
    return headers.get('x-tilth-cache')
  }
  await expect.poll(again).toBe('hit')
  expect(await (await read('/llms.txt')).text()).toBe(text)
})

test('a browser that has the page already is only told so', async () => {
  const { headers } = await read('/blog')

  const again = await read('/blog', { 'if-none-match': headers.get('etag') ?? '' })

  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})

test('payloads of pages are not taken for pages', async () => {
  await read('/blog')

  const payload = await read('/blog?_rsc=1', { rsc: '1', accept: '*/*' })

  expect(payload.headers.get('content-type')).toContain('text/x-component')
})

test('a page that is rendered for one person carries their nonce and is kept nowhere', async () => {
  const [first, second] = await Promise.all([read('/provoked/arrival'), read('/provoked/arrival')])
  const nonces = [first, second].map(
    ({ headers }) => /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1],
  )

  expect(first.headers.get('cache-control')).toContain('no-store')
  expect(first.headers.get('x-tilth-cache')).toBeNull()
  expect(nonces[0]).toMatch(/^[\w+/]{22}==$/)
  expect(nonces[1]).not.toBe(nonces[0])
  const html = await first.text()
  const scripts = html.match(/<script\b[^>]*>/g) ?? []
  expect(scripts).not.toEqual([])
  expect(scripts.filter((script) => !script.includes(`nonce="${nonces[0]}"`))).toEqual([])
})

test('a kept page is there even while the pages are not', async () => {
  await read('/blog')
  const { pid } = site.pages.health()
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => site.pages.health().status, { interval: 5 }).toBe('restarting')

  expect((await read('/blog')).headers.get('x-tilth-cache')).toMatch(/^(?:hit|stale)$/)
  // one without a copy waits for the restart
  await expect.poll(async () => (await read('/blog/search?q=new')).status).toBe(200)
  expect(site.pages.health()).toMatchObject({ status: 'ready', restarts: 1 })
})
