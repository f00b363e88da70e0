import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { runInNewContext } from 'node:vm'
import posthogPackage from 'posthog-js/package.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { aFlag } from '#test/random/random-flags'
import { aSurvey } from '#test/product/some-survey'
import { type WebExperimentSource, webIdOf } from '#experiments/web/web-experiment-list'
import { someWireServices, answerTo, key, otherKey, responseJson } from '#test/wire/posthog-fixture'

const get = async (path: string, headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
  answerTo({ method: 'GET', path, headers, query }, await someWireServices())

test('the configuration turns on what PostHog captures by default, and nothing that is not supported', async () => {
  const answer = await get(`/ingest/array/${key}/config`)
  expect(responseJson(answer)).toMatchObject({
    token: key,
    analytics: { endpoint: '/i/v0/e/' },
    autocapture_opt_out: false,
    autocaptureExceptions: false,
    captureDeadClicks: false,
    capturePerformance: false,
    heatmaps: false,
    sessionRecording: false,
  })
  expect(responseJson(answer)).not.toHaveProperty('surveys')
})

test('the configuration turns on what the project chooses', async () => {
  const capture = ['dead-clicks', 'exceptions', 'web-vitals']
  const answer = await answerTo(
    { method: 'GET', path: `/array/${key}/config` },
    await someWireServices({ capture }),
  )
  expect(responseJson(answer)).toMatchObject({
    autocapture_opt_out: true,
    autocaptureExceptions: true,
    errorTracking: { autocaptureExceptions: true },
    captureDeadClicks: true,
    capturePerformance: { web_vitals: true },
  })
})

test('browsers are told to ask for flags where there are any', async () => {
  const services = await someWireServices({}, [aFlag({ key: 'cta' })])
  const ask = async (from: typeof services) =>
    responseJson(await answerTo({ method: 'GET', path: `/array/${key}/config` }, from))
  expect(await ask(services)).toMatchObject({ hasFeatureFlags: true })
  expect(await ask(await someWireServices())).toMatchObject({ hasFeatureFlags: false })
  for (const one of [
    aFlag({ key: 'cta', archivedAt: new Date() }),
    aFlag({ key: 'cta', servedTo: 'servers' }),
    aFlag({ key: 'cta', kind: 'config', isSecret: true }),
  ])
    expect(await ask(await someWireServices({}, [one]))).toMatchObject({ hasFeatureFlags: false })
})

test('the configuration as a script says the same', async () => {
  const window: Record<string, unknown> = {}
  runInNewContext(String((await get(`/array/${key}/config.js`)).body), { window })
  expect(window).toEqual({
    _POSTHOG_REMOTE_CONFIG: {
      [key]: { config: responseJson(await get(`/array/${key}/config`)), siteApps: [] },
    },
  })
})

test('the configuration and the SDK come in one where they are asked for together', async () => {
  const { status, body } = await get(`/array/${key}/array.js`)
  expect(status).toBe(200)
  expect(Buffer.from(body ?? '').toString()).toMatch(/^\(window\._POSTHOG_REMOTE_CONFIG=.*\n/)
  expect(body?.length).toBeGreaterThan(300_000)
})

test.each(['config.js', 'config', 'array.js'])('there is no %s for a key of no one', async (file) => {
  const services = await someWireServices()
  const answer = await answerTo({ method: 'GET', path: `/array/phc_nobody/${file}` }, services)
  expect(answer.status).toBe(404)
  expect(services.refusals).toEqual([{ dialect: 'posthog', reason: 'unknown-key', named: 'phc_nobody' }])
})

test.each([
  ['/static/array.js', 200],
  ['/ingest/static/array.js', 200],
  [`/static/${posthogPackage.version}/surveys.js`, 200],
  ['/static/1.449.2/web-vitals-with-attribution.js', 200],
  ['/static/1.57.2/recorder-v2.js', 200],
  ['/static/toolbar.js', 404],
  ['/static/1.449.2/toolbar.js', 404],
  ['/static/1.449.2/main.js', 404],
  ['/static/1.449.2/..%2Fpackage.json', 404],
  ['/static/images/array.js', 404],
])('%s is answered %i', async (path, status) => {
  const answer = await get(path)
  expect(answer.status).toBe(status)
  expect(answer.headers?.['access-control-allow-origin']).toBe('*')
})

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
])('for "%s", scripts come as %s', async (accepted, encoding, unpack) => {
  const plain = await get('/static/surveys.js')
  const answer = await get('/static/surveys.js', { 'accept-encoding': accepted })
  expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
  expect(unpack(Buffer.from(answer.body ?? '')).equals(Buffer.from(plain.body ?? ''))).toBe(true)
})

