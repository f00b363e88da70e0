import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { runInNewContext } from 'node:vm'
import posthogPackage from 'posthog-js/package.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { aDesk, answerTo, key, packed, said, secretKey } from '../../../test/wire/posthog-house'
import { type DecidedFlag, flagsAnswer } from './flags'

const get = async (path: string, headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
  answerTo({ method: 'GET', path, headers, query }, await aDesk())

test('the configuration turns on what is captured by itself, and nothing that needs another room', async () => {
  const answer = await get(`/ingest/array/${key}/config`)
  expect(said(answer)).toMatchObject({
    token: key,
    analytics: { endpoint: '/i/v0/e/' },
    autocapture_opt_out: false,
    autocaptureExceptions: true,
    captureDeadClicks: true,
    heatmaps: true,
    sessionRecording: false,
  })
  expect(said(answer)).not.toHaveProperty('surveys')
})

test('the configuration as a script says the same', async () => {
  const window: Record<string, unknown> = {}
  runInNewContext(String((await get(`/array/${key}/config.js`)).body), { window })
  expect(window).toEqual({
    _POSTHOG_REMOTE_CONFIG: { [key]: { config: said(await get(`/array/${key}/config`)), siteApps: [] } },
  })
})

test('the configuration and the SDK come in one where they are asked for together', async () => {
  const { status, body } = await get(`/array/${key}/array.js`)
  expect(status).toBe(200)
  expect(Buffer.from(body ?? '').toString()).toMatch(/^\(window\._POSTHOG_REMOTE_CONFIG=.*\n/)
  expect(body?.length).toBeGreaterThan(300_000)
})

test.each(['config.js', 'config', 'array.js'])('there is no %s for a key of nobody', async (file) => {
  const desk = await aDesk()
  const answer = await answerTo({ method: 'GET', path: `/array/phc_nobody/${file}` }, desk)
  expect(answer.status).toBe(404)
  expect(desk.refusals).toEqual([{ dialect: 'posthog', reason: 'unknown-key', named: 'phc_nobody' }])
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

const flagsRequest = { token: key, distinct_id: 'u1', groups: {} }

test.each(['/flags/', '/flags', '/decide/', '/ingest/flags/'])(
  '%s decides nothing yet, and says so',
  async (path) => {
    const answer = await answerTo(
      { path, query: { v: '2' }, body: packed(flagsRequest, ['gzip']) },
      await aDesk(),
    )
    expect(answer.status).toBe(200)
    expect(said(answer)).toMatchObject({
      flags: {},
      featureFlags: {},
      featureFlagPayloads: {},
      errorsWhileComputingFlags: false,
    })
  },
)

test('old SDKs find their configuration in the answer about flags, new ones are not burdened with it', async () => {
  const ask = async (path: string, query: Record<string, string>) =>
    said(await answerTo({ path, query, body: packed(flagsRequest, ['base64']) }, await aDesk()))
  expect(await ask('/decide/', { v: '3' })).toMatchObject({ autocapture_opt_out: false, editorParams: {} })
  expect(await ask('/flags/', { v: '2', config: 'true' })).toMatchObject({
    analytics: { endpoint: '/i/v0/e/' },
  })
  expect(await ask('/flags/', { v: '2' })).not.toHaveProperty('analytics')
})

test('flags for a key of nobody are refused', async () => {
  const desk = await aDesk()
  const answer = await answerTo(
    { path: '/flags', body: packed({ ...flagsRequest, token: 'phc_nobody' }) },
    desk,
  )
  expect(answer.status).toBe(401)
  expect(desk.refusals).toMatchObject([{ reason: 'unknown-key' }])
})

const aFlag = (changes: Partial<DecidedFlag>): DecidedFlag => ({
  key: 'cta',
  enabled: true,
  variant: undefined,
  reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
  metadata: { id: 1, version: 3, has_experiment: false },
  payload: undefined,
  ...changes,
})
const flags = [
  aFlag({}),
  aFlag({ key: 'colour', variant: 'blue', payload: '{"x":1}' }),
  aFlag({ key: 'off', enabled: false, variant: 'blue', payload: '{"x":1}' }),
]
const circumstances = { requestId: 'r', evaluatedAt: new Date(1000) }

test.each([
  ['all', { cta: true, colour: 'blue', off: false }],
  ['on', { cta: true, colour: 'blue' }],
  ['list', ['cta', 'colour']],
] as const)('decisions by version, %s', (map, featureFlags) => {
  const answer = flagsAnswer({ map, hasConfig: false }, flags, circumstances)
  expect(answer).toMatchObject({
    featureFlags,
    featureFlagPayloads: { colour: '{"x":1}' },
    evaluatedAt: 1000,
  })
})

test('a decision is told in the words of the current SDKs, without what is not there', () => {
  const answer = flagsAnswer({ map: 'all', hasConfig: false }, flags, circumstances)
  const reason = { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' }
  const metadata = { id: 1, version: 3, has_experiment: false }
  expect(answer['flags']).toEqual({
    cta: { key: 'cta', enabled: true, reason, metadata },
    colour: {
      key: 'colour',
      enabled: true,
      variant: 'blue',
      reason,
      metadata: { ...metadata, payload: '{"x":1}' },
    },
    off: { key: 'off', enabled: false, reason, metadata },
  })
})

test.each([
  ['/api/surveys/', { surveys: [] }],
  ['/api/early_access_features/', { earlyAccessFeatures: [] }],
  ['/api/web_experiments/', { experiments: [] }],
  ['/api/product_tours/', { product_tours: [] }],
])('%s is an empty list', async (path, wanted) => {
  expect(said(await get(path, {}, { token: key, _: '1' }))).toEqual(wanted)
  expect((await get(path, {}, { token: 'phc_nobody' })).status).toBe(401)
})

const definitions = ['/flags/definitions', '/api/feature_flag/local_evaluation']

test.each(definitions)('%s is for those who have a secret key', async (path) => {
  const desk = await aDesk()
  const ask = (token: string, headers: Record<string, string>) =>
    answerTo({ method: 'GET', path, query: { token, send_cohorts: '' }, headers }, desk)

  expect((await ask(key, {})).status).toBe(401)
  expect((await ask(key, { authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await ask('phc_other', { authorization: `Bearer ${secretKey}` })).status).toBe(401)

  const answer = await ask(key, { authorization: `Bearer ${secretKey}` })
  expect(said(answer)).toMatchObject({ flags: [], cohorts: {}, group_type_mapping: {} })
  const again = await ask(key, {
    authorization: `Bearer ${secretKey}`,
    'if-none-match': answer.headers?.['etag'] ?? '',
  })
  expect(again).toMatchObject({ status: 304, body: undefined })
})

test('there is no remote configuration yet', async () => {
  const desk = await aDesk()
  const path = '/api/projects/@current/feature_flags/simple/remote_config'
  const answer = await answerTo(
    { method: 'GET', path, headers: { authorization: `Bearer ${secretKey}` } },
    desk,
  )
  expect(answer.status).toBe(404)
  expect(said(answer)).toMatchObject({ detail: 'There is no flag "simple".' })
})
