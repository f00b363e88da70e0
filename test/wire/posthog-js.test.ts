import { capturedKindNames } from '#ingest/captured-kinds'
import type { IngestChoices } from '../product/ingest-fixture'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { IncomingEvent } from '#events/event'
import { openBrowser } from '../pages/browser'
import { patienceMs } from '../running/patience'
import { key } from './posthog-fixture'
import {
  installedScript,
  aWireServer,
  docsPage,
  installedPage,
  snippetPage,
  type WireServer,
} from './posthog-server'

let browser: Browser
let installed: string

beforeAll(async () => {
  ;[browser, installed] = await Promise.all([openBrowser(), installedScript()])
})
afterAll(() => browser?.close())

/** A server whose pages talk to `host`, and a browser on the first of them. */
async function aVisit(pageFor: (server: WireServer) => string, settings: IngestChoices = {}) {
  const pages: Record<string, string> = { '/installed.js': installed, '/next': '<!doctype html><p>Next</p>' }
  const server = await aWireServer(pages, [], [], settings)
  pages['/'] = pageFor(server)
  const context = await browser.newContext()
  context.setDefaultTimeout(patienceMs)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${server.site}/`)
  await page.waitForFunction('window.posthog?.__loaded')
  return { server, page, problems, ...seeing(server) }
}

function seeing({ wire }: WireServer) {
  const named = (name: string): IncomingEvent[] => wire.events().filter((event) => event.name === name)
  return { named, eventually: (name: string) => arrival(() => named(name)) }
}

/** The first of them, as soon as there is one. */
async function arrival(find: () => IncomingEvent[]): Promise<IncomingEvent> {
  await expect.poll(() => find().length).toBeGreaterThan(0)
  const [event] = find()
  if (!event) throw new Error('It has come and gone.')
  return event
}

const distinctId = (page: Page) => page.evaluate<string>('posthog.get_distinct_id()')

test('the snippet on a site of another origin: views, events, clicks, vitals and errors arrive', async () => {
  const { server, page, problems, eventually } = await aVisit((to) => snippetPage(key, to.address), {
    capture: capturedKindNames,
  })
  expect(await eventually('$pageview')).toMatchObject({
    hasPerson: false,
    properties: { title: 'Shop', $current_url: `${server.site}/`, $lib: 'web' },
    uuid: expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(await eventually('before loading')).toMatchObject({ properties: { early: true } })

  await page.waitForFunction('posthog.autocapture?.isEnabled')
  await page.click('#buy')
  expect((await eventually('$autocapture')).properties).toMatchObject({
    $event_type: 'click',
    $el_text: 'Buy now',
    $elements_chain: expect.stringMatching(
      /^button\.cta\.primary:.*attr__data-plan="pro".*text="Buy now";main:/,
    ),
  })

  await page.evaluate('setTimeout(() => { throw new TypeError("boom") })')
  expect((await eventually('$exception')).properties).toMatchObject({
    $exception_list: [{ type: 'TypeError', value: 'boom' }],
  })

  await eventually('$web_vitals')
  expect(server.wire.refusals).toEqual([])
  expect(problems.filter((text) => !/boom|favicon|404/.test(text))).toEqual([])
  await expect.poll(() => server.requestLines).toContain(`GET /array/${key}/config.js`)
  expect(server.requestLines.filter((asked) => /survey|recorder/.test(asked))).toEqual([])
})

test('what the project does not capture is not sent, and what the SDK decides about is not stored', async () => {
  const { server, page, eventually, named } = await aVisit((to) => snippetPage(key, to.address), {
    capture: [],
  })
  await eventually('$pageview')
  await page.click('#buy')
  await page.evaluate('setTimeout(() => { throw new TypeError("boom") })')
  await page.evaluate(`posthog.capture('$rageclick')`)
  await page.evaluate(`posthog.capture('done')`)
  await eventually('done')
  await eventually('$rageclick')
  expect(['$autocapture', '$exception', '$dead_click'].flatMap(named)).toEqual([])
  await expect
    .poll(() => server.wire.stored.map(({ name }) => name).toSorted())
    .toEqual(['$pageview', 'before loading', 'done'].toSorted())
})

test('identify, group, alias and reset change the person and the groups of later events', async () => {
  const { page, eventually, named } = await aVisit((to) => snippetPage(key, to.address))
  const anonymous = await distinctId(page)
  await page.evaluate(`posthog.identify('user-1', { email: 'a@b.c' }, { first: 'x' })`)
  expect(await eventually('$identify')).toMatchObject({
    distinctId: 'user-1',
    hasPerson: true,
    identity: { kind: 'identify', anonymous },
    person: { set: { email: 'a@b.c' }, setOnce: { first: 'x' } },
  })
  await page.evaluate(`posthog.group('company', 'acme', { name: 'Acme' })`)
  expect(await eventually('$groupidentify')).toMatchObject({
    group: { type: 'company', key: 'acme', set: { name: 'Acme' } },
  })
  await page.evaluate(`posthog.alias('alias-1')`)
  expect(await eventually('$create_alias')).toMatchObject({ identity: { kind: 'alias', alias: 'alias-1' } })
  await page.evaluate(`posthog.setPersonProperties({ plan: 'pro' })`)
  await expect.poll(() => named('$set').map(({ person }) => person.set['plan'])).toContain('pro')

  await page.evaluate(`posthog.capture('in the group')`)
  expect(await eventually('in the group')).toMatchObject({
    groups: { company: 'acme' },
    distinctId: 'user-1',
  })
  await page.evaluate(`posthog.reset(); posthog.capture('afterwards')`)
  expect((await eventually('afterwards')).distinctId).not.toMatch(new RegExp(`^(user-1|${anonymous})$`))
})

test('the package of an app that compresses nothing asks before it sends, and is let in', async () => {
  const { page, server, eventually } = await aVisit((to) =>
    installedPage(key, to.address, { disable_compression: true }),
  )
  await page.evaluate(`posthog.capture('plain', { n: 1 })`)
  expect(await eventually('plain')).toMatchObject({ properties: { n: 1 } })
  await expect.poll(() => server.requestLines).toContain('OPTIONS /e/')
})

test('a client that is offered base64 alone sends forms', async () => {
  const offer = `window._POSTHOG_REMOTE_CONFIG = { '${key}': { config: { supportedCompression: ['base64'] }, siteApps: [] } };`
  const { page, eventually } = await aVisit((to) => snippetPage(key, to.address, {}, offer))
  const sent = page.waitForRequest(
    (request) => request.url().includes('compression=base64') && request.url().includes('/e/'),
  )
  await page.evaluate(`posthog.capture('as a form', { umlaut: 'ü+/=' })`)
  expect((await sent).postData()).toMatch(/^data=/)
  expect(await eventually('as a form')).toMatchObject({ properties: { umlaut: 'ü+/=' } })
})

test('what happens just before a page is left arrives, by beacon', async () => {
  const { page, server, eventually } = await aVisit((to) => snippetPage(key, to.address))
  await eventually('$pageview')
  await page.evaluate(`posthog.capture('at last')`)
  await page.goto(`${server.site}/next`)
  await eventually('at last')
  await eventually('$pageleave')
})

test('below a prefix of the site’s own, everything works without another origin', async () => {
  const { page, server, eventually } = await aVisit((to) => snippetPage(key, `${to.site}/ingest`))
  await eventually('$pageview')
  await page.evaluate(`posthog.capture('behind the prefix')`)
  await eventually('behind the prefix')
  expect(server.requestLines.every((asked) => asked.includes(' /ingest/'))).toBe(true)
  await expect.poll(() => server.requestLines).toContain('POST /ingest/i/v0/e/')
})

test('the snippet of the docs works as it stands, with a host that is a path', async () => {
  const { eventually } = await aVisit(() => docsPage(key, '/ingest'))
  expect(await eventually('$pageview')).toMatchObject({ properties: { title: 'Docs' } })
})

test('without cookies, nothing is stored in the browser and events carry no id', async () => {
  const { page, server, eventually } = await aVisit((to) =>
    snippetPage(key, to.address, { cookieless_mode: 'always' }),
  )
  expect(await eventually('$pageview')).toMatchObject({ distinctId: undefined, hasPerson: false })
  expect(await page.context().cookies()).toEqual([])
  await expect.poll(() => server.wire.stored.length).toBeGreaterThan(0)
  expect(server.wire.stored.every(({ isCookieless }) => isCookieless)).toBe(true)
})

test('an event that could not be written down is sent again, and stored once', async () => {
  const { page, server, eventually, named } = await aVisit((to) => snippetPage(key, to.address))
  await eventually('$pageview')
  server.wire.close()
  const refused = page.waitForResponse((response) => response.status() === 503)
  await page.evaluate(`posthog.capture('patient')`)
  expect(await (await refused).headerValue('retry-after')).toBe('2')
  const refusedIds = () =>
    server.wire.refusedEvents.filter(({ name }) => name === 'patient').map((event) => event.uuid)
  // other events may be refused first
  await expect.poll(refusedIds).not.toEqual([])
  server.wire.open()
  const { uuid } = await eventually('patient')
  expect(new Set(refusedIds())).toEqual(new Set([uuid]))
  expect(uuid).toMatch(/^[\da-f-]{36}$/)
  expect(new Set(named('patient').map((sent) => sent.uuid))).toEqual(new Set([uuid]))
})

test('an unknown key is refused, and is listed among the refusals that the owner sees', async () => {
  const { server } = await aVisit((to) => snippetPage('phc_mistyped', to.address))
  await expect
    .poll(() => server.wire.refusals)
    .toContainEqual({
      dialect: 'posthog',
      reason: 'unknown-key',
      named: 'phc_mistyped',
    })
  expect(server.wire.accepted).toEqual([])
})
