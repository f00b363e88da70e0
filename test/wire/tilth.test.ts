import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { IncomingEvent } from '#events/event'
import {
  aVisitor,
  hasBackForwardCache,
  openBrowser,
  openTrackedSite,
  untilDrawn,
  type TrackedSite,
} from './trackers-browser'
import { pageOf } from './trackers-fixture'
import { patienceMs } from '../running/patience'

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

const tag = (attributes = '', src = '/_tilth/script.js') =>
  `<script defer src="${src}" ${attributes}></script>`
const html = (body: string, head = tag()) =>
  `<!doctype html><html><head><title>A page</title>${head}</head><body>${body}</body></html>`

const named = (name: string): IncomingEvent[] => site.events().filter((event) => event.name === name)
const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })
const names = () => site.events().map(({ name }) => name)
const paths = () => named('$pageview').map((event) => new URL(pageOf(event)).pathname)

/** Opens a page and waits until it was counted. */
async function open(path: string, body = '', head = tag()) {
  site.show(new URL(path, site.address).pathname, html(body, head))
  await page.goto(site.address + path)
  await page.waitForFunction(() => window.tilth && !window.tilth.q)
}

test('one tag counts the page, without asking for anything and without leaving anything behind', async () => {
  site.show('/from', html(`<a href="/landing?utm_source=x">on</a>`, ''))
  site.show('/landing', html(''))
  await page.goto(`${site.address}/from`)
  await page.click('a')

  await eventually(names).toEqual(['$pageview'])
  expect(site.events()[0]).toMatchObject({
    distinctId: undefined,
    properties: {
      $current_url: `${site.address}/landing?utm_source=x`,
      $referrer: `${site.address}/from`,
      title: 'A page',
      $screen: '1280x720',
    },
  })
  expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual([
    '',
    0,
    0,
  ])
  expect(site.responses.filter(({ method }) => method === 'OPTIONS')).toEqual([])
})

test('moving on within the page counts, each page once, and says how long the last one was read', async () => {
  await open('/one')
  await eventually(paths).toEqual(['/one'])
  await page.evaluate(() => history.pushState({}, '', '/two'))
  await eventually(paths).toEqual(['/one', '/two'])
  await page.evaluate(() => history.replaceState({}, '', '/three'))
  await eventually(paths).toEqual(['/one', '/two', '/three'])
  await page.evaluate(() => history.replaceState({ again: true }, '', '/three?filter=1'))
  await page.evaluate(() => history.pushState({}, '', '#part'))
  await page.goBack()
  await page.goBack()
  await eventually(paths).toEqual(['/one', '/two', '/three', '/one'])

  expect(named('$pageview')[1]?.properties['$referrer']).toBe(`${site.address}/one`)
  const [first] = named('$engagement')
  expect(first?.properties['$current_url']).toBe(`${site.address}/one`)
  expect(Number(first?.properties['$engaged_ms'])).toBeGreaterThan(0)
})

test('the part after # is a page of its own only where the tag says so', async () => {
  const hashes = () => named('$pageview').map((event) => new URL(pageOf(event)).hash)
  await open('/app#/one', `<a href="#/two">two</a>`, tag('data-hash'))
  await eventually(hashes).toEqual(['#/one'])
  await page.click('a')
  await eventually(hashes).toEqual(['#/one', '#/two'])
  await page.goBack()
  await eventually(hashes).toEqual(['#/one', '#/two', '#/one'])
})

test('leaving the page tells how long it was read, how far, and how fast it was', async () => {
  const beganAt = performance.now()
  await open(
    '/long',
    '<h1>Text</h1><button onclick="for (const end = performance.now() + 60; performance.now() < end; );">Press</button><div style="height: 4000px"></div>',
  )
  await eventually(names).toEqual(['$pageview'])
  await untilDrawn(page)
  const readFrom = await page.evaluate(() => performance.now())
  await page.click('button')
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        new PerformanceObserver(resolve).observe({ type: 'first-input', buffered: true }),
      ),
  )
  await page.evaluate(() => scrollTo(0, 2000))
  await eventually(() => page.evaluate(() => scrollY)).toBe(2000)
  await eventually(() => page.evaluate(() => performance.now())).toBeGreaterThan(readFrom + 210)
  await page.goto('about:blank')

  await eventually(names).toEqual(['$pageview', '$web_vitals', '$engagement'])
  const engagement = named('$engagement')[0]?.properties ?? {}
  expect(Number(engagement['$scroll_depth'])).toBeGreaterThan(60)
  expect(Number(engagement['$scroll_depth'])).toBeLessThan(75)
  expect(Number(engagement['$engaged_ms'])).toBeGreaterThan(200)
  expect(Number(engagement['$engaged_ms'])).toBeLessThan(performance.now() - beganAt)
  const vitals = named('$web_vitals')[0]?.properties ?? {}
  const measured = Object.keys(vitals).filter((name) => name.startsWith('$web_vitals_'))
  expect(measured.sort()).toEqual(
    ['CLS', 'FCP', 'INP', 'LCP', 'TTFB'].map((metric) => `$web_vitals_${metric}_value`),
  )
  expect(Number(vitals['$web_vitals_LCP_value'])).toBeGreaterThanOrEqual(
    Number(vitals['$web_vitals_FCP_value']),
  )
})

