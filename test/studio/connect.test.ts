import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { clientNames } from '#studio/live/client-names'
import { proxyNames } from '#studio/connect/proxies'
import { openBrowser } from '../pages/browser'
import { patienceMs } from '../running/patience'
import { anEvent, send, writeKey } from './collecting'
import {
  openOwnerPage,
  askApi,
  accessibilityViolations,
  horizontalOverflow,
  type TestStudio,
  waitForHydration,
  visit,
  aSharedStudio,
  inAnotherProject,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

/** Requests that no project is named by are shown with every project. */
const mistaken = aSharedStudio()

const arrived = (page: Page) => page.getByRole('region', { name: 'Events are arriving' })

async function atConnect(parameters = '', wanted?: TestStudio): Promise<{ studio: TestStudio; page: Page }> {
  const studio = wanted ?? inAnotherProject(await shared(browser))
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/${studio.slug}/connect${parameters}`)
  await page.getByText('Connected').waitFor()
  return { studio, page }
}

const codeOf = (page: Page) => page.getByRole('figure').locator('code').allTextContents()

describe('the snippets', () => {
  test('carry the address at which the studio was asked for, and the key of the project', async () => {
    const { studio, page } = await atConnect()
    const [tag = ''] = await codeOf(page)
    expect(tag).toContain(`src="${studio.address}/_tilth/script.js"`)
    expect(tag).toContain(`data-project="${studio.writeKey}"`)
  })

  test('change with the client and with the proxy, which the address keeps', async () => {
    const { page } = await atConnect()
    await page.getByRole('navigation', { name: 'Clients' }).getByRole('link', { name: 'PostHog' }).click()
    await page.waitForURL('**/connect?with=posthog')
    await page.getByRole('navigation', { name: 'Proxies' }).getByRole('link', { name: 'nginx' }).click()
    await page.waitForURL('**/connect?with=posthog&proxy=nginx')
    await page.reload()
    const code = (await codeOf(page)).join('\n')
    expect(code).toContain("api_host: '/t'")
    expect(code).toContain('location /t/ {')
  })

  test('are copied whole', async () => {
    const studio = inAnotherProject(await shared(browser))
    const page = await openOwnerPage(studio, { permissions: ['clipboard-read', 'clipboard-write'] })
    await visit(page, `/studio/${studio.slug}/connect?with=umami`)
    await page.getByRole('button', { name: 'Copy In the head of every page' }).click()
    await page.getByText('Copied').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe((await codeOf(page))[0])
  })

  test('an address that asks for what is not there is answered with what is', async () => {
    const { page } = await atConnect('?with=telegraph&proxy=pigeon')
    expect((await codeOf(page))[0]).toContain('/_tilth/script.js')
    await page.getByText('Browsers send directly to').waitFor()
  })
})

describe('a page that a snippet was put into', () => {
  /** A customer's site of one page. */
  async function aSite(head: string): Promise<string> {
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<!doctype html><html><head><title>Shop</title>${head}</head><body>Shop</body></html>`)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void site.close())
    await new Promise((resolve) => site.once('listening', resolve))
    // Plausible leaves out localhost itself; a server that listens on a port has an address with one
    return `http://shop.localhost:${(site.address() as AddressInfo).port}`
  }

  /** A module of the site's own, with the packages it names in it. */
  async function bundled(code: string): Promise<string> {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: 'iife',
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    return `<script>${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`
  }

  async function isVisited(head: string) {
    const visitor = await browser.newContext({ userAgent: visitorAgent })
    visitor.setDefaultTimeout(patienceMs)
    onTestFinished(() => visitor.close())
    await visitor.addInitScript(() => {
      // the signs by which the trackers recognise a driven browser
      Object.defineProperty(navigator, 'webdriver', { value: false })
      Object.defineProperty(navigator, 'userAgentData', { value: undefined })
    })
    const shop = await visitor.newPage()
    await shop.goto(await aSite(head))
    await shop.bringToFront()
  }

  const turnsGreen = (page: Page) => arrived(page).getByText('Page view', { exact: true }).waitFor()

  test.each(['tilth', 'posthog', 'plausible', 'umami'])(
    '%s: its tag turns the panel green',
    async (client) => {
      const { page } = await atConnect(`?with=${client}`)
      await isVisited((await codeOf(page))[0] ?? '')
      await turnsGreen(page)
    },
  )

  test.each(['posthog', 'vercel', 'plausible'])('%s: its package does', async (client) => {
    const { page } = await atConnect(`?with=${client}`)
    await isVisited(await bundled((await codeOf(page))[1] ?? ''))
    await turnsGreen(page)
  })
})

const visitorAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe('waiting for an event', () => {
  test('turns green by itself, and says what came', async () => {
    const { studio, page } = await atConnect()
    await page.getByText('Waiting for your first event').waitFor()
    expect(await send(studio, anEvent())).toBe(200)
    const facts = arrived(page)
    for (const fact of ['Page view', 'shop.example.com/pricing', 'Firefox'])
      await facts.getByText(fact, { exact: true }).waitFor()
    await facts.getByRole('link', { name: 'View live events' }).click()
    await page.waitForURL(`**/studio/${studio.slug}/live`)
  })

  test('is on the home page until something has come, and not after', async () => {
    const studio = inAnotherProject(await shared(browser))
    const page = await openOwnerPage(studio)
    await visit(page, `/studio/${studio.slug}`)
    await page.getByText('Waiting for an event').waitFor()
    await send(studio, anEvent())
    await arrived(page).waitFor()
    await visit(page, `/studio/${studio.slug}`)
    await recentIsTold(studio, page)
    expect(await page.getByText(/Waiting for an event|Events are arriving/).count()).toBe(0)
  })

  /** By a stream that is opened after the page's own. */
  const recentIsTold = ({ slug }: TestStudio, page: Page) =>
    page.evaluate(
      (path) =>
        new Promise<void>((resolve) => {
          const stream = new EventSource(path)
          stream.addEventListener('recent', () => {
            stream.close()
            resolve()
          })
        }),
      `/_tilth/live/${slug}`,
    )

  test.each<[what: string, send: (studio: TestStudio) => Promise<unknown>, says: string]>([
    ['a wrong key', (studio) => send(studio, { ...anEvent(), api_key: 'phc_mistyped' }), `Use ${writeKey}`],
    ['no key', (studio) => send(studio, { event: 'x', distinct_id: 'ana' }), 'no project key'],
    [
      'a page of another host',
      async (studio) => {
        await askApi(studio, 'PATCH', '/projects/acme', { hosts: ['garden.example.com'] })
        await send(studio, anEvent())
      },
      'its hostname is not allowed',
    ],
  ])('%s is told in words', async (_what, act, says) => {
    const { studio, page } = await atConnect('', await mistaken(browser))
    await act(studio)
    await page.getByText(says).first().waitFor()
    expect(await arrived(page).count()).toBe(0)
  })

  test('for half a minute shows what it usually is', async () => {
    const studio = inAnotherProject(await shared(browser))
    const page = await openOwnerPage(studio)
    await page.clock.install()
    await visit(page, `/studio/${studio.slug}/connect`)
    await page.getByText('Waiting for your first event').waitFor()
    const checklist = page.getByRole('region', { name: 'Troubleshooting' })
    await page.clock.fastForward(29_000)
    expect(await checklist.count()).toBe(0)
    await page.clock.fastForward(2000)
    await checklist.getByText('An ad blocker blocks the script or its requests').waitFor()
    await checklist.getByText(`connect-src ${studio.address}`).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })
})

describe('a test event from the page', () => {
  const button = (page: Page) => page.getByRole('button', { name: 'Send test event' })

  test('goes the way of every event, and proves that the installation works', async () => {
    const { page } = await atConnect()
    await button(page).click()
    await page.getByText('The test event was stored').waitFor()
    expect(await arrived(page).count()).toBe(0)
  })

  test('that something in the browser stops is told apart', async () => {
    const { page } = await atConnect()
    await page.route('**/_tilth/event', (route) => route.abort('blockedbyclient'))
    await button(page).click()
    await page.getByText('The test event could not be sent').waitFor()
  })

  test('that is refused is told with the answer', async () => {
    const { page } = await atConnect()
    await page.route('**/_tilth/event', (route) =>
      route.fulfill({ status: 503, json: { error: 'Events cannot be written down right now.' } }),
    )
    await button(page).click()
    await page.getByText('The test event failed with HTTP 503').waitFor()
    await page.getByText('Events cannot be written down right now.').waitFor()
  })
})

test.each([
  ['wide and dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 390, height: 844 } }],
] as const)('%s: every client and every proxy can be read by everyone, and fits', async (_name, options) => {
  const page = await openOwnerPage(await shared(browser), options)
  for (const parameters of [
    ...clientNames.map((client) => `with=${client}`),
    ...proxyNames.map((proxy) => `proxy=${proxy}`),
  ]) {
    await page.goto(`/studio/acme/connect?${parameters}`)
    await waitForHydration(page)
    expect([parameters, await horizontalOverflow(page), await accessibilityViolations(page)]).toEqual([
      parameters,
      0,
      [],
    ])
  }
})
