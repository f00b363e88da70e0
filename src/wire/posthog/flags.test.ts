import { expect, test } from 'vitest'
import { aFlag } from '#test/random/random-flags'
import { testSetting, inMainEnvironment, personProperty } from '#test/wire/flag-services'
import {
  someWireServices,
  answerTo,
  key,
  encodeBody,
  recordedAt,
  responseJson,
  secretKey,
  stagingKey,
} from '#test/wire/posthog-fixture'
import type { Flag } from '#flags/flag'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const cta = aFlag({ key: 'cta', payloads: { true: '"Go"' } })
const colour = aFlag({
  key: 'colour',
  description: 'of the button',
  hasExperiment: true,
  version: 3,
  variants: [
    { key: 'blue', name: '', percentage: 100 },
    { key: 'red', name: '', percentage: 0 },
  ],
  payloads: { blue: '{"x":1}' },
})
const off = aFlag({ key: 'off', environments: inMainEnvironment({}, { isOn: false }) })
const pros = aFlag({
  key: 'pros',
  environments: inMainEnvironment({ conditions: [personProperty('plan', 'pro')] }),
})

interface Way {
  path?: string
  query?: Record<string, string>
  headers?: Record<string, string>
}

/** Asks `/flags` as a visitor's browser does. */
async function ask(
  flags: readonly Flag[],
  more: object = {},
  { path = '/flags/', query = { v: '2' }, headers = {} }: Way = {},
) {
  const services = await someWireServices({}, flags)
  const body = encodeBody({ token: key, distinct_id: 'u1', ...more }, ['gzip'])
  const answer = await answerTo({ path, query, headers: { 'user-agent': phone, ...headers }, body }, services)
  return { services, answer, said: responseJson(answer) as Record<string, unknown> }
}

test('decisions are told in the words of the current SDKs', async () => {
  const { said: answer } = await ask([cta, colour, off, pros])
  expect(answer).toEqual({
    flags: {
      cta: {
        key: 'cta',
        enabled: true,
        reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
        metadata: { id: cta.id, version: 1, payload: '"Go"', has_experiment: false },
      },
      colour: {
        key: 'colour',
        enabled: true,
        variant: 'blue',
        reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
        metadata: {
          id: colour.id,
          version: 3,
          description: 'of the button',
          payload: '{"x":1}',
          has_experiment: true,
        },
      },
      off: {
        key: 'off',
        enabled: false,
        reason: {
          code: 'flag_disabled',
          condition_index: null,
          description: 'The flag is off in this environment.',
        },
        metadata: { id: off.id, version: 1, has_experiment: false },
      },
      pros: {
        key: 'pros',
        enabled: false,
        reason: {
          code: 'no_condition_match',
          condition_index: null,
          description: expect.stringMatching(/^No condition set/),
        },
        metadata: { id: pros.id, version: 1, has_experiment: false },
      },
    },
    featureFlags: { cta: true, colour: 'blue', off: false, pros: false },
    featureFlagPayloads: { cta: '"Go"', colour: '{"x":1}' },
    errorsWhileComputingFlags: false,
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    evaluatedAt: new Date(recordedAt).getTime(),
  })
})

const all = { cta: true, colour: 'blue', off: false }
const whatIsOn = { cta: true, colour: 'blue' }

test.each([
  ['/flags', '', all],
  ['/flags', '1', all],
  ['/flags', '2', all],
  ['/ingest/flags/', '2', all],
  ['/decide/', '', ['cta', 'colour']],
  ['/decide/', '1', ['cta', 'colour']],
  ['/decide/', '2', whatIsOn],
  ['/decide/', '3', all],
  ['/decide/', '4', all],
])('%s by version "%s"', async (path, v, featureFlags) => {
  const { said: answer } = await ask([cta, colour, off], {}, { path, query: v === '' ? {} : { v } })
  expect(answer).toMatchObject({ featureFlags, featureFlagPayloads: { colour: '{"x":1}' } })
  expect(Object.keys(Object(answer['flags']))).toEqual(['cta', 'colour', 'off'])
})

