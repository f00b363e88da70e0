import { randomUUID } from 'node:crypto'
import { createEvaluationEvent } from '@openfeature/core'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { placeAmong, sharesOf, variantBucketOf } from '#flags/bucket'
import { exposureHook } from '../../docs/openfeature-hook'
import { withTilth } from '../../packages/react/src/openfeature'
import { aTilthForAll, type RunningTestTilth } from '../start/tilth'
import { aSite, installedPage, installedScript, patientClient } from './posthog-server'
import { browser as agent, fetchEvents, key, ownedEnvironment, secret, sendCapture } from './tilth-fixture'
import { bundle } from './trackers-browser'
import { patienceMs } from '../running/patience'

const theTilth = aTilthForAll(ownedEnvironment)

/** Versions before 1.223 replace the content of the element’s parent. */
const packages = ['posthog-js', 'posthog-js-1.223'] as const
let browser: Browser
let scripts: Record<string, string>

beforeAll(async () => {
  const texts = await Promise.all(packages.map((name) => installedScript(name)))
  scripts = Object.fromEntries(packages.map((name, i) => [`/${name}.js`, texts[i] ?? '']))
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // posthog-js changes no page for a browser that is driven
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-blink-features=AutomationControlled'],
  })
})
afterAll(() => browser?.close())

const made = z.looseObject({ id: z.string(), webId: z.number() })
const metricShape = z.looseObject({
  values: z.array(z.looseObject({ variant: z.string(), value: z.number().nullable() })),
})
const resultShape = z.looseObject({
  report: z.looseObject({
    variants: z.array(z.looseObject({ key: z.string(), units: z.number() })),
    excluded: z.looseObject({ previews: z.number(), otherValues: z.number() }),
    metrics: z.array(metricShape),
  }),
})

const halves = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]

async function callApi(tilth: RunningTestTilth, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json: unknown = await answer.json()
  expect(answer.ok, `${path}: ${JSON.stringify(json)}`).toBe(true)
  return json
}

/** A flag that splits everyone in halves. */
async function aFlag(tilth: RunningTestTilth, flag: string, more: object = {}): Promise<void> {
  const environments = { production: { isOn: true, conditions: [{}] } }
  await callApi(tilth, '/flags', { key: flag, kind: 'variants', variants: halves, environments, ...more })
}

async function anExperiment(tilth: RunningTestTilth, flag: string, more: object = {}) {
  const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: `ordered ${flag}` } } }
  const body = { name: `About ${flag}`, flag, metrics: [orders], ...more }
  return made.parse(await callApi(tilth, '/experiments', body))
}

async function started(tilth: RunningTestTilth, flag: string, more: object = {}) {
  const experiment = await anExperiment(tilth, flag, more)
  await callApi(tilth, `/experiments/${experiment.id}/start`, {})
  return experiment
}

/** The units of each variant, the share that ordered, and what was left out. */
async function resultsOf(tilth: RunningTestTilth, id: string) {
  const { report } = resultShape.parse(await callApi(tilth, `/experiments/${id}/results`))
  const values = report.metrics[0]?.values ?? []
  return {
    units: Object.fromEntries(report.variants.map((one) => [one.key, one.units])),
    ordered: Object.fromEntries(values.map(({ variant, value }) => [variant, value])),
    previews: report.excluded.previews,
  }
}

const often = { interval: 250 }

/** Ids that the flag gives the variant to. */
function idsOf(flag: string, variant: string, count: number): string[] {
  const place = halves.findIndex((one) => one.key === variant)
  const shares = sharesOf(halves.map((one) => ({ ...one, name: '' })))
  const ids = Array.from({ length: 200 }, (_, i) => `${flag}-visitor-${i}`)
  return ids.filter((id) => placeAmong(shares, variantBucketOf(flag, id)) === place).slice(0, count)
}

const idOf = (flag: string, variant: string): string => idsOf(flag, variant, 1)[0] ?? ''

