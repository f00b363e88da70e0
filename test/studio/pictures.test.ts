import { mkdirSync } from 'node:fs'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { build } from 'esbuild'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { builtKinds, labelsFor } from '#studio/insights/kinds'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import { meetCheckout, untilCounted } from './experiments'
import { anotherSite } from './other-site'
import { secretKey } from './owner'
import type { PictureHost } from './picture-host'
import { accessibilityViolations, aPerson, aSharedStudio, askApi, type TestStudio } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const attacks = {
  script: '</script><img src=x onerror="window.attacked=1">',
  svg: '<svg onload="window.attacked=1"></svg>',
  link: 'javascript:window.attacked=1',
}

/** A week of sixty visitors who come back, sign up, and have attacks for plans. */
const studioWithEvents = aSharedStudio(async (studio) => {
  const dayMs = 86_400_000
  const now = Date.now()
  const plans = ['free', 'pro', ...Object.values(attacks)]
  const events = Array.from({ length: 60 }, (_, person) => {
    const plan = plans[person % plans.length]
    return [0, 1, 2, 3, 5].flatMap((day) => {
      const path = day % 2 === 0 ? 'pricing' : `start-${'long-'.repeat(30)}`
      const properties = { plan, $current_url: `https://shop.example.com/${path}` }
      const distinct_id = `visitor-${person}`
      const at = (minutes: number) => new Date(now - day * dayMs - minutes * 60_000).toISOString()
      const compares = person % 3 === 0
      const does = (event: string, minutes: number) =>
        anEvent({ distinct_id, event, timestamp: at(minutes), properties })
      return [
        does('$pageview', 60),
        ...(compares ? [does('compared', 50)] : []),
        ...(compares || person % 11 === 0 ? [does('signup', 40)] : []),
      ]
    })
  }).flat()
  expect(await send(studio, events)).toBe(200)
  await untilStored(studio, events.length)
})

const capabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
}
const self = { name: 'host', version: '1' }

/** The official clients of both generations, which say that they show apps. */
const clients = {
  async '2026-07-28'({ address }: TestStudio) {
    const one = new Client(self, { capabilities, versionNegotiation: { mode: 'auto' } })
    await one.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }))
    onTestFinished(() => one.close())
    return one
  },
  async 2025({ address }: TestStudio) {
    const one = new EarlierClient(self, { capabilities })
    await one.connect(new EarlierTransport(new URL('/mcp', address), { requestInit }))
    onTestFinished(() => one.close())
    return one
  },
}
const requestInit = { headers: { authorization: `Bearer ${secretKey}` } }

const aPage = (studio: TestStudio): Promise<Page> =>
  aPerson(studio, { viewport: { width: 700, height: 900 } })
const asAnswered = (result: CallToolResult): CallToolResult => result

/** A client with a page that shows the app of each answer. */
async function aHost(
  studio: TestStudio,
  {
    revision = '2026-07-28',
    page = aPage(studio),
  }: { revision?: keyof typeof clients; page?: Promise<Page> } = {},
) {
  const client = await clients[revision](studio)
  const { tools } = await client.listTools()
  const site = await anotherSite()
  site.publish(`<!doctype html><title>Host</title><body><script>${await hostScript()}</script>`)
  const host = await page
  await host.goto(site.origin)
  return {
    page: host,
    show: async (name: string, input: Record<string, unknown>, change = asAnswered) => {
      const tool = tools.find((one) => one.name === name)
      const uri = tool && getToolUiResourceUri({ _meta: tool['_meta'] })
      if (uri === undefined) throw new Error(`${name} has no app.`)
      const [document] = (await client.readResource({ uri })).contents
      const html = document && 'text' in document ? document.text : ''
      // both clients validate what they pass on
      const result = change((await client.callTool({ name, arguments: input })) as CallToolResult)
      await host.evaluate(
        (app) => (window as unknown as { pictureHost: PictureHost }).pictureHost.show(app),
        { html, input, result, theme: 'light' as const },
      )
      await expect.poll(() => host.frames().length).toBe(2)
      const frame = host.frames()[1]
      if (!frame) throw new Error('There is no app.')
      await frame.getByRole('link', { name: 'Open in Tilth' }).waitFor()
      return { frame, result }
    },
  }
}