test.each([
  ['/decide/', { v: '3' }, { autocapture_opt_out: false, editorParams: {}, hasFeatureFlags: true }],
  ['/flags/', { v: '2', config: 'true' }, { analytics: { endpoint: '/i/v0/e/' }, isAuthenticated: false }],
])('%s %o brings the configuration along', async (path, query, wanted) => {
  const { said: answer } = await ask([cta], {}, { path, query })
  expect(answer).toMatchObject({ ...wanted, featureFlags: { cta: true } })
})

test('new SDKs are not burdened with it', async () => {
  expect((await ask([cta])).said).not.toHaveProperty('analytics')
})

test.each([
  ['there are no flags', [], {}],
  ['all are archived', [aFlag({ key: 'gone', archivedAt: new Date() })], {}],
  ['none are wanted', [cta], { disable_flags: true }],
  ['a project without flags is asked about nobody', [], { distinct_id: '' }],
])('where %s, the answer is empty and nothing is decided', async (_case, flags, more) => {
  const { said: answer, services } = await ask(flags, more)
  expect(answer).toMatchObject({
    flags: {},
    featureFlags: {},
    featureFlagPayloads: {},
    errorsWhileComputingFlags: false,
  })
  expect(services.requests).toEqual([])
})

test('a request for no visitor is told so', async () => {
  const { answer } = await ask([cta], { distinct_id: undefined })
  expect(answer.status).toBe(400)
  expect(responseJson(answer)).toMatchObject({ code: 'missing_distinct_id' })
})

test('what could not be decided keeps the value that the SDK has', async () => {
  const services = await someWireServices({}, [cta, pros])
  services.loseStore()
  const answer = responseJson(
    await answerTo(
      { path: '/flags', query: { v: '2' }, body: encodeBody({ token: key, distinct_id: 'u1' }) },
      services,
    ),
  )
  expect(answer).toMatchObject({
    errorsWhileComputingFlags: true,
    flags: { cta: { enabled: true }, pros: { enabled: false, failed: true, reason: { code: 'undecided' } } },
    featureFlags: { cta: true },
  })
  expect(answer).not.toHaveProperty('featureFlags.pros')
})

const serverFlag = aFlag({ key: 'theirs', servedTo: 'servers' })
const browsers = aFlag({ key: 'browsers', servedTo: 'browsers' })

test.each([
  // the client, and the flags that it gets
  ['a browser', phone, {}, ['cta', 'browsers']],
  ['an SDK of 2025 on a server', 'posthog-node/5.70.0', { evaluation_runtime: 'server' }, ['cta', 'theirs']],
  ['an SDK of 2023 on a server', 'axios/0.27.2', {}, ['cta', 'theirs']],
  ['an app', 'okhttp/4.12.0', {}, ['cta', 'browsers']],
  [
    'a server that says it asks for a browser',
    'curl/8',
    { evaluation_runtime: 'client' },
    ['cta', 'browsers'],
  ],
])('%s is given what is for it', async (_who, agent, more, keys) => {
  const { said: answer } = await ask([cta, serverFlag, browsers], more, { headers: { 'user-agent': agent } })
  expect(Object.keys(Object(answer['flags']))).toEqual(keys)
})

const web = aFlag({ key: 'web', contexts: ['web', 'docs'] })

test.each([
  ['named by the browser’s SDK', { flag_keys: ['colour', 'nobody'] }, {}, ['colour']],
  ['named by the server’s SDK', { flag_keys_to_evaluate: ['off'] }, {}, ['off']],
  ['of one context', { evaluation_contexts: ['app'] }, {}, ['cta', 'colour', 'off']],
  ['of several contexts', { evaluation_contexts: ['app', 'docs'] }, {}, ['cta', 'colour', 'off', 'web']],
  ['of no context in particular', {}, {}, ['cta', 'colour', 'off', 'web']],
  ['for surveys', {}, { only_evaluate_survey_feature_flags: 'true' }, []],
])('only those are decided that are %s', async (_case, more, query, keys) => {
  const { said: answer } = await ask([cta, colour, off, web], more, { query: { v: '2', ...query } })
  expect(new Set(Object.keys(Object(answer['flags'])))).toEqual(new Set<string>(keys))
})