/** A visitor of a site of another origin that has posthog-js. */
async function aVisitor(
  tilth: RunningTestTilth,
  config: object,
  { script = 'posthog-js', path = '/', before }: VisitOptions = {},
): Promise<Page> {
  const page = installedPage(key, tilth.address, config, `/${script}.js`)
  const html = page.replace('<main>', '<main><h1 id="title">Old</h1>')
  const site = await aSite({ ...scripts, '/': html, [path]: html }, tilth.port)
  const context = await browser.newContext({ userAgent: agent } satisfies BrowserContextOptions)
  context.setDefaultTimeout(patienceMs)
  onTestFinished(() => context.close())
  // the client hints say that the browser is headless, whatever its user agent
  await context.addInitScript(`Object.defineProperty(navigator, 'userAgentData', { value: undefined })`)
  const opened = await context.newPage()
  await before?.(opened)
  await opened.goto(`${site}${path}`)
  return opened
}

interface VisitOptions {
  script?: (typeof packages)[number]
  path?: string
  before?: (page: Page) => Promise<unknown>
}

const withId = (distinctID: string) => ({ bootstrap: { distinctID, isIdentifiedID: true } })
const readFlag = (page: Page, flag: string) =>
  page.evaluate(
    `new Promise((done) => posthog.onFeatureFlags(() => done(posthog.getFeatureFlag(${JSON.stringify(flag)}))))`,
  )
const titleIn = (page: Page) => page.locator('#title').evaluate((element) => element.outerHTML)

test.each(packages)('%s changes the page for the treatment, and exposes both variants', async (script) => {
  const tilth = await theTilth()
  const flag = `web-${script.replaceAll('.', '-')}`
  await aFlag(tilth, flag)
  const transforms = [{ selector: '#title', html: '<b>New</b>', css: 'color: red' }]
  const { id, webId } = await started(tilth, flag, { web: { variants: { test: { transforms } } } })
  const visit = (variant: string, path?: string) =>
    aVisitor(
      tilth,
      { ...withId(idOf(flag, variant)), disable_web_experiments: false },
      { script, ...(path !== undefined && { path }) },
    )
  const changed = '<h1 id="title" style="color: red"><b>New</b></h1>'
  const treated = await visit('test')
  await expect.poll(() => titleIn(treated), often).toBe(changed)
  const untreated = await visit('control')
  await expect.poll(async () => (await resultsOf(tilth, id)).units, often).toEqual({ control: 1, test: 1 })
  expect(await titleIn(untreated)).toBe('<h1 id="title">Old</h1>')

  const preview = `/?__experiment_id=${webId}&__experiment_variant=test`
  const [other = ''] = idsOf(flag, 'control', 2).slice(1)
  const shown = await aVisitor(
    tilth,
    { ...withId(other), disable_web_experiments: false },
    { script, path: preview },
  )
  await expect.poll(() => titleIn(shown), often).toBe(changed)
  await expect
    .poll(() => resultsOf(tilth, id), often)
    .toMatchObject({ units: { control: 1, test: 1 }, previews: 1 })
  // the experiment would change the pages of the next test, too
  await callApi(tilth, `/experiments/${id}/end`, {})
})

test('a draft changes pages only by a preview link, where that is allowed, and an ended one none', async () => {
  const tilth = await theTilth()
  const flag = 'web-draft'
  await aFlag(tilth, flag)
  const transforms = [{ selector: '#title', html: 'New' }]
  const web = { previewsDraft: true, variants: { test: { transforms } } }
  const { id, webId } = await anExperiment(tilth, flag, { web })
  const config = { ...withId(idOf(flag, 'test')), disable_web_experiments: false }
  const path = `/?__experiment_id=${webId}&__experiment_variant=test`
  const previewed = await aVisitor(tilth, config, { path })
  await expect.poll(() => titleIn(previewed), often).toContain('New')

  const listed = async () =>
    z
      .object({
        experiments: z.array(z.looseObject({ id: z.number(), feature_flag_key: z.string().optional() })),
      })
      .parse(await (await fetch(`${tilth.address}/api/web_experiments/?token=${key}`)).json())
      .experiments.filter((one) => one.id === webId)
      .map((one) => one.feature_flag_key)
  expect(await listed()).toEqual([undefined])
  await callApi(tilth, `/experiments/${id}/start`, {})
  await expect.poll(listed).toEqual([flag])
  await callApi(tilth, `/experiments/${id}/end`, {})
  await expect.poll(listed).toEqual([])
})

