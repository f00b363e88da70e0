import { PostHog } from 'posthog-node'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { placeAmong, sharesOf, variantBucketOf } from '#flags/bucket'
import { aTilthForAll, type RunningTestTilth } from '../start/tilth'
import { patientClient } from './posthog-server'
import { key, ownedEnvironment, secret } from './tilth-fixture'

const theTilth = aTilthForAll(ownedEnvironment)
const often = { interval: 250 }

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

const weightsShape = z.looseObject({
  state: z.string(),
  lookedAt: z.string().optional(),
  arms: z.array(z.looseObject({ units: z.number() })),
  changes: z.array(z.looseObject({ version: z.number(), weights: z.record(z.string(), z.number()) })),
})
const unitsShape = z.looseObject({
  report: z.looseObject({
    variants: z.array(z.looseObject({ units: z.number() })),
    metrics: z.array(
      z.looseObject({
        values: z.array(z.looseObject({ variant: z.string(), value: z.number().nullable() })),
      }),
    ),
  }),
})

/** The variant of an id by these weights, as every SDK computes it. */
function variantBy(weights: Readonly<Record<string, number>>, id: string): string {
  const variants = ['control', 'test'].map((name) => ({
    key: name,
    name: '',
    percentage: weights[name] ?? 0,
  }))
  return variants[placeAmong(sharesOf(variants), variantBucketOf('bandit', id))]?.key ?? ''
}

const people = Array.from({ length: 80 }, (_, i) => `visitor-${i}`)

test('posthog-node gives people the variants of the weights that a bandit moved', async () => {
  const tilth = await theTilth()
  const variants = [
    { key: 'control', percentage: 80 },
    { key: 'test', percentage: 20 },
  ]
  const environments = { production: { isOn: true, conditions: [{}] } }
  await callApi(tilth, '/flags', { key: 'bandit', kind: 'variants', variants, environments })
  const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }
  const input = { name: 'Checkout', flag: 'bandit', kind: 'bandit', metrics: [orders] }
  const bandit = { interval: 'hour', burnInUnits: 20 }
  const { id } = z
    .looseObject({ id: z.string() })
    .parse(await callApi(tilth, '/experiments', { ...input, bandit }))
  await callApi(tilth, `/experiments/${id}/start`, {})

  const weights = async () => weightsShape.parse(await callApi(tilth, `/experiments/${id}/weights`))
  // the bandit looks once when it starts, and waits for its burn-in
  await expect.poll(async () => (await weights()).lookedAt, often).toBeDefined()

  const client = new PostHog(key, { ...patientClient, host: tilth.address, flushAt: 1 })
  const even = { control: 50, test: 50 }
  // the flag reaches the wire within a second of the start
  await expect
    .poll(
      () =>
        Promise.all(
          people.map((one) => client.getFeatureFlag('bandit', one, { sendFeatureFlagEvents: false })),
        ),
      often,
    )
    .toEqual(people.map((one) => variantBy(even, one)))
  for (const one of people) {
    const variant = await client.getFeatureFlag('bandit', one)
    if (variant === 'test') client.capture({ distinctId: one, event: 'ordered' })
  }
  await client.flush()
  // the weights are made of orders as well
  await expect
    .poll(async () => {
      const { report } = unitsShape.parse(await callApi(tilth, `/experiments/${id}/results`))
      const values = report.metrics[0]?.values ?? []
      return {
        units: report.variants.reduce((sum, { units }) => sum + units, 0),
        ordered: Object.fromEntries(values.map(({ variant, value }) => [variant, value])),
      }
    }, often)
    .toEqual({ units: people.length, ordered: { control: 0, test: 1 } })

  // a bandit looks at its numbers when it is resumed
  await callApi(tilth, `/experiments/${id}/weights/pause`, {})
  await callApi(tilth, `/experiments/${id}/weights/resume`, {})
  await expect.poll(async () => (await weights()).changes.length, often).toBe(2)
  const { changes } = await weights()
  expect(changes.map((one) => one.weights)).toEqual([{ control: 5, test: 95 }, even])

  const moved = { control: 5, test: 95 }
  await expect
    .poll(
      () =>
        Promise.all(
          people.map((one) => client.getFeatureFlag('bandit', one, { sendFeatureFlagEvents: false })),
        ),
      often,
    )
    .toEqual(people.map((one) => variantBy(moved, one)))
  const late = await fetch(`${tilth.address}/flags/?v=2`, {
    method: 'POST',
    body: JSON.stringify({ token: key, distinct_id: 'late' }),
  })
  const { flags } = z
    .object({
      flags: z.record(z.string(), z.looseObject({ metadata: z.looseObject({ version: z.number() }) })),
    })
    .parse(await late.json())
  expect(flags['bandit']?.metadata.version).toBe(changes[0]?.version)
  await client.shutdown()
  await callApi(tilth, `/experiments/${id}/end`, {})
})