test('everything that is said of the visitor is understood', async () => {
  const { services } = await ask([cta], {
    distinct_id: 17,
    $anon_distinct_id: 'anon',
    $device_id: 'device',
    groups: { company: 'acme', team: 9, nothing: '' },
    person_properties: { plan: 'pro' },
    group_properties: { company: { $group_key: 'acme', tier: 1 } },
    geoip_disable: true,
  })
  expect(services.requests).toMatchObject([
    {
      distinctId: '17',
      anonymousId: 'anon',
      deviceId: 'device',
      groups: { company: 'acme', team: '9' },
      person: { plan: 'pro' },
      groupProperties: { company: { $group_key: 'acme', tier: 1 } },
      mayLocate: false,
      environment: 'production',
    },
  ])
})

test('visitors without an id are not taken for one another', async () => {
  const { services } = await ask(
    [cta],
    { distinct_id: '$posthog_cookieless' },
    { headers: { origin: 'https://shop.example:8443' } },
  )
  expect(services.requests[0]).toMatchObject({ distinctId: undefined, host: 'shop.example:8443' })
})

test('an environment’s key chooses what is set there', async () => {
  const flag = aFlag({ key: 'cta', environments: { staging: testSetting({}, { payloads: { true: '2' } }) } })
  expect((await ask([flag])).said).toMatchObject({ featureFlags: { cta: false } })
  expect((await ask([flag], { token: stagingKey })).said).toMatchObject({
    featureFlags: { cta: true },
    featureFlagPayloads: { cta: '2' },
  })
})

test('a preview link forces values in the browser that followed it, for this project alone', async () => {
  const services = await someWireServices({}, [colour, off])
  const values = { colour: 'red', off: true, gone: true }
  services.forced.set('good', { projectId: 1, values, until: new Date() })
  services.forced.set('stale', { projectId: 1, values: { colour: 'green' }, until: new Date() })
  services.forced.set('foreign', { projectId: 2, values, until: new Date() })
  const asWith = async (cookie: string) =>
    responseJson(
      await answerTo(
        {
          path: '/flags',
          query: { v: '2' },
          headers: { cookie },
          body: encodeBody({ token: key, distinct_id: 'u' }),
        },
        services,
      ),
    )
  expect(await asWith('a=b; tilth_trying=good')).toMatchObject({
    featureFlags: { colour: 'red', off: true },
    flags: { off: { reason: { code: 'forced' } } },
  })
  for (const cookie of [
    'tilth_trying=stale',
    'tilth_trying=foreign',
    'tilth_trying=made-up',
    'x=tilth_trying',
  ])
    expect(await asWith(cookie)).toMatchObject({ featureFlags: { colour: 'blue', off: false } })
})

const secret = aFlag({ key: 'secret', kind: 'config', isSecret: true, payloads: { true: 'sealed "s3cr3t"' } })

test.each(['/flags/', '/decide/'])('%s never tells a secret', async (path) => {
  for (const agent of [phone, 'posthog-node/5.70.0']) {
    const { answer } = await ask([cta, secret], {}, { path, headers: { 'user-agent': agent } })
    expect(answer.body).not.toContain('secret')
    expect(answer.body).not.toContain('s3cr3t')
  }
})

test('flags for a key of no one are refused', async () => {
  const services = await someWireServices({}, [cta])
  const answer = await answerTo(
    { path: '/flags', body: encodeBody({ token: 'phc_nobody', distinct_id: 'u' }) },
    services,
  )
  expect(answer.status).toBe(401)
  expect(services.refusals).toMatchObject([{ reason: 'unknown-key' }])
})

const beta = aFlag({
  key: 'beta-ui',
  earlyAccess: { name: 'Beta UI', description: 'd', stage: 'beta', documentationUrl: 'https://docs.example' },
  payloads: { true: '{"a":1}' },
})
const idea = aFlag({
  key: 'idea',
  environments: {},
  earlyAccess: { name: 'Idea', description: '', stage: 'concept', documentationUrl: '' },
})