test('a layout that jumps is measured as such', async () => {
  await open('/jumping', '<div id="ad"></div><p>Text</p><p>More text, and more of it</p>')
  await eventually(names).toEqual(['$pageview'])
  await page.evaluate(() => {
    document.querySelector('#ad')?.setAttribute('style', 'height: 300px')
    return new Promise((resolve) =>
      new PerformanceObserver(resolve).observe({ type: 'layout-shift', buffered: true }),
    )
  })
  await page.goto('about:blank')
  await eventually(() =>
    Number(named('$web_vitals')[0]?.properties['$web_vitals_CLS_value']),
  ).toBeGreaterThan(0.01)
})

test('what happened just before the page went away is not lost', async () => {
  await open('/going')
  await page.evaluate(() => {
    window.tilth?.track('last words')
    location.href = 'about:blank'
  })
  await eventually(names).toEqual(expect.arrayContaining(['$pageview', 'last words']))
})

test('links to elsewhere, downloads and forms are told, and a right click is not', async () => {
  const stay = `<script>for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, (event) => event.target.matches('button') || event.preventDefault())</script>`
  await open(
    '/links',
    `${stay}<a id="out" href="http://else.example/a?q=1"><b>out</b></a><a id="in" href="/in">in</a>
     <a id="file" href="/files/a.PDF?token=1">file</a><a id="named" download href="/x">named</a><a id="mail" href="mailto:a@b.c">mail</a>
     <form id="contact"><input name="id"><button>send</button></form>`,
  )
  await page.click('#out', { button: 'right' })
  for (const id of ['#out b', '#in', '#file', '#named', '#mail', '#contact button']) await page.click(id)
  await page.click('#out', { button: 'middle' })

  await eventually(() => names().filter((name) => name !== '$pageview')).toEqual([
    '$outbound_click',
    '$file_download',
    '$file_download',
    '$form_submit',
    '$outbound_click',
  ])
  expect(named('$outbound_click')[0]?.properties['url']).toBe('http://else.example/a?q=1')
  expect(named('$file_download').map(({ properties }) => properties['url'])).toEqual([
    `${site.address}/files/a.PDF`,
    `${site.address}/x`,
  ])
  expect(named('$form_submit')[0]?.properties['form']).toBe('contact')
})

test('elements that name an event send it, with their other attributes as properties', async () => {
  await open(
    '/marked',
    `<a href="http://else.example" onclick="return false" data-tilth-event="sign up" data-tilth-plan="pro" data-tilth-revenue="9.50" data-tilth-currency="EUR"><i>go</i></a>
     <form data-tilth-event="newsletter" data-tilth-list="weekly" onsubmit="return false"><input><button>send</button></form>`,
  )
  await page.click('i')
  await page.click('input')
  await page.click('form button')
  await eventually(names).toEqual(['$pageview', 'sign up', 'newsletter'])
  expect(named('sign up')[0]?.properties).toMatchObject({ plan: 'pro', revenue: '9.50', currency: 'EUR' })
  expect(named('newsletter')[0]?.properties).toMatchObject({ list: 'weekly' })
})

test.each([
  ['by its status', { status: 404, html: html('gone') }],
  ['by an attribute, where a server cannot say so', html('<main data-tilth-404>gone</main>')],
])('a page that is not there is told %s', async (_how, markup) => {
  site.show('/gone', markup)
  await page.goto(`${site.address}/gone`)
  await eventually(names).toEqual(['$pageview', '$not_found'])
})

