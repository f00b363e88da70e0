import { Analytics } from '@segment/analytics-node'
import * as amplitude from '@amplitude/analytics-node'
import Mixpanel from 'mixpanel'
import MatomoTracker from 'matomo-tracker'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDialects } from '#wire/dialects'
import { aVisitor, bundle, openBrowser, openTrackedSite, type TrackedSite } from './trackers-browser'

let browser: Browser
let site: TrackedSite

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

beforeEach(async () => {
  site = await openTrackedSite({ dialectsWith: createDialects })
})
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  await site.close()
})

const key = 'key-1'
const events = () => site.events()
const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })
const serverAddress = () => site.elsewhere.replace('tilth.test', '127.0.0.1')

async function openPage(code: string): Promise<Page> {
  const script = await bundle(code)
  site.show(
    '/start',
    `<!doctype html><title>Start</title><script>${script.replaceAll('</script', '<\\/script')}</script>`,
  )
  const page = await aVisitor(browser)
  await page.goto(`${site.address}/start?utm_source=news`)
  return page
}

/** The events that the clients' calls become, in any order: some clients send requests beside each other. */
const arrived = () =>
  events()
    .map(({ name, distinctId }) => `${name} of ${distinctId === 'ana' ? 'ana' : 'a device'}`)
    .sort()

test('Segment’s browser library finds its settings, counts a view, and names a person', async () => {
  await openPage(`
    import { AnalyticsBrowser } from '@segment/analytics-next'
    const analytics = AnalyticsBrowser.load(
      { writeKey: '${key}', cdnURL: location.origin },
      { integrations: { 'Segment.io': { apiHost: location.host + '/v1', protocol: 'http' } } },
    )
    void analytics.page().then(() => analytics.identify('ana', { plan: 'pro' })).then(() => analytics.track('Signed up'))
  `)
  await eventually(arrived).toEqual(['$identify of ana', '$pageview of a device', 'Signed up of ana'])
  expect(site.wire.refusals).toEqual([])
  const view = events().find(({ name }) => name === '$pageview')
  expect(view?.properties).toMatchObject({
    $current_url: `${site.address}/start?utm_source=news`,
    title: 'Start',
  })
  const identified = events().find(({ name }) => name === '$identify')
  expect(identified?.identity).toEqual({ kind: 'identify', anonymous: view?.distinctId })
})

test('Amplitude’s browser SDK counts a view, and names a person', async () => {
  await openPage(`
    import * as amplitude from '@amplitude/analytics-browser'
    amplitude.init('${key}', {
      serverUrl: location.origin + '/2/httpapi',
      fetchRemoteConfig: false,
      autocapture: { pageViews: true, sessions: false, attribution: false, formInteractions: false, fileDownloads: false },
    })
    amplitude.setUserId('ana')
    amplitude.identify(new amplitude.Identify().set('plan', 'pro').append('tags', 'a'))
    amplitude.track('Signed up', { seats: 3 })
  `)
  await eventually(() => events().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['$pageview', '$identify', 'Signed up']),
  )
  expect(events().find(({ name }) => name === 'Signed up')).toMatchObject({
    distinctId: 'ana',
    properties: { seats: 3 },
  })
  expect(events().find(({ name }) => name === '$identify')?.person).toMatchObject({
    set: { plan: 'pro' },
    lists: [{ kind: 'append', name: 'tags', item: 'a' }],
  })
  expect(site.wire.refusals).toEqual([])
})

test('Mixpanel’s browser SDK counts a view, and names a person', async () => {
  await openPage(`
    import mixpanel from 'mixpanel-browser'
    mixpanel.init('${key}', { api_host: location.origin, track_pageview: true, autocapture: false })
    mixpanel.identify('ana')
    mixpanel.people.set({ plan: 'pro' })
    mixpanel.track('Signed up', { seats: 3 })
  `)
  await eventually(() => events().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['$pageview', '$identify', 'Signed up']),
  )
  await eventually(() => events().some(({ person }) => person.set['plan'] === 'pro')).toBe(true)
  expect(events().find(({ name }) => name === 'Signed up')).toMatchObject({
    distinctId: 'ana',
    properties: { seats: 3 },
  })
  expect(site.wire.refusals).toEqual([])
})

test('their libraries for servers are understood', async () => {
  const segment = new Analytics({ writeKey: key, host: serverAddress() })
  segment.identify({ userId: 'ana', traits: { plan: 'pro' } })
  segment.track({ userId: 'ana', event: 'Segment' })
  await segment.closeAndFlush()

  const client = amplitude.createInstance()
  await client.init(key, { serverUrl: `${serverAddress()}/2/httpapi` }).promise
  const sent = client.track('Amplitude', { seats: 3 }, { user_id: 'ana' }).promise
  await client.flush().promise
  expect((await sent).code).toBe(200)

  const mixpanel = Mixpanel.init(key, { host: new URL(serverAddress()).host, protocol: 'http' })
  await new Promise<void>((resolve, reject) =>
    mixpanel.track('Mixpanel', { distinct_id: 'ana' }, (problem) => (problem ? reject(problem) : resolve())),
  )
  await new Promise<void>((resolve, reject) =>
    mixpanel.people.set('ana', { plan: 'pro' }, (problem) => (problem ? reject(problem) : resolve())),
  )
  const matomo = new MatomoTracker(key, `${serverAddress()}/matomo.php`)
  const text = await new Promise<string>((resolve, reject) => {
    matomo.on('error', reject)
    matomo.trackBulk([{ url: 'https://shop.example/', e_c: 'Clients', e_a: 'Matomo', uid: 'ana' }], resolve)
  })
  expect(JSON.parse(text)).toMatchObject({ tracked: 1, invalid: 0 })

  await eventually(arrived).toEqual(
    [
      '$identify of ana',
      '$identify of ana',
      'Amplitude of ana',
      'Matomo of ana',
      'Mixpanel of ana',
      'Segment of ana',
    ].sort(),
  )
  expect(site.wire.accepted.every(({ envelope }) => envelope.fromServer)).toBe(true)
})