test('posthog-js exposes a person once: after identify, in the minimal form and from bootstrapped flags', async () => {
  const tilth = await theTilth()
  const flag = 'clients'
  // the variant of an id that posthog-js makes up is not known beforehand
  const environments = { production: { isOn: true, conditions: [{ variant: 'test' }] } }
  await aFlag(tilth, flag, { environments })
  const { id } = await started(tilth, flag)
  const full = await aVisitor(tilth, {})
  expect(await readFlag(full, flag)).toBe('test')
  const request = full.waitForResponse((response) => response.url().includes('/flags/'))
  await full.evaluate(`posthog.identify('clients-ana')`)
  await request
  await full.evaluate(`posthog.getFeatureFlag('${flag}'); posthog.capture('ordered ${flag}')`)

  const minimal = await aVisitor(tilth, withId('clients-ben'), {
    before: (page) =>
      page.route('**/flags/**', async (route) => {
        const response = await route.fetch()
        const flags = z.looseObject({}).parse(await response.json())
        await route.fulfill({ response, json: { ...flags, minimalFlagCalledEvents: true } })
      }),
  })
  expect(await readFlag(minimal, flag)).toBe('test')

  const bootstrapped = await aVisitor(tilth, {
    bootstrap: { distinctID: 'clients-cleo', isIdentifiedID: true, featureFlags: { [flag]: 'control' } },
    advanced_disable_feature_flags: false,
    advanced_disable_flags: true,
  })
  await bootstrapped.evaluate(`posthog.getFeatureFlag('${flag}')`)
  await expect
    .poll(() => resultsOf(tilth, id), often)
    .toEqual({
      units: { control: 1, test: 2 },
      ordered: { control: 0, test: 0.5 },
      previews: 0,
    })
})

test('posthog-node exposes groups, and says whether an experiment runs', async () => {
  const tilth = await theTilth()
  const flag = 'by-company'
  await aFlag(tilth, flag, { bucketBy: { by: 'group', group: 'company' } })
  const { id } = await anExperiment(tilth, flag, { unit: { by: 'group', group: 'company' } })
  const [control, test_] = [idsOf(flag, 'control', 2), idsOf(flag, 'test', 3)]
  const hasExperiment = async () => {
    const body = JSON.stringify({ token: key, distinct_id: 'ana', groups: { company: control[0] } })
    const answer = await fetch(`${tilth.address}/flags/?v=2`, { method: 'POST', body })
    const metadata = z.looseObject({ has_experiment: z.boolean() })
    const { flags } = z
      .looseObject({ flags: z.record(z.string(), z.looseObject({ metadata })) })
      .parse(await answer.json())
    return flags[flag]?.metadata.has_experiment
  }
  expect(await hasExperiment()).toBe(false)
  await callApi(tilth, `/experiments/${id}/start`, {})
  await expect.poll(hasExperiment).toBe(true)

  const client = new PostHog(key, { ...patientClient, host: tilth.address, flushAt: 1 })
  for (const company of [...control, ...test_])
    for (const person of ['ana', 'ben'])
      await client.getFeatureFlag(flag, `${company} ${person}`, { groups: { company } })
  const [ordering = ''] = test_
  client.capture({ distinctId: 'cleo', event: `ordered ${flag}`, groups: { company: ordering } })
  await client.shutdown()
  await expect
    .poll(() => resultsOf(tilth, id), often)
    .toMatchObject({
      units: { control: 2, test: 3 },
      ordered: { control: 0, test: 1 / 3 },
    })
  await callApi(tilth, `/experiments/${id}/end`, {})
  await expect.poll(hasExperiment).toBe(false)
})