test('events of the page’s own have properties and revenue, and may come before the script is there', async () => {
  const stub = `<script>window.tilth ||= { q: [] }; for (const call of ['track', 'identify', 'optOut', 'optIn']) tilth[call] ||= (...words) => tilth.q.push([call, ...words]); tilth.track('early', { props: { a: 1 } })</script>`
  await open('/own', '', stub + tag('data-tag="blue"'))
  await page.evaluate(() =>
    window.tilth?.track('buy', {
      props: { list: [1, { b: 'c' }] },
      revenue: { amount: 12.5, currency: 'EUR' },
    }),
  )
  await eventually(names).toEqual(['$pageview', 'early', 'buy'])
  expect(named('early')[0]?.properties).toMatchObject({ a: 1, tag: 'blue' })
  expect(named('buy')[0]?.properties).toMatchObject({
    list: [1, { b: 'c' }],
    $revenue: 12.5,
    $currency: 'EUR',
  })
})

test('events belong to an identified person from the moment the page identifies the visitor', async () => {
  await open('/who')
  await page.evaluate(() => {
    window.tilth?.track('before')
    window.tilth?.identify('ana', { plan: 'pro' })
    window.tilth?.track('after')
  })
  await eventually(() => site.events().map(({ name, distinctId }) => [name, distinctId])).toEqual([
    ['$pageview', undefined],
    ['before', undefined],
    ['$identify', 'ana'],
    ['after', 'ana'],
  ])
  expect(named('$identify')[0]?.person.set).toEqual({ plan: 'pro' })
  expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(['', 0])
})

test('without a network events wait, even for another page, and are stored once', async () => {
  await open('/offline')
  await eventually(names).toEqual(['$pageview'])
  await page.context().setOffline(true)
  await page.evaluate(() => window.tilth?.track('unheard'))
  await eventually(() => page.evaluate(() => localStorage.tilth_queue ?? '')).toContain('unheard')
  await page.context().setOffline(false)

  await eventually(names).toEqual(['$pageview', 'unheard'])
  await eventually(() => page.evaluate(() => localStorage.length)).toBe(0)
  const { envelope, events } = site.wire.accepted[1] ?? {}
  expect(Number(envelope?.sentAt)).toBeGreaterThan(Number(events?.[0]?.timestamp))
})

test('what a full server does not take is kept and sent again with the same id', async () => {
  await open('/full')
  await eventually(names).toEqual(['$pageview'])
  site.wire.outcome = 'full'
  await page.evaluate(() => window.tilth?.track('patient'))
  await eventually(() => site.responses.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
  const queue = () => page.evaluate(() => localStorage.tilth_queue ?? '')
  await eventually(queue).toContain('patient') // written once the script has the answer
  const kept = await queue()
  site.wire.outcome = 'kept'
  await page.reload()
  await eventually(names).toContain('patient')
  const [{ events: waited = [] } = {}] = JSON.parse(kept)
  expect(waited[0]?.name).toBe('patient')
  const sent = site.wire.events().filter(({ name }) => name === 'patient')
  expect(new Set(sent.map(({ uuid }) => uuid)).size).toBe(1)
})

test('a view whose answer comes after its page was left is sent again with the same id', async () => {
  const services = { ...site.wire }
  const answering = Promise.withResolvers<void>()
  site.wire.accept = async (events, envelope) => {
    const receipt = await services.accept(events, envelope)
    await answering.promise
    return receipt
  }
  await open('/left')
  await eventually(names).toEqual(['$pageview'])
  await page.reload()
  answering.resolve()
  const isView = ({ name }: IncomingEvent) => name === '$pageview'
  await eventually(() => site.wire.events().filter(isView)).toHaveLength(3)
  expect(paths()).toEqual(['/left', '/left'])
})

test('no more than fifty messages wait', async () => {
  await open('/bounded')
  await eventually(names).toEqual(['$pageview'])
  await page.context().setOffline(true)
  for (let i = 0; i < 3; i++) {
    await page.evaluate(async (round) => {
      for (let n = 0; n < 20; n++) {
        window.tilth?.track(`${round}-${n}`)
        window.tilth?.identify('x')
      }
    }, i)
  }
  await eventually(() => page.evaluate(() => JSON.parse(localStorage.tilth_queue ?? '[]').length)).toBe(50)
})

test.skipIf(!hasBackForwardCache)('a page that comes back out of memory is counted again', async () => {
  await open('/first')
  await eventually(paths).toEqual(['/first'])
  await page.evaluate(() =>
    addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted })),
  )
  site.show('/second', html(''))
  await page.goto(`${site.address}/second`)
  await eventually(paths).toEqual(['/first', '/second'])
  // answered before the document is left
  await page.evaluate(() => void setTimeout(() => history.back()))
  await page.waitForFunction(() => 'persisted' in window && window.persisted === true)
  await eventually(paths).toEqual(['/first', '/second', '/first'])
  expect(named('$web_vitals')).toHaveLength(2)
})

