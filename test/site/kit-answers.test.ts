import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endAfterFile } from '../running/end-after-file'
import { patienceMs } from '../running/patience'
import { aFolder, aTilth, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { aVisitor, openBrowser } from './site-fixture'

/** Answers of pages of a site folder: missing ones, redirects, and data that changes elsewhere. */
let browser: Browser
let tilth: RunningTestTilth
const endLater = endAfterFile()

/** The jobs as another program has them; undefined while it fails. */
let jobs: string[] | undefined = ['Gardener']
const source = createServer((_, response) => {
  if (jobs) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(jobs))
  else response.writeHead(500).end()
})

const files: Record<string, string> = {
  'pages/links.tsx': `export default () => (
  <main id="content">
    <h1>Links</h1>
    <p><a href="/jobs/astronaut">Astronaut</a> <a href="/jobs/chef">Chef</a></p>
  </main>
)`,
  'pages/jobs/[slug].tsx': `import { notFound, redirect } from '@tilth/site'
const Title = async ({ slug }) => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  if (slug === 'chef') redirect('/jobs/cook', { permanent: true })
  if (slug === 'boss') redirect('https://example.com/boss')
  return slug === 'cook' ? <h1>Cook</h1> : notFound()
}
export default ({ params }) => <main id="content"><Title slug={params.slug} /></main>`,
  'pages/open.tsx': `import { setting } from '@tilth/site'
export const revalidate = false
export default async function Open() {
  const answer = await fetch(setting('JOBS'), { next: { tags: ['jobs'] } })
  return <main id="content"><h1>Open jobs</h1><p role="status">{(await answer.json()).join(', ')}</p></main>
}`,
  'pages/each.tsx': `import { setting } from '@tilth/site'
export const revalidate = 0
export default async function Each() {
  const answer = await fetch(setting('JOBS'))
  return <main id="content"><h1>Each</h1><p>{(await answer.json()).join(', ')}</p></main>
}`,
}

beforeAll(async () => {
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  // a server that listens on a port has an address of this form
  const { port } = source.address() as AddressInfo
  const site = aFolder(endLater)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  const [opened, started] = await Promise.all([
    openBrowser(),
    aTilth(
      {
        ...ownedEnvironment,
        TILTH_SITE: site,
        TILTH_SITE_FETCH: `127.0.0.1:${port}`,
        TILTH_SITE_JOBS: `http://127.0.0.1:${port}/jobs.json`,
      },
      endLater,
    ),
  ])
  browser = opened
  tilth = started
  await vi.waitFor(async () => expect((await read('/links')).status).toBe(200), often)
})
afterAll(async () => {
  await browser?.close()
  source.close()
})

const often = { timeout: patienceMs, interval: 200 }

async function read(path: string) {
  const answer = await fetch(tilth.address + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}

async function callApi(path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(answer.ok, `${path} was answered with ${answer.status}: ${text}`).toBe(true)
  return JSON.parse(text)
}

/** Visitors of the day are told apart by their browsers. */
const agentOf = (version: number): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`

const counted = z.looseObject({ rows: z.array(z.array(z.unknown())) })

/** The stored views of the visitor with this version of the browser, by name and path. */
async function viewsOf(version: number): Promise<string[]> {
  const sql = `select event, path from events where startsWith(browser_version, '${version}') and event in ('$pageview', '$not_found')`
  const { rows } = counted.parse(await callApi('/query', { sql }))
  return rows.map((row) => row.join(' ')).toSorted()
}

test('a click on a page that calls notFound() leads to the page for missing addresses, with its status', async () => {
  const page = await aVisitor(browser, { userAgent: agentOf(151) })
  await page.goto(`${tilth.address}/links`)
  await page.waitForFunction(() => history.state?.tilth !== undefined)
  const missing = page.waitForResponse(
    (response) => response.url().endsWith('/jobs/astronaut') && response.request().isNavigationRequest(),
  )
  await page.getByRole('link', { name: 'Astronaut' }).click()
  expect((await missing).status()).toBe(404)
  await page.getByText('404', { exact: true }).waitFor()
  expect(await page.title()).not.toContain('Links')
  await expect.poll(() => viewsOf(151), often).toEqual(['$not_found /jobs/astronaut', '$pageview /links'])
})

test('a click on a page that redirects shows its target, whose view alone is counted', async () => {
  expect(await read('/jobs/chef')).toMatchObject({ status: 308, location: '/jobs/cook' })
  expect(await read('/jobs/boss')).toMatchObject({ status: 307, location: 'https://example.com/boss' })
  const page = await aVisitor(browser, { userAgent: agentOf(152) })
  await page.goto(`${tilth.address}/links`)
  await page.waitForFunction(() => history.state?.tilth !== undefined)
  await page.getByRole('link', { name: 'Chef' }).click()
  await page.getByRole('heading', { name: 'Cook' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/jobs/cook')
  await expect.poll(() => viewsOf(152), often).toEqual(['$pageview /jobs/cook', '$pageview /links'])
})

test('a page that fetches shows new data once its tag or its path is revalidated, and old data while its source fails', async () => {
  const page = await aVisitor(browser, { userAgent: agentOf(153) })
  const shown = async (): Promise<string | null> => {
    await page.goto(`${tilth.address}/open`)
    return await page.getByRole('status').textContent()
  }
  expect(await shown()).toBe('Gardener')
  jobs = ['Gardener', 'Cook']
  expect(await shown()).toBe('Gardener')
  expect((await read('/each')).text).toContain('Gardener, Cook')
  await callApi('/site/revalidate', { tags: ['jobs'] })
  await expect.poll(shown, often).toBe('Gardener, Cook')

  jobs = undefined
  await callApi('/site/revalidate', { paths: ['/open'] })
  expect((await read('/each')).status).toBe(500)
  expect(await shown()).toBe('Gardener, Cook')
  jobs = ['Cook']
  await expect.poll(shown, often).toBe('Cook')
})