test.each([
  ['usually', '', ['beta-ui']],
  ['of a stage', '?stage=concept', ['idea']],
  ['of several stages', '?stage=concept&stage=beta&stage=alpha', ['beta-ui', 'idea']],
])('what people can take part in, %s', async (_case, search, keys) => {
  const hidden = aFlag({ ...beta, key: 'hidden', environments: inMainEnvironment({}, { isOn: false }) })
  const services = await someWireServices({}, [beta, idea, hidden, cta])
  const query = new URLSearchParams(search)
  query.set('token', key)
  const answer = responseJson(
    await answerTo({ method: 'GET', path: '/api/early_access_features/', query }, services),
  )
  const { earlyAccessFeatures: features } = answer as { earlyAccessFeatures: { flagKey: string }[] }
  expect(features.map(({ flagKey }) => flagKey)).toEqual(keys)
  if (keys[0] === 'beta-ui')
    expect(features[0]).toEqual({
      name: 'Beta UI',
      description: 'd',
      stage: 'beta',
      documentationUrl: 'https://docs.example',
      payload: { a: 1 },
      flagKey: 'beta-ui',
    })
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test.each(['/flags/definitions', '/api/feature_flag/local_evaluation'])(
  '%s is for those who have a secret key',
  async (path) => {
    const services = await someWireServices({}, [cta])
    const fetched = (token: string, headers: Record<string, string>) =>
      answerTo({ method: 'GET', path, query: { token, send_cohorts: '' }, headers }, services)

    expect((await fetched(key, {})).status).toBe(401)
    expect((await fetched(key, bearer('wrong'))).status).toBe(401)
    expect((await fetched('phc_other', bearer(secretKey))).status).toBe(403)

    const answer = await fetched(key, bearer(secretKey))
    expect(responseJson(answer)).toMatchObject({
      flags: [{ key: 'cta' }],
      cohorts: {},
      group_type_mapping: {},
    })
    const etag = answer.headers?.['etag'] ?? ''
    expect(etag).toMatch(/^W\/".+"$/)
    // proxies make strong ones of them, or weak ones
    for (const known of [etag, etag.slice(2), `"other", ${etag}`])
      expect(await fetched(key, { ...bearer(secretKey), 'if-none-match': known })).toMatchObject({
        status: 304,
        headers: { etag },
      })
    expect((await fetched(stagingKey, { ...bearer(secretKey), 'if-none-match': etag })).status).toBe(200)
  },
)

test.each([
  ['simple', key, 200, '"{\\"a\\":1}"'],
  ['simple', stagingKey, 200, '"2"'],
  ['secret', key, 200, String.raw`"\"s3cr3t\""`],
  ['empty', key, 200, ''],
  ['nobody', key, 404, undefined],
  ['archived', key, 404, undefined],
])('the remote configuration "%s" by %s is answered %i', async (name, token, status, body) => {
  const services = await someWireServices({}, [
    aFlag({
      key: 'simple',
      kind: 'config',
      payloads: { true: '{"a":1}' },
      environments: { staging: testSetting({}, { payloads: { true: '2' } }) },
    }),
    secret,
    aFlag({ key: 'empty', kind: 'config' }),
    aFlag({ key: 'archived', kind: 'config', payloads: { true: '1' }, archivedAt: new Date() }),
  ])
  const path = `/api/projects/@current/feature_flags/${name}/remote_config`
  const answer = await answerTo(
    { method: 'GET', path, query: { token }, headers: bearer(secretKey) },
    services,
  )
  expect(answer.status).toBe(status)
  if (body !== undefined) expect(answer.body).toBe(body)
  expect(
    (await answerTo({ method: 'GET', path, query: { token }, headers: bearer(key) }, services)).status,
  ).toBe(401)
})

test('what comes by an environment’s key is its project’s, and says so', async () => {
  const services = await someWireServices()
  await answerTo({ path: '/e/', body: encodeBody({ api_key: stagingKey, batch: [event] }) }, services)
  await answerTo({ path: '/e/', body: encodeBody({ api_key: key, batch: [event] }) }, services)
  expect(services.stored.map(({ projectId, properties }) => [projectId, properties['$environment']])).toEqual(
    [
      [1, 'staging'],
      [1, undefined],
    ],
  )
})
const event = { event: 'order', distinct_id: 'u1', properties: { $environment: undefined } }