test('evaluations of OpenFeature and views of GrowthBook expose people too', async () => {
  const tilth = await theTilth()
  const send = (distinctId: string, event: string, properties: object) =>
    sendCapture(
      { address: tilth.address },
      { uuid: randomUUID(), event, properties: { distinct_id: distinctId, ...properties } },
    )
  await aFlag(tilth, 'telemetry')
  const evaluation = {
    by: 'event',
    event: 'feature_flag.evaluation',
    property: 'feature_flag.result.variant',
  }
  const ofFlag = { type: 'event', key: 'feature_flag.key', operator: 'exact', value: ['telemetry'] }
  const telemetry = await started(tilth, 'telemetry', { exposure: { ...evaluation, filter: ofFlag } })
  for (const [person, variant, flagKey] of [
    ['of-ana', 'control', 'telemetry'],
    ['of-ben', 'test', 'telemetry'],
    ['of-ben', 'test', 'telemetry'],
    ['of-cleo', 'test', 'another'],
  ] as const) {
    const { name, attributes } = createEvaluationEvent(
      {
        flagKey,
        defaultValue: 'control',
        flagValueType: 'string',
        context: { targetingKey: person },
        clientMetadata: { providerMetadata: { name: 'ofrep' } },
        providerMetadata: { name: 'ofrep' },
        logger: console,
        hookData: { set: () => {}, get: () => undefined, clear: () => {}, delete: () => {} },
      } as never, // the event reads only the flag, the context and the provider
      { flagKey, value: variant, variant, reason: 'SPLIT', flagMetadata: {} },
    )
    await send(person, name, attributes)
  }

  await aFlag(tilth, 'growthbook')
  const viewed = { by: 'event', event: 'Experiment Viewed', property: 'variationId' }
  const ofExperiment = { type: 'event', key: 'experimentId', operator: 'exact', value: ['growthbook'] }
  const views = await started(tilth, 'growthbook', { exposure: { ...viewed, filter: ofExperiment } })
  await send('gb-ana', 'Experiment Viewed', { experimentId: 'growthbook', variationId: 'control' })
  await send('gb-ben', 'Experiment Viewed', { experimentId: 'growthbook', variationId: 'test' })
  await send('gb-ben', 'ordered growthbook', {})
  await send('gb-cleo', 'Experiment Viewed', { experimentId: 'another', variationId: 'test' })

  const units = { control: 1, test: 1 }
  await expect.poll(() => resultsOf(tilth, telemetry.id), often).toMatchObject({ units })
  await expect
    .poll(() => resultsOf(tilth, views.id), often)
    .toMatchObject({ units, ordered: { control: 0, test: 1 } })
})

/** The two ways to report that docs/sdk-openfeature.md names. */
const reporters = ['withTilth', 'exposureHook'] as const
type Reporter = (typeof reporters)[number]

/** Asks for the flag five times on a server, as each of the people. The last one orders. */
async function askOnServer(tilth: RunningTestTilth, reporter: Reporter, flag: string, people: string[]) {
  const headers: [string, string][] = [['Authorization', `Bearer ${key}`]]
  const provider = new OFREPProvider({ baseUrl: tilth.address, headers })
  if (reporter === 'withTilth') withTilth(provider, { address: tilth.address, project: key })
  await OpenFeature.setProviderAndWait(provider)
  const client = OpenFeature.getClient()
  if (reporter === 'exposureHook') client.addHooks(exposureHook(tilth.address, key))
  for (const targetingKey of people) {
    for (let i = 0; i < 5; i++) await client.getStringValue(flag, 'none', { targetingKey })
    // neither evaluation decides
    await client.getBooleanValue(flag, false, { targetingKey: `${targetingKey} as another type` })
    await client.getStringValue('unknown', 'none', { targetingKey })
  }
  client.track(`ordered ${flag}`, { targetingKey: people.at(-1) ?? '' }, { value: 100, currency: 'EUR' })
  await OpenFeature.close()
}

/** Asks for the flag five times in the browser of each of the people. The last one orders. */
async function askInBrowsers(tilth: RunningTestTilth, reporter: Reporter, flag: string, people: string[]) {
  const app = await bundle(`
    import { OpenFeature } from '@openfeature/web-sdk'
    import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
    import { exposureHook } from '../../docs/openfeature-hook'
    import { withTilth } from '../../packages/react/src/openfeature'
    Object.assign(window, { OpenFeature, OFREPWebProvider, exposureHook, withTilth })`)
  const html = '<!doctype html><title>Shop</title><script src="/app.js"></script>'
  const site = await aSite({ '/': html, '/app.js': app }, tilth.port)
  for (const targetingKey of people) {
    const context = await browser.newContext({ userAgent: agent })
    context.setDefaultTimeout(patienceMs)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(site)
    await page.evaluate(`(async () => {
      const [address, project] = ['${tilth.address}', '${key}']
      const headers = [['Authorization', 'Bearer ' + project]]
      const provider = new OFREPWebProvider({ baseUrl: address, headers, pollInterval: 0 })
      if ('${reporter}' === 'withTilth') withTilth(provider, { address, project })
      else OpenFeature.addHooks(exposureHook(address, project))
      await OpenFeature.setContext({ targetingKey: '${targetingKey}' })
      await OpenFeature.setProviderAndWait(provider)
      const client = OpenFeature.getClient()
      for (let i = 0; i < 5; i++) client.getStringValue('${flag}', 'none')
      client.getBooleanValue('${flag}', false)
      client.getStringValue('unknown', 'none')
      if (${targetingKey === people.at(-1)}) client.track('ordered ${flag}', { value: 10, currency: 'EUR' })
    })()`)
  }
}

