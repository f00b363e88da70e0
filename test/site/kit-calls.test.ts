import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endAfterFile } from '../running/end-after-file'
import { patienceMs } from '../running/patience'
import { aFolder, aTilth, run, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment } from '../studio/owner'
import { aVisitor, openBrowser } from './site-fixture'

/** Routes of a site folder, and forms of its pages whose actions need no script. */
let browser: Browser
let tilth: RunningTestTilth
const endLater = endAfterFile()

/** A page of another site. */
const elsewhere = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Elsewhere</title>')
})

const files: Record<string, string> = {
  'pages/news/index.tsx': `import { useActionState } from 'react'
import { redirect, revalidateTag } from '@tilth/site'
import { add } from '../../lib/subscribers'
export async function subscribe(before, form) {
  const email = String(form.get('email'))
  if (email === 'crash') throw new Error('The list is full.')
  if (!email.includes('@')) return { email, problem: 'Write an address such as ana@example.com.' }
  add(email)
  revalidateTag('subscribers')
  redirect('/thanks')
}
export const metadata = { title: 'News' }
export default function News() {
  const [state, action] = useActionState(subscribe, { email: '', problem: '' })
  return (
    <main id="content">
      <h1>News</h1>
      <form action={action}>
        <label>E-mail <input name="email" defaultValue={state.email} aria-describedby="problem" /></label>
        <p id="problem" role="status">{state.problem}</p>
        <button>Subscribe</button>
      </form>
    </main>
  )
}`,
  'lib/subscribers.ts': `'use server'
const emails = []
export function add(email) { emails.push(email) }`,
  'pages/thanks.tsx': `import { cacheTag } from '@tilth/site'
export default function Thanks() {
  cacheTag('subscribers')
  return <main id="content"><h1>Thanks</h1><p>drawn {Math.random()}</p></main>
}`,
  'pages/hooks/echo/route.ts': `const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' }
export const OPTIONS = () => new Response(null, { status: 204, headers: open })
export async function POST(request) {
  return Response.json({ got: await request.json(), cookie: request.headers.get('cookie'), url: request.url }, { headers: open })
}
export const GET = () => Response.json({ got: null }, { headers: open })`,
  'pages/files/[name]/route.ts': `export const GET = (request, { params }) => new Response('name ' + JSON.stringify(params.name))`,
  'pages/all/[...rest]/route.ts': `export const GET = (request, { params }) => Response.json(params.rest)`,
  'pages/forge/route.ts': `export const GET = () => {
  const headers = new Headers({ 'content-type': 'text/html', 'content-security-policy': 'script-src *',
    'strict-transport-security': 'max-age=0', 'clear-site-data': '"cookies"', 'service-worker-allowed': '/',
    'x-tilth-visit': 'a', 'content-encoding': 'gzip', 'transfer-encoding': 'chunked', 'x-own': 'yes' })
  for (const cookie of ['sid=stolen', '__Host-SID=a', '=sid=a', 'sid', ' tilth_visitor=a', 'shop=1; Path=/']) headers.append('set-cookie', cookie)
  return new Response('<h1>forged</h1>', { headers })
}`,
  'pages/leads/route.ts': `export const GET = () => new Response(null, { status: 302, headers: { location: '//evil.example/' } })`,
  'pages/endless/route.ts': `export const GET = () => { for (;;); }`,
  'pages/plans.tsx': `export const metadata = { title: 'Plans', draft: true }
export default () => <main id="content"><h1>Secret plans</h1></main>`,
  'pages/sw/route.ts': `export const GET = () => new Response('self', { headers: { 'content-type': 'text/javascript' } })`,
}

beforeAll(async () => {
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const site = aFolder(endLater)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  const [opened, started] = await Promise.all([
    openBrowser(),
    aTilth({ ...ownedEnvironment, TILTH_SITE: site }, endLater),
  ])
  browser = opened
  tilth = started
  await vi.waitFor(async () => expect((await ask('/news')).status).toBe(200), often)
})
afterAll(async () => {
  await browser?.close()
  elsewhere.close()
})

const often = { timeout: patienceMs, interval: 200 }

