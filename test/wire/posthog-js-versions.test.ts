import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aFlag } from '../random/random-flags'
import { key } from './posthog-fixture'
import { installedScript, aWireServer, installedPage } from './posthog-server'
import { patienceMs } from '../running/patience'

/**
 * Versions before 1.223 send with credentials: a browser then shows them an answer only if it names their origin and
 * allows credentials. https://github.com/PostHog/posthog-js/blob/v1.200.0/src/request.ts
 */
const packages = [
  'posthog-js-1.57',
  'posthog-js-1.96',
  'posthog-js-1.160',
  'posthog-js-1.180',
  'posthog-js-1.200',
  'posthog-js-1.223',
  'posthog-js',
]

let browser: Browser
let scripts: Record<string, string>

beforeAll(async () => {
  const [opened, ...texts] = await Promise.all([
    openBrowser(),
    ...packages.map((name) => installedScript(name)),
  ])
  browser = opened
  scripts = Object.fromEntries(packages.map((name, i) => [`/${name}.js`, texts[i] ?? '']))
})
afterAll(() => browser?.close())

const once = ['$autocapture', '$identify', '$pageleave', '$pageview']

/** Opens a page of another origin with one version on it, and acts as a visitor who clicks, signs in and leaves. */
async function visitWith(name: string) {
  const pages: Record<string, string> = { ...scripts, '/next': '<!doctype html><p>Next</p>' }
  const server = await aWireServer(pages, [aFlag({ key: 'new-checkout' })])
  pages['/'] = installedPage(key, server.address, {}, `/${name}.js`)
  const context = await browser.newContext()
  context.setDefaultTimeout(patienceMs)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => /CORS|access control/i.test(message.text()) && refused.push(message.text()))
  await page.goto(`${server.site}/`)

  await page.waitForFunction(`posthog.isFeatureEnabled('new-checkout') === true`)
  await page.click('#buy')
  await page.evaluate(`posthog.identify('user-1', { plan: 'pro' })`)
  const names = () => server.wire.events().map((event) => event.name)
  for (const wanted of ['$pageview', '$autocapture', '$identify']) await expect.poll(names).toContain(wanted)

  // a version sends what it believes lost once more when the page is left, with the same id
  await page.goto(`${server.site}/next`)
  await expect.poll(names).toContain('$pageleave')
  const sent = server.wire.events().filter((event) => once.includes(event.name))
  // versions before uuids name each event by `$insert_id`
  const byId = Map.groupBy(sent, ({ uuid, properties }) => uuid ?? properties['$insert_id'])
  const arrived = [...byId.values()].flatMap(([first]) => first?.name ?? [])
  return { name, arrived: arrived.toSorted(), refused }
}

test('every version on a page of another origin gets flags, and each of its events arrives once', async () => {
  const visits = await Promise.all(packages.map(visitWith))
  expect(visits).toEqual(packages.map((name) => ({ name, arrived: once, refused: [] })))
})
