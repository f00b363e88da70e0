import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aVisitor, bundle, openBrowser, openTrackedSite, type TrackedSite } from './trackers-browser'
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
const named = (name: string) => events().filter((event) => event.name === name)
const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })
const posts = () => site.responses.filter(({ method }) => method === 'POST').map(({ path }) => path)

const paths = () => named('$pageview').map((event) => new URL(pageOf(event)).pathname)
const tag = (script: string, attributes = 'data-domain="example.com"') =>
  `<script defer ${attributes} src="${script}"></script>`

async function open(path: string, head: string, body = '') {
  site.show(new URL(path, site.address).pathname, html(head, body))
  await page.goto(site.address + path)
}

const stay = `<script>for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, (event) => event.target.matches('button') || event.preventDefault())</script>`
const interactive = `${stay}<a id="out" href="http://else.example/a?q=1">out</a><a id="file" href="/a.pdf?x=1">file</a>
  <form><button id="send">send</button></form>
  <div class="plausible-event-name=Sign+Up plausible-event-plan=pro plausible-revenue-amount=10 plausible-revenue-currency=USD"><button id="tagged">tagged</button></div>
  <a id="dashed" class="plausible-event-name--Read+More" href="/more">more</a>`

async function interact() {
  for (const id of ['#out', '#file', '#tagged', '#dashed', '#send']) await page.click(id)
  await page.click('#out', { button: 'middle' })
}

test('the script of old counts views and what the page tells, early and late', async () => {
  const early = `<script>window.plausible = window.plausible || function () { (window.plausible.q = window.plausible.q || []).push(arguments) }; plausible('early', { props: { a: 'b' } })</script>`
  await open('/one?utm_source=x', early + tag('/js/script.js'))
  await eventually(names).toEqual(expect.arrayContaining(['early', '$pageview']))
  const told = await page.evaluate(
    () =>
      new Promise((callback) =>
        (window as never as { plausible: (name: string, o: object) => void }).plausible('buy', {
          revenue: { amount: 12.5, currency: 'EUR' },
          interactive: false,
          callback,
        }),
      ),
  )
  expect(told).toEqual({ status: 202 })
  await page.evaluate(() => history.pushState({}, '', '/two'))
  await eventually(paths).toEqual(['/one', '/two'])
  expect(named('buy')[0]?.properties).toMatchObject({
    $revenue: 12.5,
    $currency: 'EUR',
    $is_interactive: false,
  })
  await eventually(() => named('$engagement').length).toBe(1)
  expect(named('$engagement')[0]?.properties).toMatchObject({
    $current_url: `${site.address}/one?utm_source=x`,
    $engaged_ms: expect.any(Number),
    $scroll_depth: expect.any(Number),
  })
  await page.goto('about:blank')
  await eventually(() => named('$engagement').length).toBe(2)
  expect(site.responses.filter(({ method }) => method === 'OPTIONS')).toEqual([])
})

test('the name of the script says what is counted besides', async () => {
  await open(
    '/all',
    tag(
      '/js/script.outbound-links.file-downloads.tagged-events.revenue.pageview-props.js',
      'data-domain="example.com" event-author="Ana"',
    ),
    interactive,
  )
  await eventually(names).toEqual(['$pageview'])
  expect(events()[0]?.properties).toMatchObject({ author: 'Ana' })
  await interact()
  // each is sent by itself, and carries no time
  await eventually(() => names().toSorted()).toEqual([
    '$file_download',
    '$outbound_click',
    '$outbound_click',
    '$pageview',
    'Read More',
    'Sign Up',
  ])
  expect(named('$file_download')[0]?.properties['url']).toBe(`${site.address}/a.pdf`)
  expect(named('Sign Up')[0]?.properties).toMatchObject({ plan: 'pro', $revenue: '10', $currency: 'USD' })
  expect(named('Read More')[0]?.properties['url']).toBe(`${site.address}/more`)
})

test('the plain script counts no clicks', async () => {
  await open('/plain', tag('/js/script.js'), interactive)
  await eventually(names).toEqual(['$pageview'])
  await interact()
  await page.evaluate(() => (window as never as { plausible: (name: string) => void }).plausible('404'))
  await eventually(names).toEqual(['$pageview', '$not_found'])
})

test('the part after # is a page of its own where the name says so', async () => {
  await open('/#/one', tag('/js/script.hash.js'), '<a href="#/two">two</a>')
  await eventually(names).toEqual(['$pageview'])
  await page.click('a')
  await eventually(() => named('$pageview').map((event) => new URL(pageOf(event)).hash)).toEqual([
    '#/one',
    '#/two',
  ])
})

