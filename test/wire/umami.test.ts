import { Umami } from '@umami/node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aVisitor, openBrowser, openTrackedSite, type TrackedSite, untilDrawn } from './trackers-browser'
import { pageOf } from './trackers-fixture'

let browser: Browser
let site: TrackedSite
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

beforeEach(async () => {
  site = await openTrackedSite()
  page = await aVisitor(browser)
})
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  await site.close()
})

const html = (head: string, body = '') =>
  `<!doctype html><html><head><title>A page</title>${head}</head><body>${body}</body></html>`

const events = () => site.events()
const names = () => events().map(({ name }) => name)
const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })
const posts = () => site.responses.filter(({ method }) => method === 'POST').map(({ path }) => path)

interface UmamiPage {
  umami: { track: (...words: unknown[]) => Promise<void>; identify: (...words: unknown[]) => Promise<void> }
}

const website = 'key-1'
const tag = (attributes = '', src = '/script.js') =>
  `<script defer src="${src}" data-website-id="${website}" ${attributes}></script>`

async function open(path: string, attributes = '', body = '', src = '/script.js') {
  site.show(new URL(path, site.address).pathname, html(tag(attributes, src), body))
  await page.goto(site.address + path)
  await page.waitForFunction(() => 'umami' in window)
}

/** Until the script has an answer: what it says counts for the next request. */
const untilAnswered = () =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/send')),
  )

test('the script counts views, moves, and what the page tells', async () => {
  await open('/start?utm_source=g#h', 'data-tag="A"')
  await eventually(names).toEqual(['$pageview'])
  await untilAnswered()
  await page.evaluate(async () => {
    const { umami } = window as never as UmamiPage
    await umami.track('signup', { plan: 'pro' })
    await umami.track((payload: object) => ({ ...payload, url: '/custom', title: 'C' }))
    await umami.identify('ana', { email: 'x' })
  })
  await page.evaluate(() => {
    history.pushState({}, '', '/next')
    document.title = 'The next'
  })
  await eventually(names).toEqual(['$pageview', 'signup', '$pageview', '$identify', '$pageview'])
  expect(events()).toMatchObject([
    {
      distinctId: undefined,
      properties: {
        $current_url: `${site.address}/start?utm_source=g#h`,
        tag: 'A',
        $screen: '1280x720',
        $browser_language: 'en-US',
      },
    },
    { properties: { plan: 'pro' } },
    { properties: { title: 'C' } },
    { distinctId: 'ana', person: { set: { email: 'x' } } },
    { distinctId: 'ana', properties: { $current_url: `${site.address}/next`, title: 'The next' } },
  ])
  const caches = site.responses
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['x-umami-cache'])
  expect(caches).toEqual([
    undefined,
    expect.stringMatching(/./),
    expect.stringMatching(/./),
    '',
    expect.stringMatching(/./),
  ])
})

test('elements that name an event send it', async () => {
  await open(
    '/marked',
    '',
    '<button data-umami-event="sign up" data-umami-event-plan="pro"><b>go</b></button>',
  )
  await page.click('b')
  await eventually(names).toEqual(['$pageview', 'sign up'])
  expect(events()[1]?.properties).toMatchObject({ plan: 'pro' })
})

test('web vitals are sent where the tag asks for them', async () => {
  await open('/fast', 'data-performance="true"', '<h1>Text</h1>')
  await eventually(names).toEqual(['$pageview'])
  await untilDrawn(page)
  await page.goto('about:blank')
  await eventually(names).toEqual(['$pageview', '$web_vitals'])
  expect(events()[1]?.properties).toMatchObject({
    $web_vitals_TTFB_value: expect.any(Number),
    $web_vitals_FCP_value: expect.any(Number),
    $load_ms: expect.any(Number),
  })
})

test.each([
  ['only parts of addresses', 'data-exclude-search="true" data-exclude-hash="true"', ['/a']],
  ['only on its own hosts', 'data-domains="example.com, other.example"', []],
  ['on one of its hosts', 'data-domains="example.com, site.test"', ['/a?b=1#c']],
  ['nothing by itself', 'data-auto-track="false"', []],
  ['what a function of the page lets through', 'data-before-send="change"', ['/changed']],
  ['what a function of the page lets through', 'data-before-send="refuse"', []],
])('%s', async (_what, attributes, expected) => {
  await page.addInitScript(() =>
    Object.assign(window, {
      change: (_type: string, payload: object) => ({ ...payload, url: `${location.origin}/changed` }),
      refuse: () => null,
    }),
  )
  await open('/a?b=1#c', attributes)
  await page.waitForLoadState('networkidle')
  await eventually(() => events().map((event) => pageOf(event).slice(site.address.length))).toEqual(expected)
})

test.each([
  ['asks not to be followed', () => Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' })],
  ['switched it off', () => localStorage.setItem('umami.disabled', '1')],
])('a visitor who %s is not counted', async (_who, prepare) => {
  await page.addInitScript(prepare)
  await open('/quiet', 'data-do-not-track="true"')
  await page.waitForLoadState('networkidle')
  expect(posts()).toEqual([])
})

test('it stops when the server answers that the visitor has opted out', async () => {
  site.wire.outcome = 'opted-out'
  await open('/unwanted')
  await untilAnswered()
  await page.evaluate(() => (window as never as UmamiPage).umami.track('more'))
  expect(posts()).toEqual(['/api/send'])
})

test.each([
  ['below a path of the site', '', () => '/umami/script.js', '/umami/api/send'],
  ['from another origin', '', () => `${site.elsewhere}/script.js`, '/api/send'],
  ['with a host of its own', 'data-host-url="/stats/"', () => '/script.js', '/stats/api/send'],
])('it works %s', async (_where, attributes, src, endpoint) => {
  await open('/anywhere', attributes, '', src())
  await eventually(names).toEqual(['$pageview'])
  expect(posts()).toEqual([endpoint])
})

test('@umami/node, on a server, is understood', async () => {
  const umami = new Umami({ websiteId: website, hostUrl: site.elsewhere.replace('tilth.test', '127.0.0.1') })
  for (const sent of [umami.track({ url: '/home' }), umami.track('ev', { a: 1 }), umami.identify({ p: 1 })])
    expect((await sent).status).toBe(200)
  expect(new Set(names())).toEqual(new Set(['$pageview', 'ev', '$identify']))
  expect(site.wire.accepted.every(({ envelope }) => envelope.fromServer)).toBe(true)
})
