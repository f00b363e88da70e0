import { PostHog, type PostHogOptions } from 'posthog-node'
import { expect, onTestFinished, test } from 'vitest'
import type { RunningTestTilth } from '../start/tilth'
import { callApi, colours, createFlag, proPlan, switchFlag } from './flag-making'
import { anOwnedTilth, key, secret } from './tilth-fixture'

/** What the client asked for, and what it was answered. */
type Exchange = [path: string, status: number]

function aClient({ address }: RunningTestTilth, options: PostHogOptions = {}, projectKey = key) {
  const exchanges: Exchange[] = []
  const client = new PostHog(projectKey, {
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

  const asked = { personProperties: { plan: 'pro' }, groups: { company: 'acme' } }
  const keys = ['cta', 'colour', 'pros', 'after', 'teams', 'limits']
  const seen = new Set<string>()
  for (const visitor of visitors) {
    const there = await remote.client.getAllFlags(visitor, asked)
    const here = await local.client.getAllFlags(visitor, { ...asked, onlyEvaluateLocally: true })
    expect(Object.keys(there).toSorted()).toEqual(keys.toSorted())
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

  const staging = aClient(tilth, {}, 'phc_staging_key')
  expect(await staging.client.isFeatureEnabled('pros', 'visitor-1', asked)).toBe(false)

  const wrong = aClient(tilth, { personalApiKey: 'of nobody', featureFlagsPollingInterval: 100 })
  await expect.poll(() => wrong.asked('/flags/definitions')).toContain(401)
  // what cannot be decided here is asked for
  expect(await wrong.client.getFeatureFlag('limits', 'visitor-1')).toBe(true)
})