test('what is excluded, or not included, is not counted', async () => {
  await open(
    '/blog/a/b',
    tag(
      '/js/script.exclusions.js',
      'data-domain="example.com" data-include="/blog/**, /about" data-exclude="/blog/*/draft"',
    ),
  )
  await eventually(paths).toEqual(['/blog/a/b'])
  for (const path of ['/shop', '/blog/a/draft', '/about'])
    await page.evaluate((to) => history.pushState({}, '', to), path)
  await eventually(paths).toEqual(['/blog/a/b', '/about'])
})

test('by hand, nothing is counted until the page says so', async () => {
  await open('/manual', tag('/js/script.manual.js'))
  await page.waitForFunction(() => 'plausible' in window)
  await page.evaluate(() =>
    (window as never as { plausible: (name: string, o: object) => void }).plausible('pageview', {
      u: 'https://example.com/said',
    }),
  )
  await eventually(paths).toEqual(['/said'])
})

test('this machine’s own name is no site, unless the script’s name says it is', async () => {
  const port = new URL(site.address).port
  site.show('/a', html(tag('/js/script.js')))
  site.show('/b', html(tag('/js/script.local.js')))
  await page.goto(`http://localhost:${port}/a`)
  await page.waitForFunction(() => 'plausible' in window)
  await page.goto(`http://localhost:${port}/b`)
  await eventually(paths).toEqual(['/b'])
})

test('a visitor who asks to be ignored is not counted', async () => {
  await page.addInitScript(() => localStorage.setItem('plausible_ignore', 'true'))
  await open('/ignored', tag('/js/script.js'))
  const told = await page.evaluate(
    () =>
      new Promise((callback) =>
        (window as never as { plausible: (name: string, o: object) => void }).plausible('a', {
          callback: (result?: object) => callback(result ?? 'ignored'),
        }),
      ),
  )
  expect([told, names()]).toEqual(['ignored', []])
})

const stub = `<script>window.plausible = window.plausible || function () { (plausible.q = plausible.q || []).push(arguments) }, plausible.init = plausible.init || function (i) { plausible.o = i || {} };`

test('a site’s own script is told the rest by init, and counts all it can', async () => {
  await open(
    '/new',
    `<script async src="/stats/js/pa-key-1.js"></script>${stub} plausible.init({ customProperties: { theme: 'dark' } }); plausible('early')</script>`,
    interactive,
  )
  await eventually(names).toEqual(expect.arrayContaining(['$pageview', 'early']))
  await interact()
  await eventually(() => new Set(names())).toEqual(
    new Set([
      '$pageview',
      'early',
      '$outbound_click',
      '$file_download',
      'Sign Up',
      'Read More',
      '$form_submit',
    ]),
  )
  expect(events().every(({ properties }) => properties['theme'] === 'dark')).toBe(true)
  expect(new Set(posts())).toEqual(new Set(['/stats/api/event']))
  expect(site.wire.accepted.every(({ envelope }) => envelope.projectId === 1)).toBe(true)
})

test('@plausible-analytics/tracker counts everything it knows', async () => {
  const script =
    await bundle(`import { init, track } from '@plausible-analytics/tracker'; Object.assign(window, { track })
    init({ domain: 'example.com', endpoint: '/api/event', outboundLinks: true, fileDownloads: true, formSubmissions: true, customProperties: { theme: 'dark' } })`)
  await open('/npm', '', `${interactive}<script>${script}</script>`)
  await eventually(names).toEqual(['$pageview'])
  await page.evaluate(() =>
    (window as never as { track: (name: string, o: object) => void }).track('Purchase', {
      props: { plan: 'pro' },
      revenue: { amount: '12.50', currency: 'EUR' },
    }),
  )
  await interact()
  await eventually(() => new Set(names())).toEqual(
    new Set([
      '$pageview',
      'Purchase',
      '$outbound_click',
      '$file_download',
      '$form_submit',
      'Sign Up',
      'Read More',
    ]),
  )
  await page.goto('about:blank')
  await eventually(names).toContain('$engagement')
  expect(site.responses.every(({ status }) => status === 202)).toBe(true)
})

test('plausible-tracker, the old package, is understood', async () => {
  const script = await bundle(`import Plausible from 'plausible-tracker'
    const tracker = Plausible({ domain: 'example.com', apiHost: location.origin, hashMode: true })
    tracker.trackPageview(); window.told = new Promise((callback) => tracker.trackEvent('Signup', { callback, props: { a: 'b' } }))`)
  await open('/old', '', `<script>${script}</script>`)
  await page.evaluate('told')
  await eventually(names).toEqual(expect.arrayContaining(['$pageview', 'Signup']))
  expect(named('Signup')[0]?.properties).toMatchObject({ a: 'b', $screen_width: 1280 })
})
