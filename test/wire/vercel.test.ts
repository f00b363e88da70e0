import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  aVisitor,
  bundle,
  openBrowser,
  openTrackedSite,
  type TrackedSite,
  untilDrawn,
} from './trackers-browser'
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

const html = (head: string, body = '') =>
  `<!doctype html><html><head><title>A page</title>${head}</head><body>${body}</body></html>`

const events = () => site.events()
const names = () => events().map(({ name }) => name)
const named = (name: string) => events().filter((event) => event.name === name)
const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })
const posts = () => site.responses.filter(({ method }) => method === 'POST').map(({ path }) => path)

/** The real package, installed as it is, in a page. */
async function openWith(path: string, code: string, { before = '' } = {}) {
  const script = await bundle(
    `import { inject, track, pageview } from '@vercel/analytics'; import { injectSpeedInsights } from '@vercel/speed-insights'; ${code}`,
  )
  site.show(
    path,
    html(
      '',
      `${before}<h1>Text</h1><button>Press</button><script>${script.replaceAll('</script', '<\\/script')}</script>`,
    ),
  )
  await page.goto(site.address + path)
}

test('@vercel/analytics counts views and events, early ones too', async () => {
  await openWith(
    '/start',
    `inject({ mode: 'production', beforeSend: (event) => ({ ...event, url: event.url + '?seen' }) })
     track('signup', { plan: 'pro', n: 2 }, { flags: ['f1'] })
     window.later = () => track('late')`,
    { before: '<script type="application/json" data-flag-values>{"f1":"blue","f2":false}</script>' },
  )
  await eventually(names).toEqual(expect.arrayContaining(['signup', '$pageview']))
  await page.evaluate('later()')
  await eventually(names).toContain('late')
  await page.evaluate(() => history.pushState({}, '', '/next'))
  await page.evaluate(() => history.replaceState({}, '', '/next?only=query'))
  await eventually(() => named('$pageview').map(({ properties }) => properties['$current_url'])).toEqual([
    `${site.address}/start?seen`,
    `${site.address}/next?seen`,
  ])
  expect(named('signup')[0]?.properties).toMatchObject({
    plan: 'pro',
    n: 2,
    '$feature/f1': 'blue',
    $lib: '@vercel/analytics',
  })
  expect(new Set(posts())).toEqual(new Set(['/_vercel/insights/view', '/_vercel/insights/event']))
  expect(events().every(({ distinctId }) => distinctId === undefined)).toBe(true)
})

test('a route that a framework knows is told, and nothing is sent that beforeSend holds back', async () => {
  await openWith(
    '/blog/hello',
    `inject({ mode: 'production', disableAutoTrack: true, beforeSend: (event) => (event.url.includes('secret') ? null : event) })
     pageview({ route: '/blog/[slug]', path: '/blog/hello' })
     pageview({ route: '/secret', path: '/secret' })
     pageview({ route: '/docs/[...all]', path: '/docs/a' })`,
  )
  // both are sent at once, and carry no time
  await eventually(() =>
    named('$pageview')
      .map(({ properties: { route, $current_url } }) => JSON.stringify([route, $current_url]))
      .toSorted(),
  ).toEqual([
    JSON.stringify(['/blog/[slug]', `${site.address}/blog/hello`]),
    JSON.stringify(['/docs/[...all]', `${site.address}/docs/a`]),
  ])
})

test.each([
  ['a base path', `basePath: '/abc123'`, '/abc123/insights/view'],
  [
    'a script below a path of the site',
    `scriptSrc: '/ingest/_vercel/insights/script.js'`,
    '/ingest/_vercel/insights/view',
  ],
  ['an endpoint', `scriptSrc: '/x/insights/script.js', endpoint: '/y/insights'`, '/y/insights/view'],
  ['an endpoint for views', `viewEndpoint: '/v/_vercel/insights/view'`, '/v/_vercel/insights/view'],
])('%s is respected', async (_what, option, endpoint) => {
  await openWith('/configured', `inject({ mode: 'production', ${option} })`)
  await eventually(posts).toEqual([endpoint])
})

test.each([
  ['by itself', '', '/_vercel/speed-insights/vitals'],
  ['below a base path', `basePath: '/abc'`, '/abc/speed-insights/vitals'],
])('@vercel/speed-insights tells how fast the page was, %s', async (_where, option, endpoint) => {
  await openWith('/fast', `injectSpeedInsights({ route: '/[page]', sampleRate: 1, ${option} })`)
  await page.waitForFunction(() => 'sil' in window)
  await untilDrawn(page)
  await page.goto('about:blank')
  await eventually(names).toEqual(['$web_vitals'])
  expect(events()[0]?.properties).toMatchObject({
    $current_url: `${site.address}/fast`,
    route: '/[page]',
    $web_vitals_TTFB_value: expect.any(Number),
    $web_vitals_FCP_value: expect.any(Number),
    $web_vitals_LCP_value: expect.any(Number),
    $lib: '@vercel/speed-insights',
  })
  expect(posts()).toEqual([endpoint])
})

test('a driven browser is no visitor', async () => {
  const driven = await (await browser.newContext()).newPage()
  driven.setDefaultTimeout(patienceMs)
  const script = await bundle(`import { inject } from '@vercel/analytics'; inject({ mode: 'production' })`)
  site.show('/driven', html('', `<script>${script}</script>`))
  await driven.goto(`${site.address}/driven`)
  await driven.waitForLoadState('networkidle')
  expect(site.responses.map(({ path }) => path)).toEqual(['/_vercel/insights/script.js'])
})
