import { PostHog, type PostHogOptions } from 'posthog-node'
import { expect, onTestFinished, test } from 'vitest'
import type { RunningTestTilth } from '../start/tilth'
import { callApi, colours, createFlag, proPlan, switchFlag } from './flag-making'
import { patientClient } from './posthog-server'
import { anOwnedTilth, key, secret } from './tilth-fixture'

/** A request of the client, and the status of its response. */
type Exchange = [path: string, status: number]

function aClient({ address }: RunningTestTilth, options: PostHogOptions = {}, projectKey = key) {
  const exchanges: Exchange[] = []
  const client = new PostHog(projectKey, {
    ...patientClient,
    host: address,
    disableGeoip: true,
    ...options,
    fetch: async (url, request) => {
      const answer = await fetch(url, request)
      exchanges.push([new URL(url).pathname, answer.status])
      return answer
    },
  })
  const problems: unknown[] = []
  client.on('error', (problem: unknown) => problems.push(problem))
  onTestFinished(() => client.shutdown(2000))
  const asked = (path: string) => exchanges.filter(([other]) => other === path).map(([, status]) => status)
  return { client, problems, asked }
}

/** PostHog's API, as a script with a personal API key calls it. */
async function askPosthogApi({ address }: RunningTestTilth, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${address}/api/projects/@current${path}`, {
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return await answer.json()
}

/** Expects sent values to be read back with their types, by every way that PostHog's API has to it. */
async function expectReadBack(tilth: RunningTestTilth, client: PostHog): Promise<void> {
  const sent = { total: 12.5, paid: true, zip: '10115', items: ['a', 1], note: 'true' }
  const traits = { email: 'ana@example.com', seats: 7, tags: ['x'] }
  client.identify({ distinctId: 'reader', properties: traits })
  client.capture({ distinctId: 'reader', event: 'order', properties: sent })
  await client.flush()
  const order = { event: 'order', distinct_id: 'reader', properties: sent }
  await expect
    .poll(() => askPosthogApi(tilth, '/events/?event=order&distinct_id=reader'))
    .toMatchObject({ next: null, results: [{ ...order, person: { properties: traits } }] })
  expect(await askPosthogApi(tilth, '/persons/?distinct_id=reader')).toMatchObject({
    count: 1,
    results: [{ distinct_ids: ['reader'], properties: traits }],
  })
  const ask = (query: object) => askPosthogApi(tilth, '/query/', { query })
  expect(
    await ask({
      kind: 'HogQLQuery',
      query: "select event, properties.zip from events where event = 'order'",
    }),
  ).toMatchObject({ results: [['order', '10115']] })
  const select = ['event', 'properties.total', 'person.properties.seats']
  expect(await ask({ kind: 'EventsQuery', select, event: 'order' })).toMatchObject({
    results: [['order', 12.5, 7]],
  })
  const series = [{ kind: 'EventsNode', event: 'order', math: 'sum', math_property: 'total' }]
  expect(await ask({ kind: 'TrendsQuery', series, dateRange: { date_from: '-1d' } })).toMatchObject({
    results: [{ label: expect.any(String), count: 12.5 }],
  })
  expect(
    await ask({ kind: 'FunnelsQuery', series: [...series, { kind: 'EventsNode', event: 'gone' }] }),
  ).toMatchObject({
    results: [{ count: 1 }, { count: 0 }],
  })
  expect(await askPosthogApi(tilth, '/session_recordings/')).toMatchObject({ code: 'not_found' })
}

const visitors = Array.from({ length: 50 }, (_, n) => `visitor-${n}`)

test('a server decides from afar and by itself, the same, and hears of changes', async () => {
  const tilth = await anOwnedTilth()
  await createFlag(tilth, { key: 'cta', payloads: { true: '{"a":1}' } })
  await createFlag(tilth, { key: 'colour', kind: 'variants', variants: colours, payloads: { red: '"#f00"' } })
  await createFlag(tilth, { key: 'pros', set: { conditions: [proPlan], percentage: 40 } })
  await createFlag(tilth, {
    key: 'after',
    set: { conditions: [{ type: 'flag', flag: 'colour', value: 'red' }] },
  })
  await createFlag(tilth, {
    key: 'teams',
    bucketBy: { by: 'group', group: 'company' },
    set: { percentage: 50 },
  })
  const seats = { type: 'person', key: 'seats', operator: 'gte', value: 5 }
  const joined = { type: 'person', key: 'joined', operator: 'is_date_before', value: '2026-11-01' }
  const app = { type: 'person', key: 'app', operator: 'semver_gte', value: '1.2.0' }
  await createFlag(tilth, { key: 'compared', set: { conditions: [seats, joined, app], percentage: 60 } })
  const range = { type: 'person', key: 'seats', operator: 'between', value: [1, 20] }
  await createFlag(tilth, { key: 'range', set: { conditions: [range] } })
  await createFlag(tilth, { key: 'pages', servedTo: 'browsers' })
  await createFlag(tilth, {
    key: 'limits',
    kind: 'config',
    payloads: { true: '{"rows":10}' },
    setting: { conditions: [] },
  })
  await createFlag(tilth, {
    key: 'secret',
    kind: 'config',
    isSecret: true,
    servedTo: 'servers',
    payloads: { true: '{"token":"s3cr3t"}' },
    setting: { conditions: [] },
  })
  await callApi(tilth, 'POST', '/environments', { name: 'staging', writeKey: 'phc_staging_key' })

  const remote = aClient(tilth)
  const local = aClient(tilth, { personalApiKey: secret, featureFlagsPollingInterval: 100 })
  await local.client.waitForLocalEvaluationReady()

  const personProperties = { plan: 'pro', seats: '12', joined: '2026-10-01', app: '1.10.0' }
  const asked = { personProperties, groups: { company: 'acme' } }
  const keys = ['cta', 'colour', 'pros', 'after', 'teams', 'limits', 'compared']
  const seen = new Set<string>()
  for (const visitor of visitors) {
    const there = await remote.client.getAllFlags(visitor, asked)
    const here = await local.client.getAllFlags(visitor, { ...asked, onlyEvaluateLocally: true })
    expect(Object.keys(there).toSorted()).toEqual([...keys, 'range'].toSorted())
    expect([visitor, there['range'], here['range']]).toEqual([visitor, true, undefined])
    for (const one of keys) expect([visitor, one, here[one]]).toEqual([visitor, one, there[one]])
    seen.add(JSON.stringify(there))
  }
  expect(seen.size).toBeGreaterThan(3)
  expect(local.asked('/flags/')).toEqual([])

  expect(await remote.client.getFeatureFlagPayload('cta', 'visitor-1')).toEqual({ a: 1 })
  expect(await local.client.getFeatureFlagPayload('cta', 'visitor-1')).toEqual({ a: 1 })
  expect(await local.client.getRemoteConfigPayload('limits')).toEqual({ rows: 10 })
  expect(await local.client.getRemoteConfigPayload('secret')).toEqual({ token: 's3cr3t' })

  await expect.poll(() => local.asked('/flags/definitions')).toContain(304)
  await switchFlag(tilth, 'cta', false)
  await expect
    .poll(() => local.client.isFeatureEnabled('cta', 'visitor-1', { onlyEvaluateLocally: true }))
    .toBe(false)
  expect(await remote.client.isFeatureEnabled('cta', 'visitor-1')).toBe(false)
  expect([...remote.problems, ...local.problems]).toEqual([])

  await expectReadBack(tilth, remote.client)

  const staging = aClient(tilth, {}, 'phc_staging_key')
  expect(await staging.client.isFeatureEnabled('pros', 'visitor-1', asked)).toBe(false)

  const wrong = aClient(tilth, { personalApiKey: 'of nobody', featureFlagsPollingInterval: 100 })
  await expect.poll(() => wrong.asked('/flags/definitions')).toContain(401)
  // flags that cannot be decided here are requested
  expect(await wrong.client.getFeatureFlag('limits', 'visitor-1')).toBe(true)
})
