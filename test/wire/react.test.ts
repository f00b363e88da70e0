import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '#events/event'
import type { TilthProviderProps } from '../../packages/react/src/index'
import { aFlag, aVariant } from '../random/random-flags'
import { testSurvey, testSurveyAnswers } from '../surveys/test-survey-answers'
import { aVisitor, bundle, openBrowser, openTrackedSite, type TrackedSite } from './trackers-browser'

const variants = [aVariant('control', 0), aVariant('bold', 100)]
const flags = [
  aFlag({ key: 'new-checkout' }),
  aFlag({ key: 'headline', variants }),
  aFlag({ key: 'offer', variants }),
  aFlag({ key: 'unused' }),
]

let browser: Browser
let app: string
let site: TrackedSite
let page: Page

beforeAll(async () => {
  ;[browser, app] = await Promise.all([openBrowser(), bundle(`import './react-app'`)])
})
afterAll(() => browser?.close())

beforeEach(async () => {
  site = await openTrackedSite({ flags })
  page = await aVisitor(browser)
})
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  await site.close()
})

async function open(path: string, options: Partial<TilthProviderProps> = {}) {
  const all = JSON.stringify({ address: site.elsewhere, project: 'key-1', ...options })
  const script = `<script>options = ${all}</script><script type="module">${app.replaceAll('</script', '<\\/script')}</script>`
  site.show(
    path,
    `<!doctype html><html><head><title>Shop</title></head><body><div id="root"></div>${script}</body></html>`,
  )
  await page.goto(site.address + path)
  await page.waitForSelector('#offer', { state: 'attached' })
}

const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })
const named = (name: string) => site.events().filter((event) => event.name === name)
const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)
const exposed = (name = '$feature_flag_called') =>
  named(name).map(
    ({ properties }) =>
      `${textOf(properties['$feature_flag'])}=${textOf(properties['$feature_flag_response'])}`,
  )
const paths = () =>
  named('$pageview').map(({ properties }) => new URL(textOf(properties['$current_url'])).pathname)
const askedFor = (path: string) => site.responses.filter((one) => one.path === path && one.method === 'POST')

test('an app asks once, and reports each view and each used decision once', async () => {
  await open('/shop')
  await eventually(() => page.textContent('h1')).toBe('bold')
  await eventually(() => page.textContent('#checkout')).toBe('new')
  await eventually(() => exposed().toSorted()).toEqual(['headline=bold', 'new-checkout=true'])
  expect(exposed('$feature_flag_seen')).toEqual([])
  await page.evaluate(() => history.pushState({}, '', '/cart'))
  await eventually(paths).toEqual(['/shop', '/cart'])

  await page.locator('#offer').scrollIntoViewIfNeeded()
  await eventually(() => exposed().length).toBe(3)
  expect(exposed()[2]).toBe('offer=bold')
  await eventually(() => exposed('$feature_flag_seen')).toEqual(['offer=bold'])
  expect(askedFor('/_tilth/flags')).toHaveLength(1)
  expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(['', 0])
  expect(named('$pageview')[1]).toMatchObject({
    distinctId: undefined,
    properties: { $referrer: `${site.address}/shop`, title: 'Shop' },
  })
})

test('with a bootstrap nothing is asked for, nothing changes, and no view is counted twice', async () => {
  const values = { 'new-checkout': false, headline: 'control', offer: 'control' }
  const bootstrap = { flags: values, payloads: {}, visitor: 'ana', exposureSeed: 'seed', isViewCounted: true }
  await open('/shop', { bootstrap })
  await eventually(() => exposed().toSorted()).toEqual(['headline=control', 'new-checkout=false'])
  await page.click('#buy')
  await eventually(() => named('purchase')).toMatchObject([
    { distinctId: 'ana', properties: { items: 3, $revenue: 9.5, $currency: 'EUR' } },
  ])
  expect(await page.evaluate(() => [...new Set(window.headlines)])).toEqual(['control'])
  expect([paths(), askedFor('/_tilth/flags')]).toEqual([[], []])

  const sent = () => site.wire.events().filter(({ name }) => name === '$feature_flag_called')
  const first = sent().map(({ uuid }) => uuid)
  await page.reload()
  await eventually(() => sent().length).toBeGreaterThan(3)
  expect(new Set(sent().map(({ uuid }) => uuid))).toEqual(new Set(first))
})

test('who signs in takes the visitor along, and flags are decided again', async () => {
  const bootstrap = { flags: { headline: 'control' }, payloads: {}, visitor: 'visitor-1' }
  await open('/shop', { bootstrap })
  await page.click('#sign-in')
  await eventually(() => page.textContent('h1')).toBe('bold')
  await eventually(() => named('$identify')).toMatchObject([
    {
      distinctId: 'user-42',
      identity: { kind: 'identify', anonymous: 'visitor-1' },
      person: { set: { plan: 'pro' } },
    },
  ])
  expect(site.wire.requests).toMatchObject([{ distinctId: 'user-42', anonymousId: 'visitor-1' }])
})

test('what cannot be sent is sent later, once', async () => {
  site.wire.outcome = 'full'
  await open('/shop')
  await eventually(() => askedFor('/_tilth/event').length).toBeGreaterThan(0)
  expect(site.events()).toEqual([])
  site.wire.outcome = 'kept'
  await eventually(paths).toEqual(['/shop'])
})

test('surveys are shown where the app asks for them', async () => {
  Object.assign(site.wire, { surveyAnswers: testSurveyAnswers([testSurvey()]) })
  const found = () => site.responses.filter(({ status }) => status === 200).map(({ path }) => path)
  await open('/shop', { surveys: true })
  await eventually(found).toContain('/_tilth/surveys')
  await eventually(found).toContain('/_tilth/part-surveys.js')
})
