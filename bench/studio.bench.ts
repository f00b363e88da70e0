import { execFileSync } from 'node:child_process'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { type Finding, ms, quantile, report } from './report'
import { forget, owned, startTilth, temporaryFolder } from './running'
import { type StudioAction, studioActions } from './studio-actions'

/** Of a middling phone, as Lighthouse takes it. */
const slowdown = 4
const rounds = 3
const project = 'demo'

const measuredPages: readonly [name: string, path: string][] = [
  ['Home', ''],
  ['Web analytics', '/web'],
  ['Insights', '/insights'],
  ['New insight', '/insights/new'],
  ['Dashboards', '/dashboards'],
  ['People', '/people'],
  ['Live', '/live'],
  ['Alerts', '/alerts'],
  ['New alert', '/alerts/new'],
  ['SQL', '/sql'],
  ['Flags', '/flags'],
  ['New flag', '/flags/new'],
  ['Experiments', '/experiments'],
  ['Surveys', '/surveys'],
  ['Posts', '/posts'],
  ['Connect', '/connect'],
  ['Settings', '/settings'],
]

interface PageLoad {
  scriptBytes: number
  requests: number
  unusedStyles: string[]
  longestTaskMs: number
}

/** One page, by a browser that has nothing of it yet. */
async function loadPage(context: BrowserContext, address: string): Promise<PageLoad> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  const loaded = await watchNetwork(client)
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watchLongTasks)
  await page.goto(address, { waitUntil: 'networkidle' })
  const { longestTaskMs, unusedStyles } = await page.evaluate(readPage)
  await page.close()
  return { ...loaded, longestTaskMs, unusedStyles }
}

async function watchNetwork(client: CDPSession): Promise<{ scriptBytes: number; requests: number }> {
  const loaded = { scriptBytes: 0, requests: 0 }
  const scripts = new Set<string>()
  client.on('Network.requestWillBeSent', ({ requestId, type }) => {
    loaded.requests += 1
    if (type === 'Script') scripts.add(requestId)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) loaded.scriptBytes += encodedDataLength
  })
  await client.send('Network.enable')
  return loaded
}

// Both run in the browser.
function watchLongTasks() {
  const found: number[] = []
  Object.assign(window, { longTasks: found })
  new PerformanceObserver((list) => found.push(...list.getEntries().map(({ duration }) => duration))).observe(
    {
      type: 'longtask',
      buffered: true,
    },
  )
}

function readPage() {
  // put there by watchLongTasks
  const { longTasks } = window as unknown as { longTasks: number[] }
  const used = new Set([...document.styleSheets].map(({ href }) => href))
  const preloads = [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=style]')]
  return {
    longestTaskMs: Math.max(0, ...longTasks),
    unusedStyles: preloads.map(({ href }) => href).filter((href) => !used.has(href)),
  }
}

interface Timing {
  /** From a press to the next frame, the slowest of the interactions it took (INP). */
  interaction: number
  /** From the press to the first change of the page. */
  firstChange: number
  /** From the press to the last change of the page. */
  result: number
}

async function timingOf(context: BrowserContext, address: string, action: StudioAction): Promise<Timing> {
  const page = await context.newPage()
  await page.addInitScript(watchInteractions)
  await page.addInitScript(watchChanges)
  await page.goto(address + action.at, { waitUntil: 'networkidle' })
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await action.act(page)
  await page.waitForFunction(isSettled, quietMs)
  const { first, last } = await page.evaluate(readChanges)
  const interaction = await readInteractions(page)
  await page.close()
  return { interaction, firstChange: first, result: last }
}

/** A page that has not changed for so long, and waits for nothing, shows the result. */
const quietMs = 1000

interface Changes {
  pressedAt: number
  first: number
  last: number
}

// These run in the browser.
function watchChanges() {
  const changes: Changes = { pressedAt: 0, first: 0, last: 0 }
  Object.assign(window, { changes })
  const press = ({ timeStamp }: Event) => {
    changes.pressedAt ||= timeStamp
  }
  const change = () => {
    if (changes.pressedAt === 0) return
    changes.last = performance.now() - changes.pressedAt
    changes.first ||= changes.last
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, press, true)
  addEventListener('input', change, true)
  new MutationObserver((records) => {
    if (records.some(({ target }) => !document.head?.contains(target))) change()
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}

function readChanges(): Changes {
  // put there by watchChanges
  return (window as unknown as { changes: Changes }).changes
}

function isSettled(quiet: number): boolean {
  const { changes } = window as unknown as { changes: Changes }
  const isBusy = document.querySelector('main[aria-busy], [data-navigation-progress]') !== null
  return changes.first > 0 && !isBusy && performance.now() - changes.pressedAt - changes.last > quiet
}

function watchInteractions() {
  const found: number[] = []
  Object.assign(window, { interactions: found })
  // `interactionId` and the threshold are not in the library's types yet
  const options = { type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ((entry as unknown as { interactionId: number }).interactionId > 0) found.push(entry.duration)
  }).observe(options)
}

/** Two frames later everything that was pressed has been painted and counted. */
const readInteractions = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const { interactions } = window as unknown as { interactions: number[] }
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => resolve(Math.max(0, ...interactions)), 300)),
        )
      }),
  )

const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })

async function signedIn(browser: Browser, address: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto('/studio/sign-in')
  await page.getByLabel('E-mail').fill(owned.TILTH_OWNER_EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(owned.TILTH_OWNER_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/studio/sign-in')
  await page.close()
  return context
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`

const browser = await openBrowser()
const folder = temporaryFolder()
const tilth = await startTilth(folder, owned)
try {
  execFileSync(process.execPath, ['bin/tilth.js', 'demo', '--events', '20000', '--json'], {
    env: { ...process.env, ...owned, TILTH_DATA: folder, PORT: new URL(tilth.address).port },
  })
  const context = await signedIn(browser, tilth.address)
  const home = `${tilth.address}/studio/${project}`

  const findings: Finding[] = []
  for (const [name, path] of measuredPages) {
    const { scriptBytes, requests, longestTaskMs, unusedStyles } = await loadPage(context, home + path)
    findings.push({
      what: `first load of ${name}`,
      measured: `${kilobytes(scriptBytes)} of script`,
      beside: `${requests} requests; longest task ${ms(longestTaskMs)}; ${unusedStyles.length} styles preloaded for nothing`,
    })
  }
  for (const action of studioActions) {
    const took: Timing[] = []
    for (let round = 0; round < rounds; round++) took.push(await timingOf(context, home, action))
    const middle = (of: keyof Timing) =>
      ms(
        quantile(
          took.map((timing) => timing[of]),
          0.5,
        ),
      )
    findings.push({
      what: action.name,
      measured: `first change ${middle('firstChange')}, result ${middle('result')}`,
      beside: `next frame ${middle('interaction')}, slowest ${ms(Math.max(...took.map(({ interaction }) => interaction)))}`,
    })
  }
  report('studio', 'The studio in a browser', findings, [
    `Scripts are counted as they were sent, for a browser with an empty cache on localhost, which takes Brotli. Tasks and actions with the processor slowed ${slowdown} times; an action is timed from the press to the first and to the last change of the page, and to the next frame (INP); the middle one of ${rounds} rounds.`,
  ])
} finally {
  await browser.close()
  await tilth.stop()
  forget(folder)
}