test('a page in the background is counted when it is looked at first', async () => {
  await page.addInitScript(() =>
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }),
  )
  await open('/background')
  await page.evaluate(() => window.tilth?.track('meanwhile'))
  await eventually(names).toEqual(['meanwhile'])
  await page.evaluate(() => {
    // the browser's own answer stands behind it
    Reflect.deleteProperty(document, 'hidden')
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })
  await eventually(names).toEqual(['meanwhile', '$pageview'])
  await page.goto('about:blank')
  await eventually(names).toContain('$engagement')
  expect(named('$web_vitals')).toEqual([])
})

test('a visitor who opts out is not counted until they opt in again', async () => {
  await open('/optional')
  await eventually(names).toEqual(['$pageview'])
  await page.evaluate(() => window.tilth?.optOut())
  await page.reload()
  await page.waitForFunction(() => window.tilth && !window.tilth.q)
  await page.evaluate(() => {
    window.tilth?.track('unwanted')
    window.tilth?.optIn()
    window.tilth?.track('wanted')
  })
  await eventually(names).toEqual(expect.arrayContaining(['wanted']))
  expect(names()).not.toContain('unwanted')
  expect(names().filter((name) => name === '$pageview')).toHaveLength(1)
})

test.each([
  ['DNT', { doNotTrack: '1' }, true],
  ['GPC', { globalPrivacyControl: true }, true],
  ['neither', { doNotTrack: '0' }, false],
])('%s is passed on, even where a proxy loses its header', async (_wish, wish, optedOut) => {
  await page.addInitScript((told) => {
    for (const [name, value] of Object.entries(told))
      Object.defineProperty(navigator, name, { get: () => value })
  }, wish)
  await open('/wish')
  await eventually(() => site.wire.accepted.map(({ envelope }) => envelope.optedOut)).toEqual([optedOut])
})

test('a driven browser is no visitor unless it says that it plays one, and its page works all the same', async () => {
  const driven = await (await browser.newContext()).newPage()
  driven.setDefaultTimeout(patienceMs)
  site.show('/driven', html(''))
  await driven.goto(`${site.address}/driven`)
  await driven.waitForFunction(() => window.tilth)
  await driven.evaluate(() => window.tilth?.track('by a program'))
  await driven.goto('about:blank')
  await open('/played')
  await eventually(paths).toEqual(['/played'])
  expect(names()).toEqual(['$pageview'])
})

test('paths that the tag excludes are not counted, also when moved to', async () => {
  const exclude = tag('data-exclude="/admin/*, /secret"')
  await open('/admin/users', '', exclude)
  await page.evaluate(() => history.pushState({}, '', '/shown'))
  await eventually(paths).toEqual(['/shown'])
  await page.evaluate(() => history.pushState({}, '', '/secret'))
  await page.evaluate(() => history.pushState({}, '', '/secrets'))
  await eventually(paths).toEqual(['/shown', '/secrets'])
})

test('a site that counts its views itself says so', async () => {
  await open('/manual', '', tag('data-manual'))
  await page.evaluate(() => window.tilth?.track('$pageview', { props: { title: 'Said by the site' } }))
  await eventually(names).toEqual(['$pageview'])
  expect(named('$pageview')[0]?.properties['title']).toBe('Said by the site')
})

test('two tags count once', async () => {
  await open('/twice', '', tag() + tag('', '/ingest/_tilth/script.js'))
  await page.evaluate(() => window.tilth?.track('once'))
  await eventually(names).toEqual(['$pageview', 'once'])
})

test.each([
  ['below a path of the site', () => '/ingest/_tilth/script.js', '/ingest/_tilth/event'],
  ['from another origin', () => `${site.elsewhere}/_tilth/script.js`, '/_tilth/event'],
])('it works %s', async (_where, src, endpoint) => {
  await open('/anywhere', '', tag('data-project="key-1"', src()))
  await eventually(names).toEqual(['$pageview'])
  await page.goto('about:blank')
  await eventually(names).toEqual(['$pageview', '$web_vitals', '$engagement'])
  expect(site.responses.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    endpoint,
    endpoint,
  ])
  expect(site.responses.every(({ status, method }) => status === 200 && method !== 'OPTIONS')).toBe(true)
})

test('where storage is forbidden it counts all the same', async () => {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    }),
  )
  await open('/sandbox')
  await eventually(names).toEqual(['$pageview'])
})
