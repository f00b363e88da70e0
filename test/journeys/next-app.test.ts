import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { endAfterFile } from '../running/end-after-file'
import { watchProblems } from '../product/page-problems'
import { aTilth, type RunningTestTilth } from '../start/tilth'
import { callApi, createFlag } from '../wire/flag-making'
import { aNextApp } from '../wire/next-app'
import { browser as agent, fetchEvents, ownedEnvironment, secret } from '../wire/tilth-fixture'
import { aVisitor, openBrowser } from '../wire/trackers-browser'

const endLater = endAfterFile()
let tilth: RunningTestTilth
let app: string
let browser: Browser
let experiment: string

/** Nearly everyone gets another variant than crawlers. */
const variants = (...keys: string[]) => keys.map((key, at) => ({ key, percentage: at === 0 ? 1 : 99 }))

/** A busy machine may not answer within the usual 300 ms. */
const patient = { TILTH_DEADLINE_MS: '20000' }

beforeAll(async () => {
  tilth = await aTilth(ownedEnvironment, endLater)
  ;[app, browser] = await Promise.all([aNextApp(tilth.address, secret, endLater, patient), openBrowser()])
  await createFlag(tilth, { key: 'new-checkout', kind: 'switch' })
  for (const [key, other] of [
    ['headline', 'bold'],
    ['offer', 'half-price'],
    ['plans', 'yearly'],
  ] as const)
    await createFlag(tilth, { key, kind: 'variants', variants: variants('control', other) })
  const metrics = [{ name: 'Sign-ups', measured: { type: 'conversion', happening: { event: 'signup' } } }]
  const { id } = await callApi(tilth, 'POST', '/experiments', { name: 'Offer', flag: 'offer', metrics })
  experiment = String(id)
  await callApi(tilth, 'POST', `/experiments/${experiment}/start`, {})
})
afterAll(() => browser?.close())

/** The events of a person, once `enough` says that the last of them is there. */
async function eventsOf(visitor: string, enough: (names: string[]) => boolean) {
  const all = () => fetchEvents(tilth, `&distinct_id=${visitor}`)
  const names = async () => (await all()).map(({ event }) => event)
  await expect.poll(names, { interval: 100 }).toSatisfy(enough, 'more events, or others')
  return all()
}

const ofEvents = (events: Awaited<ReturnType<typeof eventsOf>>, name: string, property: string) =>
  events
    .filter(({ event }) => event === name)
    .map(({ properties }) => String(properties[property]))
    .toSorted()
const pathsOf = (events: Awaited<ReturnType<typeof eventsOf>>) =>
  ofEvents(events, '$pageview', '$current_url').map((url) => new URL(url).pathname)

declare global {
  interface Window {
    /** The texts that each frame of the document showed. */
    frameTexts: Set<string>
  }
}

/** A visitor, and what each frame of their documents showed. */
async function aFrameWatcher(): Promise<{ page: Page; frames: () => Promise<string[]>; problems: string[] }> {
  const page = await aVisitor(browser)
  const problems = watchProblems(page)
  await page.addInitScript(() => {
    const seen = new Set<string>()
    const look = () => {
      const main = document.querySelector('main')
      if (main) seen.add(main.innerText)
      requestAnimationFrame(look)
    }
    look()
    window.frameTexts = seen
  })
  const frames = () => page.evaluate(() => [...window.frameTexts])
  return { page, frames, problems }
}

/** React has attached its listeners; a click before that does nothing. */
async function clickWhenHydrated(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      Object.keys(document.querySelector(wanted) ?? {}).some((name) => name.startsWith('__reactProps')),
    selector,
  )
  await page.click(selector)
}

const visitorOf = async (page: Page): Promise<string> =>
  (await page.context().cookies()).find(({ name }) => name === 'tilth_visitor')?.value ?? ''

test('a document shows its decisions from the first frame on, and everything that happens is one person’s, once', async () => {
  const { page, frames, problems } = await aFrameWatcher()
  await page.goto(app)
  const headline = await page.textContent('h1')
  await clickWhenHydrated(page, 'button')
  await page.click('text=About')
  await page.waitForURL('**/about')
  await page.waitForSelector('text=Home')
  await page.goto(`${app}/pricing`)
  const price = await page.textContent('h1')
  await page.goto(`${app}/account`)
  await expect.poll(frames).not.toEqual([])
  const account = await frames()

  const visitor = await visitorOf(page)
  const events = await eventsOf(
    visitor,
    (names) =>
      names.filter((name) => name === '$pageview').length >= 4 &&
      names.includes('signup') &&
      names.filter((name) => name === '$feature_flag_called').length >= 4,
  )
  expect(pathsOf(events)).toEqual(['/', '/about', '/account', '/pricing'])
  expect(ofEvents(events, '$feature_flag_called', '$feature_flag')).toEqual([
    'headline',
    'new-checkout',
    'offer',
    'plans',
  ])
  expect(ofEvents(events, 'signup', 'plan')).toEqual(['pro'])
  expect(new Set(events.map(({ person_id: person }) => person)).size).toBe(1)
  const valueOf = (flag: string) =>
    events.find(({ properties }) => properties['$feature_flag'] === flag)?.properties[
      '$feature_flag_response'
    ]
  const isBold = valueOf('headline') === 'bold'
  expect([headline, price]).toEqual([
    isBold ? 'Dig deeper' : 'Tools for your garden',
    valueOf('plans') === 'yearly' ? '90 € a year' : '9 € a month',
  ])
  expect(account).toEqual([
    expect.stringMatching(isBold ? /^Your deep roots\s+One step/ : /^Your account\s+One step/),
  ])
  expect(problems).toEqual([])
})

