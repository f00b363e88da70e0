import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endAfterFile } from '../running/end-after-file'
import { patienceMs } from '../running/patience'
import { aFolder, aTilth, browserHeaders, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { aVisitor, openBrowser } from './site-fixture'

/** A site folder whose pages and components throw, as visitors see it. */
let browser: Browser
let tilth: RunningTestTilth
let site: string
const endLater = endAfterFile()

const files = {
  'pages/broken.tsx': `export default function Broken() {
  throw new Error('no prices')
}
`,
  'pages/fragile.tsx': `import Fragile from '../components/Fragile'
import Pressed from '../components/Pressed'
export default () => <main id="content"><Fragile label="Seats"><b>Taxes</b></Fragile><Pressed /></main>
`,
  'components/Fragile.tsx': `'use client'
export default function Fragile({ label, children }) {
  if (typeof window !== 'undefined') throw new TypeError('no window for ' + label)
  return <p>{label} by the server {children}</p>
}
`,
  'components/Pressed.tsx': `'use client'
import { useState } from 'react'
export default function Pressed() {
  const [count, setCount] = useState(0)
  if (count === 2) throw new Error('pressed twice')
  return <button type="button" onClick={() => setCount(count + 1)}>{'Pressed ' + count}</button>
}
`,
  'posts/2026-03-02-hello.md': '---\ntitle: Hello\n---\n\nHello.\n',
}

const often = { timeout: patienceMs, interval: 200 }

function write(file: string, text: string): void {
  mkdirSync(dirname(join(site, file)), { recursive: true })
  writeFileSync(join(site, file), text)
}

beforeAll(async () => {
  site = aFolder(endLater)
  for (const [file, text] of Object.entries(files)) write(file, text)
  const environment = { ...ownedEnvironment, TILTH_SITE: site }
  ;[browser, tilth] = await Promise.all([openBrowser(), aTilth(environment, endLater)])
  await vi.waitFor(async () => expect((await read('/fragile')).status).toBe(200), often)
})
afterAll(() => browser?.close())

async function read(path: string) {
  const answer = await fetch(tilth.address + path, browserHeaders)
  return { status: answer.status, text: await answer.text() }
}

/** The page as a visitor without scripts sees it. */
async function withoutScripts(path: string) {
  const page = await aVisitor(browser, { javaScriptEnabled: false })
  const answer = await page.goto(tilth.address + path)
  return { page, status: answer?.status() }
}

test('a page that throws is replaced by the error page of the theme, with header and footer, without a script', async () => {
  const { page, status } = await withoutScripts('/broken')
  expect(status).toBe(500)
  await page.getByRole('heading', { name: 'This page does not work at the moment' }).waitFor()
  await page.getByRole('link', { name: 'Go to the front page' }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Acme' }).waitFor()
  await page.getByRole('contentinfo').waitFor()
  expect(await page.content()).not.toContain('no prices')
})

test('the pages for what is missing and for what throws are the team’s own, and the theme’s where those throw', async () => {
  write(
    'layouts/not-found.tsx',
    'export default ({ site, search }) => <><h1>Nothing here at {site.name}</h1>{search}</>',
  )
  write(
    'layouts/error.tsx',
    'export default ({ words }) => <><h1>We are on it</h1><p>{words.pageFailed}</p></>',
  )
  await expect.poll(async () => (await read('/nowhere')).text, often).toContain('Nothing here at')
  const missing = await withoutScripts('/blog/nowhere')
  expect(missing.status).toBe(404)
  await missing.page.getByRole('heading', { name: 'Nothing here at Acme' }).waitFor()
  await missing.page.getByRole('searchbox').waitFor()
  await missing.page.getByRole('banner').waitFor()
  const failed = await withoutScripts('/broken')
  expect(failed.status).toBe(500)
  await failed.page.getByRole('heading', { name: 'We are on it' }).waitFor()

  write('layouts/error.tsx', "export default () => { throw new Error('this one, too') }")
  await expect.poll(async () => (await read('/broken')).text, often).not.toContain('We are on it')
  const again = await withoutScripts('/broken')
  expect(again.status).toBe(500)
  await again.page.getByRole('heading', { name: 'This page does not work at the moment' }).waitFor()
})

const counted = z.looseObject({ rows: z.array(z.array(z.string())) })

async function exceptions(): Promise<string[]> {
  const sql =
    "select properties['$exception_values'] from events where event = '$exception' order by timestamp"
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
  })
  return counted.parse(await answer.json()).rows.flat()
}

test('a client component that throws keeps the HTML of the server and is recorded', async () => {
  const page = await aVisitor(browser)
  await page.goto(`${tilth.address}/fragile`)
  await expect.poll(exceptions, often).toHaveLength(1)
  await page.getByText('Seats by the server Taxes').waitFor()
  const button = page.getByRole('button')
  for (const label of ['Pressed 1', 'Pressed 0']) {
    await button.click()
    await page.getByRole('button', { name: label }).waitFor()
  }
  await expect
    .poll(exceptions, often)
    .toEqual([expect.stringContaining('no window for Seats'), expect.stringContaining('pressed twice')])
})
