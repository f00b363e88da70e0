import type { IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import {
  anIngestContext,
  anEvent,
  chrome,
  type IngestChoices,
  expectKept,
  noon,
  aSetWorld,
} from '#test/product/ingest-fixture'
import { expectLinear } from '#test/running/growth'
import { aFlag, aVariant } from '#test/random/random-flags'
import { testSetting, inMainEnvironment, personProperty } from '#test/wire/flag-services'
import { FlagDecider, type VisitorDataSource } from '#flags/flag-decider'
import { fixedDefinitions } from '#test/product/fixed-definitions'
import { type Flag, mainEnvironment } from '#flags/flag'
import { isUuid } from '#ingest/uuid'
import { visitEvent } from './views'
import type { VisitTrial } from './visits'
import { Visits, type VisitRequest } from './visits'

const address = '198.51.100.23'
const headline: VisitTrial = { key: 'post-42-1', variants: [{ key: 'a' }, { key: 'b' }, { key: 'c' }] }

interface Setup {
  flags?: readonly Flag[]
  trials?: readonly VisitTrial[]
  settings?: IngestChoices
  person?: VisitorDataSource['person']
}

async function someVisits({ flags = [], trials = [], settings = {}, person }: Setup = {}) {
  const world = aSetWorld(noon)
  const context = await anIngestContext(world, settings)
  const fail = (problem: unknown) => {
    throw problem
  }
  const definitions = await fixedDefinitions(flags)
  onTestFinished(() => definitions.close())
  const nobodyAsks = async () => {
    throw new Error('Nobody may be looked up.')
  }
  const lookups: VisitorDataSource = {
    person: person ?? nobodyAsks,
    group: nobodyAsks,
    members: nobodyAsks,
    keptIds: nobodyAsks,
    keepIds: nobodyAsks,
  }
  const deciding = new FlagDecider({ definitions, lookups, world, fail })
  const visits = new Visits({
    definitions,
    decider: deciding,
    ingestContext: context,
    trialsOf: () => trials,
    applyPreview: (decide, _projectId, { cookie }) =>
      cookie === 'trying' ? decide().map((one) => ({ ...one, value: 'forced' })) : undefined,
  })
  const begin = (headers: IncomingHttpHeaders = {}, more: Partial<VisitRequest> = {}) =>
    visits.begin({
      projectId: 1,
      visitors: 'daily',
      host: 'example.com',
      address,
      headers: { 'user-agent': chrome, ...headers },
      receivedAt: world.now(),
      ...more,
    })
  return { begin, context, visits, world }
}

test('a visitor without a cookie is the one that the script’s events and our own are of', async () => {
  const { begin, context } = await someVisits()
  const { visit, envelope, isNew } = begin()
  expect([visit.isCookieless, isNew]).toEqual([true, false])
  const ofScript = expectKept(anEvent({ distinctId: undefined }), envelope, context)
  const properties = { $current_url: 'https://example.com/blog' }
  const ofOurs = expectKept(visitEvent(visit, '$pageview', '', properties), envelope, context)
  expect(ofScript.distinctId).toBe(visit.visitor)
  expect(ofOurs).toMatchObject({ distinctId: visit.visitor, isCookieless: true, hasPerson: false })
})

test('everything a page may want to know is decided before it asks', async () => {
  const { begin } = await someVisits({
    flags: [
      aFlag({ key: 'cta' }),
      aFlag({ key: 'off', environments: {} }),
      aFlag({ key: 'colour', variants: [aVariant('blue', 100)], payloads: { blue: '{"x":[1]}' } }),
      aFlag({
        key: 'german',
        environments: inMainEnvironment({ conditions: [personProperty('$geoip_country_code', 'DE')] }),
      }),
      aFlag({
        key: 'french',
        environments: inMainEnvironment({ conditions: [personProperty('$geoip_country_code', 'FR')] }),
      }),
      aFlag({
        key: 'pros',
        environments: inMainEnvironment({ conditions: [personProperty('plan', 'pro')] }),
      }),
      aFlag({ key: 'theirs', servedTo: 'servers' }),
      aFlag({ key: 'secret', kind: 'config', isSecret: true, payloads: { true: '"s3cr3t"' } }),
      aFlag({ key: 'gone', archivedAt: new Date(noon) }),
    ],
    trials: [headline],
  })
  const { visit } = begin()
  expect(visit.decisions).toEqual({
    cta: true,
    off: false,
    colour: 'blue',
    german: true,
    french: false,
    // no value is stored of a visitor of one day
    pros: false,
    theirs: true,
    secret: true,
    'post-42-1': expect.stringMatching(/^[abc]$/),
  })
  expect(visit.payloads).toEqual({ colour: { x: [1] } })
  expect(visit.withheld).toEqual(['theirs', 'secret', 'post-42-1'])
})

test('a trial gives each visitor always the same variant, and each variant its share', async () => {
  const { begin } = await someVisits({ trials: [headline] })
  const variantAt = (number: number) =>
    begin({}, { address: `198.51.100.${number}` }).visit.decisions['post-42-1']
  const shown = Array.from({ length: 250 }, (_, number) => variantAt(number))
  expect(shown).toEqual(Array.from({ length: 250 }, (_, number) => variantAt(number)))
  for (const variant of ['a', 'b', 'c']) {
    const share = shown.filter((one) => one === variant).length
    // three standard deviations around 83
    expect(share).toBeGreaterThan(60)
    expect(share).toBeLessThan(107)
  }
})

test('a crawler is shown the original of every trial and experiment, and other flags as everyone', async () => {
  const halves = [aVariant('control', 0), aVariant('bold', 100)]
  const payloads = { control: '"as before"', bold: '"new"' }
  const { begin } = await someVisits({
    flags: [
      aFlag({ key: 'cta' }),
      aFlag({ key: 'checkout', variants: halves, payloads, hasExperiment: true }),
      aFlag({ key: 'colour', variants: halves }),
    ],
    trials: [headline],
  })
  const decisions = (agent: string) => begin({ 'user-agent': agent }).visit.decisions
  const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
  const original = { cta: true, checkout: 'control', colour: 'bold', 'post-42-1': false }
  expect(decisions(crawler)).toEqual(original)
  expect(decisions('Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)')).toEqual(original)
  expect(begin({ 'user-agent': crawler }).visit.payloads).toEqual({ checkout: 'as before' })

  for (const agent of [chrome, 'node'])
    expect(decisions(agent)).toEqual({
      cta: true,
      checkout: 'bold',
      colour: 'bold',
      'post-42-1': expect.stringMatching(/^[abc]$/),
    })
})

test('a cookie says who it is, for as long as it is as we wrote it', async () => {
  const { begin } = await someVisits()
  const first = begin({}, { visitors: 'cookie' })
  expect([first.isNew, first.visit.isCookieless, isUuid(first.visit.visitor)]).toEqual([true, false, true])
  const again = begin({ cookie: `a=b; tilth_visitor=${first.visit.visitor}` }, { visitors: 'cookie' })
  expect(again).toMatchObject({ isNew: false, visit: { visitor: first.visit.visitor } })
})

test.each([
  ['somebody’s address', 'ana@example.com'],
  ['nothing', ''],
  ['more than we write', '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60<script>'],
  ['an id in other letters', '0192F0A1-7C11-4D5E-8A3F-1B2C3D4E5F60'],
])('a cookie that says %s is replaced', async (_what, value) => {
  const { begin } = await someVisits()
  const { isNew, visit } = begin({ cookie: `tilth_visitor=${value}` }, { visitors: 'cookie' })
  expect(isNew).toBe(true)
  expect(visit.visitor).not.toBe(value)
})

test('a cookie from before means nothing once the site counts visitors by the day', async () => {
  const { begin } = await someVisits()
  const cookie = 'tilth_visitor=0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
  expect(begin({ cookie }).visit.visitor).toBe(begin().visit.visitor)
})

test.each<['ignore' | 'cookieless' | 'drop', IncomingHttpHeaders, boolean]>([
  // the project's setting, the headers, and whether the visitor is given a cookie
  ['cookieless', { 'sec-gpc': '1' }, false],
  ['cookieless', { dnt: '1' }, false],
  ['drop', { 'sec-gpc': '1' }, false],
  ['ignore', { 'sec-gpc': '1' }, true],
  ['cookieless', { dnt: '0' }, true],
])('where a wish not to be followed means "%s", %j', async (optOut, headers, isNew) => {
  const { begin } = await someVisits({ settings: { optOut } })
  const started = begin(headers, { visitors: 'cookie' })
  expect([started.isNew, started.visit.isCookieless]).toEqual([isNew, !isNew])
})

test('who comes back is looked up for the page after this one, and until then not decided about', async () => {
  const looked: string[] = []
  const { begin } = await someVisits({
    flags: [
      aFlag({
        key: 'pros',
        environments: inMainEnvironment({ conditions: [personProperty('plan', 'pro')] }),
      }),
    ],
    person: async (_projectId, distinctId) => {
      looked.push(distinctId)
      return { id: 'p', properties: { plan: 'pro' } }
    },
  })
  const visitor = '0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
  const comeBack = () => begin({ cookie: `tilth_visitor=${visitor}` }, { visitors: 'cookie' }).visit.decisions
  expect(comeBack()).toEqual({})
  await expect.poll(() => comeBack()).toEqual({ pros: true })
  expect(new Set(looked)).toEqual(new Set([visitor]))
})

test('a link for trying flags out decides, and the visit is marked by it', async () => {
  const { begin } = await someVisits({ flags: [aFlag({ key: 'cta' })] })
  expect(begin({ cookie: 'trying' }).visit).toMatchObject({ isTried: true, decisions: { cta: 'forced' } })
  expect(begin().visit.isTried).toBe(false)
})

test('someone just come is no one yet: what is asked of them is decided at once', async () => {
  const { begin } = await someVisits({
    flags: [
      aFlag({
        key: 'keeps',
        keepsThroughSignIn: true,
        environments: { [mainEnvironment]: testSetting() },
      }),
      aFlag({
        key: 'pros',
        environments: inMainEnvironment({ conditions: [personProperty('plan', 'pro')] }),
      }),
    ],
  })
  expect(begin({}, { visitors: 'cookie' }).visit.decisions).toEqual({ keeps: true, pros: false })
})

test('twice as many flags take twice as long', async () => {
  const flags = Array.from({ length: 8000 }, (_, i) =>
    aFlag({
      key: `flag-${i}`,
      variants: [aVariant('a', 50), aVariant('b', 50)],
      environments: inMainEnvironment({ percentage: 50 }),
    }),
  )
  const few = await someVisits({ flags: flags.slice(0, 4000), trials: [headline] })
  const many = await someVisits({ flags, trials: [headline] })
  await expectLinear((size) => {
    const { begin } = size > 4000 ? many : few
    return () => begin().visit.decisions
  }, 4000)
})