test('frames of a document do not differ, and its HTML is what the browser shows', async () => {
  const { page, frames, problems } = await aFrameWatcher()
  const response = await page.goto(app)
  const html = await response?.text()
  await eventsOf(await visitorOf(page), (names) => names.includes('$feature_flag_seen'))
  const [first, ...others] = await frames()
  expect(others).toEqual([])
  for (const line of first?.split('\n').filter((text) => text.trim() !== '' && !text.includes('About')) ?? [])
    expect(html).toContain(line)
  expect(first).toContain('Buy in one step')
  expect(problems).toEqual([])
})

test('the experiment counts the person of the page and their goal', async () => {
  const page = await aVisitor(browser)
  await page.goto(app)
  await clickWhenHydrated(page, 'button')
  const result = z.looseObject({
    report: z.looseObject({ variants: z.array(z.looseObject({ units: z.number() })) }),
  })
  const units = async () =>
    result
      .parse(await callApi(tilth, 'GET', `/experiments/${experiment}/results`))
      .report.variants.reduce((sum, one) => sum + one.units, 0)
  await eventsOf(
    await visitorOf(page),
    (names) => names.includes('$feature_flag_called') && names.includes('signup'),
  )
  await expect.poll(units, { interval: 250 }).toBeGreaterThan(0)
})

test('posthog-js begins with the decisions and the id of the visit, and one person stays one', async () => {
  const page = await aVisitor(browser)
  // posthog-js sends nothing for a driven browser
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'webdriver', { value: false })
    Object.defineProperty(navigator, 'userAgentData', { value: undefined })
  })
  await page.goto(`${app}/with-posthog`)
  const visitor = await visitorOf(page)
  const decided = await page.waitForSelector('#headline:not(:empty)')
  expect(['control', 'bold']).toContain(await decided.textContent())
  await page.click('#order')
  const before = await eventsOf(visitor, (names) => names.includes('ordered') && names.includes('$pageview'))
  expect(before.map(({ event }) => event).filter((name) => name === '$pageview')).toHaveLength(1)

  await page.click('#sign-in')
  await eventsOf('user-42', (names) => names.includes('$identify'))
  await page.goto(`${app}/about`)
  const after = await eventsOf('user-42', (names) => names.includes('$pageview'))
  expect(pathsOf(after)).toEqual(['/about'])
  const persons = async () => [
    ...new Set((await fetchEvents(tilth, `&distinct_id=${visitor}`)).map(({ person_id: person }) => person)),
  ]
  await expect.poll(persons, { interval: 100 }).toEqual([after[0]?.person_id])
})

test('pages with decisions made in advance stay static', async () => {
  const response = await fetch(`${app}/pricing`, { headers: { 'user-agent': agent, accept: 'text/html' } })
  expect([
    response.status,
    response.headers.get('x-nextjs-cache') ?? response.headers.get('x-nextjs-prerender'),
  ]).toEqual([200, expect.stringMatching(/HIT|1/)])
})

test('crawlers get the original of an experiment, no cookie, and are not counted', async () => {
  const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
  const response = await fetch(app, { headers: { 'user-agent': crawler, accept: 'text/html' } })
  expect(await response.text()).toContain('Free delivery')
  expect([response.headers.get('set-cookie'), response.headers.get('server-timing')]).toEqual([null, null])
})

test('a Tilth that never answers neither holds a page up nor breaks it', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  // a listening server has an address of this form
  const { port } = silent.address() as AddressInfo
  const lonely = await aNextApp(`http://127.0.0.1:${port}`, secret, onTestFinished)
  for (const path of ['/', '/pricing', '/account']) {
    const response = await fetch(lonely + path, { headers: { 'user-agent': agent, accept: 'text/html' } })
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringMatching(/Tools for your garden|9 € a month|Your account/),
    ])
  }
})