test('a script of our own version is kept for good, another is asked for again the next day', async () => {
  const { version } = posthogPackage
  expect((await get(`/static/${version}/surveys.js`)).headers?.['cache-control']).toMatch(/immutable/)
  expect((await get('/static/surveys.js', {}, { v: version })).headers?.['cache-control']).toMatch(
    /immutable/,
  )
  const other = await get('/static/1.1.1/surveys.js')
  expect(other.headers?.['cache-control']).toBe('public, max-age=86400')
  expect(
    await get('/static/1.1.1/surveys.js', { 'if-none-match': other.headers?.['etag'] ?? '' }),
  ).toMatchObject({
    status: 304,
  })
})

test.each([
  ['/api/early_access_features/', { earlyAccessFeatures: [] }],
  ['/api/product_tours/', { product_tours: [] }],
])('%s is an empty list', async (path, wanted) => {
  expect(responseJson(await get(path, {}, { token: key, _: '1' }))).toEqual(wanted)
  expect((await get(path, {}, { token: 'phc_nobody' })).status).toBe(401)
})

test.each([
  ['a project without surveys', { token: otherKey }],
  ['a key of no project', { token: 'phc_nobody' }],
  ['no key', {}],
])(
  'surveys of %s are an empty list, because an error is asked about again every second',
  async (_, query) => {
    const services = await someWireServices({}, [], [aSurvey()])
    const answer = await answerTo({ method: 'GET', path: '/api/surveys/', query }, services)
    expect([answer.status, responseJson(answer)]).toEqual([200, { surveys: [] }])
  },
)

const webExperiment: WebExperimentSource = {
  id: 'e1',
  name: 'Shorter headline',
  flag: 'headline',
  startedAt: new Date('2026-01-01T00:00:00Z'),
  endedAt: undefined,
  archivedAt: undefined,
  web: {
    assignedBy: 'flag',
    previewsDraft: false,
    variants: { test: { transforms: [{ selector: 'h1', html: '<b>New</b>', css: 'color:red' }] } },
  },
}
const { web: changes } = webExperiment
const limits = { url: '/pricing', urlMatchType: 'icontains', utm: { utm_source: 'news' } } as const

describe('web experiments', () => {
  const entry = { id: webIdOf('e1'), name: 'Shorter headline' }
  const transforms = [{ selector: 'h1', html: '<b>New</b>', css: 'color:red' }]
  test.each<[string, Partial<WebExperimentSource>, unknown]>([
    ['one that runs', {}, [{ ...entry, feature_flag_key: 'headline', variants: { test: { transforms } } }]],
    ['a draft', { startedAt: undefined }, []],
    [
      'a draft with previews, which no flag and no condition applies',
      { startedAt: undefined, web: changes && { ...changes, previewsDraft: true } },
      [{ ...entry, variants: { test: { transforms } } }],
    ],
    ['one that ended', { endedAt: new Date('2026-02-01T00:00:00Z') }, []],
    ['one without changes', { web: undefined }, []],
    [
      'one by conditions',
      {
        web: {
          assignedBy: 'conditions',
          previewsDraft: false,
          variants: { test: { transforms, conditions: limits } },
        },
      },
      [{ ...entry, variants: { test: { transforms, conditions: limits } } }],
    ],
  ])('%s', async (_, change, experiments) => {
    const services = await someWireServices({}, [], [], [{ ...webExperiment, ...change }])
    const query = { token: key, _: '1' }
    const answer = await answerTo({ method: 'GET', path: '/api/web_experiments/', query }, services)
    expect(responseJson(answer)).toEqual({ experiments })
  })

  test.each([
    ['a project without them', { token: otherKey }],
    ['a key of no project', { token: 'phc_nobody' }],
    ['no key', {}],
  ])('of %s are an empty list, never an error', async (_, query) => {
    const services = await someWireServices({}, [], [], [webExperiment])
    const answer = await answerTo({ method: 'GET', path: '/api/web_experiments/', query }, services)
    expect([answer.status, responseJson(answer)]).toEqual([200, { experiments: [] }])
  })
})

test('browsers are told of surveys, and load the script for them, only where there are some to show', async () => {
  const services = await someWireServices({}, [], [aSurvey()])
  const read = async (path: string, query = {}) =>
    responseJson(await answerTo({ method: 'GET', path, query }, services))
  expect(await read(`/array/${key}/config`)).toMatchObject({ surveys: true })
  expect(await read(`/array/${otherKey}/config`)).not.toHaveProperty('surveys')
  expect(await read('/api/surveys/', { token: key })).toMatchObject({
    surveys: [{ id: 'nps', type: 'popover' }],
  })
})