let script: Promise<string> | undefined
const hostScript = (): Promise<string> =>
  (script ??= build({
    entryPoints: [new URL('picture-host.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  }).then(({ outputFiles: [file] }) => (file?.text ?? '').replaceAll('</script', '<\\/script')))

const setTheme = (page: Page, theme: 'light' | 'dark') =>
  page.evaluate(
    (next) => (window as unknown as { pictureHost: PictureHost }).pictureHost.setTheme(next),
    theme,
  )

const colourOf = (frame: Frame) => frame.evaluate(() => getComputedStyle(document.body).backgroundColor)

/** Usable in both themes and on a phone. */
async function isUsable(page: Page, frame: Frame, name: string): Promise<void> {
  await screenshot(page, `${name}-light-700`)
  const light = await colourOf(frame)
  expect(await accessibilityViolations(frame), name).toEqual([])
  await setTheme(page, 'dark')
  await expect.poll(() => colourOf(frame)).not.toBe(light)
  expect(await accessibilityViolations(frame), `${name}, dark`).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(() => frame.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: name })
    .toBeLessThanOrEqual(0)
  expect(await accessibilityViolations(frame), `${name}, on a phone`).toEqual([])
  await screenshot(page, `${name}-dark-390`)
  await page.setViewportSize({ width: 700, height: 900 })
}

/** For those who look at them: TEST_SCREENSHOTS names a folder. */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['TEST_SCREENSHOTS']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

describe('in a client that shows apps', () => {
  const kinds = builtKinds.map(
    ({ kind }) => [kind, { ...labelsFor(kind).start?.('signup'), period: '7d' }] as const,
  )

  test.each(kinds)('an answer of %s is drawn', async (kind, query) => {
    const host = await aHost(await studioWithEvents(browser))
    await isDrawn(host, 'run_query', { query }, kind)
  })

  test('web figures and rows of SQL are drawn, also for a client of 2025', async () => {
    const host = await aHost(await studioWithEvents(browser), { revision: 2025 })
    await isDrawn(host, 'web_overview', { period: '7d' }, 'web')
    const sql = 'select event, count() as events from events group by event order by events desc'
    const frame = await isDrawn(host, 'run_sql', { sql }, 'sql')
    await frame.getByRole('cell', { name: 'signup' }).waitFor()
  })

  test('the result of an experiment is drawn with its verdict', async () => {
    const studio = await studioWithEvents(browser)
    const { id, sentence } = await anExperiment(studio)
    const host = await aHost(studio)
    const frame = await isDrawn(host, 'experiment_results', { id }, 'experiment')
    await frame.getByRole('heading', { name: 'New checkout' }).waitFor()
    await frame.getByText(sentence).waitFor()
    await frame.getByText('Running since').waitFor()
    await frame.getByRole('row', { name: /^new 40\.00% of 100/ }).waitFor()
    await frame.getByRole('img', { name: /^Orders, new: / }).waitFor()
    await frame.getByText('Details of Orders').click()
  })

  test('a chart changes into its table, and its link asks the client', async () => {
    const { page, show } = await aHost(await studioWithEvents(browser))
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const { frame, result } = await show('run_query', { query: kinds[0]?.[1] })
    const table = frame.locator('.chart-table')
    expect((await table.boundingBox())?.height).toBeLessThanOrEqual(1)
    await frame.getByRole('checkbox', { name: 'Show as table' }).check({ force: true })
    await expect.poll(async () => (await table.boundingBox())?.height ?? 0).toBeGreaterThan(100)
    expect(await accessibilityViolations(frame)).toEqual([])

    await frame.getByRole('link', { name: 'Open in Tilth' }).click()
    const opened = () =>
      page.evaluate(() => (window as unknown as { pictureHost: PictureHost }).pictureHost.opened)
    await expect.poll(opened).toEqual([(result.structuredContent as { link: string }).link])
    expect(page.frames()).toHaveLength(2)
    // the frame's own document is written into it
    expect(requests.filter((url) => url !== 'about:srcdoc')).toEqual([])
  })

  const byPlan = {
    kind: 'trend',
    series: [{ event: '$pageview', measure: { math: 'persons' } }],
    breakdowns: [{ type: 'event', key: 'plan' }],
    period: '7d',
  }

  test('values that visitors wrote as attacks are words in it', async () => {
    const { show } = await aHost(await studioWithEvents(browser))
    const { frame } = await show('run_query', { query: byPlan })
    for (const attack of Object.values(attacks))
      await frame.getByText(attack).first().waitFor({ state: 'attached' })
    expect(await attackedIn(frame)).toEqual({ attacked: false, elements: 0 })
  })

  test('a picture that escaped nothing would still run nothing', async () => {
    const studio = await studioWithEvents(browser)
    // the policy of the document refuses what is tried, which a visitor of Tilth never sees
    const page = browser.newPage()
    onTestFinished(async () => (await page).close())
    const { show } = await aHost(studio, { page })
    const { frame } = await show('run_query', { query: byPlan }, ({ _meta, ...result }) => ({
      ...result,
      _meta: {
        'tilth/picture': `<a href="${attacks.link}">Open in Tilth</a>${attacks.svg}<script>window.attacked = 1</script>
          <img src="x" onerror="window.attacked = 1"><iframe srcdoc="<script>parent.attacked = 1</script>"></iframe>`,
      },
    }))
    await frame.getByRole('link', { name: 'Open in Tilth' }).click()
    await expect.poll(async () => (await attackedIn(frame)).elements).toBeGreaterThan(0)
    expect((await attackedIn(frame)).attacked).toBe(false)
  })
})

const attackedIn = (frame: Frame) =>
  frame.evaluate(() => ({
    attacked: 'attacked' in window,
    elements: document.querySelectorAll('main :is(script, img, iframe, [onload], [onerror])').length,
  }))

/** Shows an answer, and expects it to be whole and usable. */
async function isDrawn(
  { page, show }: Awaited<ReturnType<typeof aHost>>,
  tool: string,
  input: Record<string, unknown>,
  name: string,
): Promise<Frame> {
  const { frame } = await show(tool, input)
  const text = await frame.locator('main').innerText()
  expect(text).toContain('Time zone')
  expect(text).not.toContain('No data')
  expect(await frame.locator('figure, table, ol, dl').count(), text).toBeGreaterThan(0)
  await isUsable(page, frame, name)
  return frame
}

/** An experiment of two hundred people; of those with the new variant, fewer order. */
async function anExperiment(studio: TestStudio): Promise<{ id: string; sentence: string }> {
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: ['control', 'new'].map((key) => ({ key, percentage: 50 })),
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'New checkout',
    flag: 'checkout',
    metrics: [orders],
  })
  await askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`, {})
  await meetCheckout(studio, 'control')
  const ordering = Array.from({ length: 200 }, (_, i) => i).filter((i) => i % 10 < 5)
  const ordered = ordering.map((i) => anEvent({ distinct_id: `person-${i}`, event: 'ordered' }))
  expect(await send(studio, ordered)).toBe(200)
  await untilCounted(studio, id, [100, 100], [0.6, 0.4])
  const path = `/projects/acme/experiments/${id}/results`
  const { sentence } = await askApi<{ sentence: string }>(studio, 'GET', path)
  return { id, sentence }
}