test.each(reporters)(
  'OpenFeature’s clients with %s expose each person once, on a server and in a browser',
  async (reporter) => {
    const tilth = await theTilth()
    const flag = `openfeature-${reporter}`
    await aFlag(tilth, flag)
    const amount = { happening: { event: `ordered ${flag}` }, property: '$revenue' }
    const metrics = [{ name: 'Revenue', measured: { type: 'total', amount } }]
    const { id } = await started(tilth, flag, { metrics })
    const [control, treated] = [idsOf(flag, 'control', 2), idsOf(flag, 'test', 2)]
    const people = [0, 1].map((i) => [control[i] ?? '', treated[i] ?? ''])
    await askOnServer(tilth, reporter, flag, people[0] ?? [])
    await askInBrowsers(tilth, reporter, flag, people[1] ?? [])

    // the script for those who install no package of ours leaves events to others
    const perPerson = reporter === 'withTilth' ? (100 + 10) / 2 : 0
    await expect
      .poll(() => resultsOf(tilth, id), often)
      .toMatchObject({ units: { control: 2, test: 2 }, ordered: { control: 0, test: perPerson } })
    const exposed = (await fetchEvents(tilth, '&event=$feature_flag_called'))
      .filter(({ properties }) => properties['$feature_flag'] === flag)
      .map(({ distinct_id: person }) => person)
    expect(exposed.toSorted()).toEqual(people.flat().toSorted())
  },
)

test('a page that Tilth renders exposes each visitor once, although the browser confirms it', async () => {
  const tilth = await theTilth()
  const flag = 'on-the-site'
  await aFlag(tilth, flag)
  const { id } = await started(tilth, flag)
  const body = `:::variant{of="${flag}" is="test"}\nShorter.\n:::\n\n:::variant{of="${flag}" is="control"}\nLonger.\n:::`
  const post = z
    .looseObject({ id: z.string() })
    .parse(await callApi(tilth, '/posts', { kind: 'post', title: 'Prices', slug: 'prices', body }))
  await callApi(tilth, `/posts/${post.id}/publish`, {})
  const address = `${tilth.address}/blog/prices`
  await expect.poll(async () => (await fetch(`${address}.md`)).status, often).toBe(200)

  const shown: string[] = []
  for (const version of [131, 132, 133, 134, 135, 136]) {
    const userAgent = agent.replace('140', String(version))
    const context = await browser.newContext({ userAgent })
    context.setDefaultTimeout(patienceMs)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(address)
    shown.push((await page.getByText('Shorter.').count()) > 0 ? 'test' : 'control')
    await page.reload()
  }
  const count = (variant: string) => shown.filter((one) => one === variant).length
  await expect
    .poll(() => resultsOf(tilth, id), often)
    .toMatchObject({ units: { control: count('control'), test: count('test') } })
})

test('a device with a clock that is hours off is exposed and converts like any other', async () => {
  const tilth = await theTilth()
  const flag = 'clocks'
  await aFlag(tilth, flag)
  const { id } = await anExperiment(tilth, flag)
  await callApi(tilth, `/experiments/${id}/start`, { at: new Date(Date.now() - 60_000).toISOString() })
  const hourMs = 3_600_000
  for (const [variant, hoursOff] of [
    ['control', -5],
    ['test', 7],
  ] as const) {
    const distinctId = `clocks-${variant}`
    const sentAt = Date.now() + hoursOff * hourMs
    const event = (name: string, msBefore: number, properties: object = {}) => ({
      uuid: randomUUID(),
      event: name,
      timestamp: new Date(sentAt - msBefore).toISOString(),
      properties: { distinct_id: distinctId, ...properties },
    })
    const exposure = { $feature_flag: flag, $feature_flag_response: variant }
    const batch = [event('$feature_flag_called', 20, exposure), event(`ordered ${flag}`, 10)]
    const answer = await fetch(`${tilth.address}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify({ api_key: key, sent_at: new Date(sentAt).toISOString(), batch }),
    })
    expect(answer.status).toBe(200)
  }
  await expect
    .poll(() => resultsOf(tilth, id), often)
    .toMatchObject({
      units: { control: 1, test: 1 },
      ordered: { control: 1, test: 1 },
    })
})