async function ask(path: string, request: RequestInit = {}) {
  const answer = await fetch(tilth.address + path, { redirect: 'manual', ...request })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const asDocument = { headers: { accept: 'text/html' } }

/** The form of the page, filled in, as a browser sends it. */
async function newsForm(email: string): Promise<FormData> {
  const { text } = await ask('/news', asDocument)
  const form = new FormData()
  for (const [, attributes = ''] of text.matchAll(/<input type="hidden"([^>]*)>/g)) {
    const value = /value="([^"]*)"/.exec(attributes)?.[1] ?? ''
    form.set(/name="([^"]*)"/.exec(attributes)?.[1] ?? '', value.replaceAll('&quot;', '"'))
  }
  form.set('email', email)
  return form
}

test('a visitor without a script sends a form, sees what is wrong, and is led on once it is right', async () => {
  const before = (await ask('/thanks', asDocument)).text
  const page = await aVisitor(browser, { javaScriptEnabled: false })
  await page.goto(`${tilth.address}/news`)
  await page.getByLabel('E-mail').fill('ana')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect.poll(() => page.getByRole('status').textContent(), often).toContain('Write an address')
  expect(await page.getByLabel('E-mail').inputValue()).toBe('ana')
  expect(new URL(page.url()).pathname).toBe('/news')
  expect(await page.title()).toContain('News')
  await page.getByLabel('E-mail').fill('ana@example.com')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('heading', { name: 'Thanks' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/thanks')
  // the action has revalidated what the page shows
  await expect.poll(async () => (await ask('/thanks', asDocument)).text, often).not.toBe(before)
})

test('with the site’s script the form does the same', async () => {
  const page = await aVisitor(browser)
  await page.goto(`${tilth.address}/news`)
  await page.waitForFunction(() => history.state?.tilth !== undefined)
  await page.getByLabel('E-mail').fill('ben')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect.poll(() => page.getByRole('status').textContent(), often).toContain('Write an address')
  await page.getByLabel('E-mail').fill('ben@example.com')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('heading', { name: 'Thanks' }).waitFor()
})

test('a page of another site calls a route, which gets its own cookies and none of Tilth', async () => {
  const { port } = elsewhere.address() as AddressInfo
  const page = await aVisitor(browser)
  await page.goto(`http://127.0.0.1:${port}/`)
  const got = await page.evaluate(async (address) => {
    const answer = await fetch(`${address}/hooks/echo?a=b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order: 7 }),
    })
    return (await answer.json()) as unknown
  }, tilth.address)
  expect(got).toEqual({ got: { order: 7 }, cookie: null, url: `${tilth.address}/hooks/echo?a=b` })
  const { text } = await ask('/hooks/echo', {
    method: 'POST',
    headers: { cookie: 'sid=a; shop=1; __Host-sid=b; tilth_visitor=c; device=d; x=sid' },
    body: '{}',
  })
  expect(JSON.parse(text)).toMatchObject({ cookie: 'shop=1; x=sid' })
})

test('a route has what its methods say, and its answers are kept by no cache unless it says so', async () => {
  const answer = await ask('/hooks/echo', { method: 'DELETE' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  expect((await ask('/hooks/echo')).headers.get('cache-control')).toBe('no-store')
  const head = await ask('/hooks/echo', { method: 'HEAD' })
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '12'])
})

test('a route can neither forge headers of Tilth nor lead elsewhere by a path', async () => {
  const { headers, text } = await ask('/forge')
  expect(text).toBe('<h1>forged</h1>')
  expect(headers.getSetCookie()).toEqual(['shop=1; Path=/'])
  expect(headers.get('x-own')).toBe('yes')
  for (const name of [
    'strict-transport-security',
    'clear-site-data',
    'service-worker-allowed',
    'x-tilth-visit',
  ])
    expect(headers.get(name), name).toBeNull()
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  // both policies hold, so its own allows nothing more
  expect(headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*script-src 'self'.*, script-src \*$/,
  )
  expect((await ask('/leads')).headers.get('location')).toBe('/')
  expect((await ask('/sw', { headers: { 'service-worker': 'script' } })).status).toBe(403)
})

test.each([
  ['/files/a%20b', 200, 'name "a b"'],
  ['/files/..%2f..%2fetc%2fpasswd', 404, ''],
  ['/files/a%00b', 404, ''],
  ['/all/a/b', 200, '["a","b"]'],
  ['/all/a/%2e%2e/b', 404, ''],
])('%s is answered with %i', async (path, status, text) => {
  // `fetch` would shorten the paths
  const { request } = await import('node:http')
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request(tilth.address, { path }, (response) => {
      let written = ''
      response.on('data', (part) => (written += String(part)))
      response.on('end', () => resolve({ status: response.statusCode, text: written }))
    })
      .on('error', reject)
      .end()
  })
  expect(answer.status).toBe(status)
  if (text) expect(answer.text).toBe(text)
})

test('a form from another site, a malformed one and one without an action are refused', async () => {
  const form = await newsForm('eve@example.com')
  const send = async (request: RequestInit) => (await ask('/news', { method: 'POST', ...request })).status
  expect(await send({ body: form, headers: { origin: 'https://evil.example' } })).toBe(403)
  expect(await send({ body: form, headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const body of ['', '--x', '--x\r\n\r\n\r\n--x--', `--x\r\n${'a'.repeat(5000)}`, '--x--\r\n'])
    expect(await send({ body, headers: multipart }), JSON.stringify(body)).toBe(400)
  expect(await send({ body: new URLSearchParams({ email: 'a' }) })).toBe(400)
  expect(await send({ body: '{}', headers: { 'content-type': 'application/json' } })).toBe(400)
  const failed = await ask('/news', { method: 'POST', body: await newsForm('crash'), ...asDocument })
  expect([failed.status, failed.text.includes('The list is full')]).toEqual([500, false])
})

test('a body that is too large is refused before any of it is kept', async () => {
  const body = Buffer.alloc(50 * 1024 * 1024)
  for (const path of ['/hooks/echo', '/news']) {
    const answer = await ask(path, { method: 'POST', body }).catch((problem: unknown) => problem)
    expect(answer instanceof Error || (answer as { status: number }).status === 413, path).toBe(true)
  }
  expect((await ask('/hooks/echo')).status).toBe(200)
})

test('a route that never ends harms no page beside it, and is refused from then on', async () => {
  const endless = ask('/endless')
  for (let n = 0; n < 5; n++) expect((await ask(`/thanks?page=${n + 2}`, asDocument)).status).toBe(200)
  // on a busy machine the front waits no longer
  expect([500, 504]).toContain((await endless).status)
  await expect.poll(async () => (await ask('/endless')).status, often).toBe(500)
  expect((await ask('/hooks/echo')).status).toBe(200)
})

test('a thousand forms at once are answered, or told to come back, while pages and routes are', async () => {
  const form = await newsForm('all')
  const statuses = new Map<number, number>()
  const sending = Promise.all(
    Array.from({ length: 1000 }, async () => {
      const { status } = await ask('/news', { method: 'POST', body: form })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }),
  )
  expect((await ask('/thanks', asDocument)).status).toBe(200)
  await sending
  expect(
    [...statuses.keys()].every((status) => [200, 408, 500, 503, 504].includes(status)),
    JSON.stringify([...statuses]),
  ).toBe(true)
  expect(statuses.get(200) ?? 0).toBeGreaterThan(0)
  expect((await ask('/hooks/echo')).status).toBe(200)
})

test('a page that is a draft is missing for visitors, and no list names it', async () => {
  const { status, text } = await ask('/plans', asDocument)
  expect([status, text.includes('Secret plans')]).toEqual([404, false])
  await expect.poll(async () => (await ask('/sitemap.xml')).text, often).toContain('/news')
  for (const list of ['/sitemap.xml', '/llms.txt', '/blog/search?q=plans'])
    expect((await ask(list)).text, list).not.toMatch(/\/plans|Secret plans/)
})

test('a page that is a draft is shown to anyone with its preview link, and kept for no other', async () => {
  const environment = { ...ownedEnvironment, TILTH_DATA: tilth.folder, PORT: String(tilth.port) }
  const command = run(['site', 'preview', '/plans', '--json'], environment)
  await command.ended
  const { url } = z.object({ url: z.url() }).parse(JSON.parse(command.out))
  const { pathname, search } = new URL(url)
  const page = await aVisitor(browser)
  await page.goto(tilth.address + pathname + search)
  await page.getByRole('heading', { name: 'Secret plans' }).waitFor()
  await page.getByText('This is a draft. Only people with this link see it.').waitFor()
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
  expect(await page.locator('script[data-project]').count()).toBe(0)
  expect((await ask('/plans', asDocument)).status).toBe(404)
  expect((await ask(`/plans${search.slice(0, -2)}AA`, asDocument)).status).toBe(404)
  expect((await ask(`/news${search}`, asDocument)).text).not.toContain('Only people with this link')
})
