import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { patienceMs } from '../running/patience'
import { endAfterFile } from '../running/end-after-file'
import { aFolder, aTilth, run, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { aVisitor, openBrowser } from '../site/site-fixture'
import { aStaticHost, publishTo, type StaticHost } from '../site/static-host'

let browser: Browser
let tilth: RunningTestTilth
let host: StaticHost
const endLater = endAfterFile()

beforeAll(async () => {
  const site = aFolder(endLater)
  cpSync(join(import.meta.dirname, '../site/team-site'), site, { recursive: true })
  // a page that never ends is no page to publish
  rmSync(join(site, 'pages', 'endless.tsx'))
  for (const [file, text] of Object.entries(buttonFiles)) writeFileSync(join(site, file), text)
  const environment = { ...ownedEnvironment, TILTH_SITE: site }
  ;[browser, tilth, host] = await Promise.all([
    openBrowser(),
    aTilth(environment, endLater),
    aStaticHost(endLater),
  ])
  await callApi('/flags', {
    key: 'pricing',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 0 },
      { key: 'yearly', percentage: 100 },
    ],
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  await callApi('/posts', { kind: 'post', title: 'A secret', slug: 'secret', body: 'Not yet.' })
  await vi.waitFor(
    async () => {
      const page = await fetch(`${tilth.address}/pricing`, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain('Paid by the year')
    },
    { timeout: patienceMs, interval: 200 },
  )
})
afterAll(() => browser?.close())

const buttonOf = (name: string) => `'use client'
import { useCount } from './count'
export default function ${name}() {
  const [count, add] = useCount()
  return <button type="button" onClick={add}>{'${name} ' + count}</button>
}
`

/** A page whose two client components share a module, and React. */
const buttonFiles = {
  'components/count.ts': `import { useState } from 'react'
export function useCount() {
  const [count, setCount] = useState(0)
  return [count, () => setCount(count + 1)] as const
}
`,
  'components/Likes.tsx': buttonOf('Likes'),
  'components/Votes.tsx': buttonOf('Votes'),
  'pages/buttons.tsx': `import Likes from '../components/Likes'
import Votes from '../components/Votes'
export default () => <main id="content"><Likes /><Votes /></main>
`,
  'posts/2026-03-03-buttons.md': '---\ntitle: Two buttons\n---\n\nPress [both](/buttons).\n',
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

async function publish() {
  const report = await publishTo(host, tilth)
  expect(report).toMatchObject({ code: 0, failed: [] })
  return report
}

/** The exposure and the view are of one visitor. */
const visitors = async (): Promise<unknown> =>
  (await rowsOf(`select uniq(distinct_id) from events where ${isOnFiles()}`)).flat()[0]

const isOnFiles = (): string => `properties['$current_url'] like '%${new URL(host.address).host}%'`

const rowsOf = async (sql: string) =>
  z.object({ rows: z.array(z.array(z.unknown())) }).parse(await callApi('/query', { sql })).rows

async function events(): Promise<unknown> {
  return await rowsOf(
    "select event, path(properties['$current_url']), properties['$feature_flag_response'] from events " +
      `where event in ('$pageview', '$feature_flag_called') and ${isOnFiles()} order by event`,
  )
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))

test('a site is published as files: every link leads somewhere, views count at Tilth, and flags are decided', async () => {
  const first = await publish()
  expect(first.deadLinks).toEqual([])
  expect(first.omitted.map(({ what }) => what)).toContain('searching')
  expect(await publish()).toMatchObject({ pages: first.pages, written: 0, removed: 0 })

  const files = filesIn(host.folder)
  for (const file of [
    '/404.html',
    '/index.html',
    '/pricing/index.html',
    '/blog/rss.xml',
    '/sitemap.xml',
    '/robots.txt',
  ])
    expect(files).toContain(file)
  expect(files.filter((file) => file.includes('secret'))).toEqual([])
  for (const file of files.filter((name) => name.endsWith('.html'))) await checkLinks(file)
  expect(host.missed).toEqual([])

  // the page for crawlers and for browsers without scripts
  const original = readFileSync(join(host.folder, 'pricing', 'index.html'), 'utf8')
  expect(original).toContain('Paid by the month')
  expect(original).not.toContain('Paid by the year')

  const visitor = await aVisitor(browser, { userAgent: agent })
  let loads = 0
  await expect
    .poll(async () => {
      // a machine that is too busy to decide in time shows the original, and has decided for the next page
      loads += 1
      await visitor.goto(`${host.address}/pricing/`)
      await visitor.locator('html[data-shows]').waitFor({ state: 'attached' })
      return await visitor.getByText('Paid by the year').isVisible()
    }, polling)
    .toBe(true)
  await expect
    .poll(events, polling)
    .toEqual([
      ['$feature_flag_called', '/pricing/', 'yearly'],
      ...Array.from({ length: loads }, () => ['$pageview', '/pricing/', '']),
    ])
  expect(await visitors()).toBe(1)
})

test('client components of the copy that share a module are alive', async () => {
  const missedBefore = host.missed.length
  const visitor = await aVisitor(browser, { userAgent: agent })
  await visitor.goto(`${host.address}/buttons/`)
  for (const name of ['Likes', 'Votes']) {
    const button = visitor.getByRole('button', { name })
    await expect
      .poll(async () => {
        await button.click()
        return await button.textContent()
      }, polling)
      .toMatch(/[1-9]$/)
  }
  expect(host.missed.slice(missedBefore)).toEqual([])
})

/** Every address of this site that a page names is a file. */
async function checkLinks(file: string): Promise<void> {
  const html = readFileSync(join(host.folder, file), 'utf8')
  const { pathname } = new URL(file, host.address)
  for (const [, link = ''] of html.matchAll(/\s(?:href|src|data-module)="([^"#]+)/g)) {
    const url = new URL(link.replaceAll('&amp;', '&'), host.address + pathname)
    if (url.origin === host.address) expect((await fetch(url)).status, `${link} on ${file}`).toBe(200)
  }
}

const polling = { interval: 250 }
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test('it says so where no Tilth runs', async () => {
  const command = run(['publish', '--static', aFolder(), '--url', 'https://garden.example'], {
    ...ownedEnvironment,
    TILTH_DATA: tilth.folder,
    PORT: '1',
  })
  expect((await command.ended).code).toBe(1)
  expect(command.err).toContain('No Tilth answers at')
})
