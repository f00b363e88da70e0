import * as fc from 'fast-check'
import { PostHog } from 'posthog-node'
import { afterEach, expect, test, vi } from 'vitest'
import vectors from '#test/vectors/flag-operators.json' with { type: 'json' }
import {
  aFlag,
  aVariant,
  cohortRules,
  inProduction,
  now,
  randomFlags,
  type RandomPerson,
  randomPerson,
  somebody,
  withPersonProperties,
} from '#test/random/random-flags'
import type { Json } from '#events/event'
import { testSeed } from '#test/random/chance'
import { compileFlags } from './compile'
import { decideAll, decideOne } from './internal/decide'
import { FlagDecider, type VisitorDataSource } from './flag-decider'
import { FlagDefinitions } from './definitions'
import { type Flag, mainEnvironment } from './flag'
import { definitionsFor, fromPosthog, type PosthogDefinitions, toPosthog } from './posthog-form'

afterEach(() => void vi.useRealTimers())

/** posthog-node reads relative dates on this clock. */
const setClock = (at: Date): void => void vi.useFakeTimers({ toFake: ['Date'], now: at })

/** Makes posthog-node with our definitions, and without a server to ask. */
async function posthogNode(definitions: PosthogDefinitions) {
  const body = JSON.stringify(definitions)
  const troubles: string[] = []
  const client = new PostHog('phc_test', {
    host: 'http://localhost:1',
    personalApiKey: 'phx_test',
    featureFlagsPollingInterval: 3_600_000,
    flushInterval: 0,
    fetch: async (url: string) => {
      if (!url.includes('/flags/definitions')) throw new Error(`posthog-node asked ${url}`)
      return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } })
    },
  })
  client.on('error', (error: unknown) => troubles.push(String(error)))
  await client.reloadFeatureFlags()
  return { client, troubles }
}

/** Makes our server, which knows the stored properties of the next visitor. */
async function ourServer(flags: readonly Flag[]) {
  let next: RandomPerson | undefined
  let at = now.getTime()
  // each asks long after the one before, so that nothing is remembered of them
  const world = { now: () => new Date((at += 60_000)), random: (bytes: number) => new Uint8Array(bytes) }
  const fail = (error: unknown) => {
    throw error
  }
  const definitions = new FlagDefinitions({
    load: async () => ({ flags, cohorts: new Map([[1, cohortRules]]), projects: [], environments: [] }),
    onChange: () => () => {},
    snapshotFile: undefined,
    fail,
  })
  await definitions.open()
  const lookups: VisitorDataSource = {
    person: async (_, id) => ({ id, properties: next?.stored ?? {} }),
    group: async (_, type) => (type === 'company' ? (next?.company ?? {}) : {}),
    members: async (_, cohort) => new Set(cohort === '9' ? ['ana', 'ünïcode'] : []),
    keptIds: async () => ({}),
    keepIds: async () => {},
  }
  const deciding = new FlagDecider({ definitions, lookups, world, fail })
  await deciding.refreshCohorts()
  return async ({ ...person }: RandomPerson) => {
    next = person
    const { distinctId, deviceId, groups, sent: personProperties } = person
    const asked = { distinctId, deviceId, groups, personProperties, asks: 'server', now } as const
    const { decisions, isComplete } = await deciding.decide(1, mainEnvironment, asked)
    expect(isComplete).toBe(true)
    return decisions
  }
}

async function asDecidedLocally(
  client: PostHog,
  { distinctId, deviceId, groups, sent, company }: RandomPerson,
) {
  return await client.getAllFlags(distinctId, {
    groups,
    personProperties: { ...sent, ...(deviceId !== undefined && { $device_id: deviceId }) },
    groupProperties: { company } as unknown as Record<string, Record<string, string>>,
    onlyEvaluateLocally: true,
  })
}

function pairsOf(count: { flags: number; people: number }) {
  return {
    seed: testSeed,
    flags: randomFlags(count.flags, testSeed),
    people: fc.sample(randomPerson, { numRuns: count.people, seed: testSeed }),
  }
}

/** Returns the disagreements between posthog-node, which decides by itself, and our server. */
async function compared({ seed, flags, people }: ReturnType<typeof pairsOf>, given: PosthogDefinitions) {
  setClock(now)
  const { client } = await posthogNode(given)
  const decide = await ourServer(flags)
  const disagreements: string[] = []
  let decidedLocally = 0
  for (const person of people) {
    const local = await asDecidedLocally(client, person)
    for (const { flag, value, reason } of await decide(person)) {
      const posthogValue = local[flag.key]
      if (posthogValue === undefined) continue
      decidedLocally++
      if (posthogValue !== value)
        disagreements.push(JSON.stringify({ seed, ours: value, reason, theirs: posthogValue, person, flag }))
    }
  }
  await client.shutdown()
  return { disagreements, decidedLocally }
}

test('posthog-node comes to our answer for 100,000 pairs of flags and people, or asks us', async () => {
  const pairs = pairsOf({ flags: 200, people: 500 })
  const given = definitionsFor(pairs.flags, mainEnvironment, cohortRules)
  const { disagreements, decidedLocally } = await compared(pairs, given)
  expect(disagreements.slice(0, 3)).toEqual([])
  expect(decidedLocally).toBeGreaterThan((pairs.flags.length * pairs.people.length) / 3)
})

test('posthog-node would come to other answers if it had to decide every flag by itself', async () => {
  const pairs = pairsOf({ flags: 200, people: 100 })
  const careful = definitionsFor(pairs.flags, mainEnvironment, cohortRules)
  const careless = pairs.flags.map((flag) => ({
    ...toPosthog(flag, mainEnvironment, { 0: 'company', 1: 'team' }),
    ensure_experience_continuity: false,
  }))
  const { disagreements } = await compared(pairs, { ...careful, flags: careless })
  expect(disagreements).not.toEqual([])
})

test('who is let in and what they get is the same for a thousand ids of PostHog’s own cases', async () => {
  const variants = [
    aVariant('first-variant', 50),
    aVariant('second-variant', 20),
    aVariant('third-variant', 20),
    aVariant('fourth-variant', 5),
    aVariant('fifth-variant', 5),
  ]
  const flags = [
    aFlag({ key: 'simple-flag', environments: inProduction({ percentage: 45 }) }),
    aFlag({ key: 'multivariate-flag', variants, environments: inProduction({ percentage: 55 }) }),
  ]
  const { client, troubles } = await posthogNode(definitionsFor(flags, mainEnvironment))
  const compiled = compileFlags(flags, mainEnvironment)
  for (let i = 0; i < 1000; i++) {
    const distinctId = `distinct_id_${i}`
    const ours = decideAll(compiled, somebody({ distinctId, now }), { asks: 'server' })
    const local = await client.getAllFlags(distinctId, { onlyEvaluateLocally: true })
    expect(Object.fromEntries(ours.map(({ flag, value }) => [flag.key, value]))).toEqual(local)
  }
  await client.shutdown()
  expect(troubles).toEqual([])
})

interface VectorCase {
  filter: { key: string; operator?: string; value?: Json }
  properties: Record<string, Json>
  expected: boolean | 'inconclusive'
  now?: string
}

/** Python's dates and times, which here are texts. */
function plain(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return value['$date'] ?? value['$datetime'] ?? value
}

// the file is wider than what TypeScript makes of it: its properties differ from case to case
const cases = (vectors.match_property as unknown as VectorCase[]).map((one, index) => ({
  ...one,
  key: `case-${index}`,
  properties: Object.fromEntries(Object.entries(one.properties).map(([name, value]) => [name, plain(value)])),
}))

/** Each case as a flag, as PostHog's API gives it. */
const caseFlags = cases.map(({ key, filter }, index) => {
  const properties = [{ ...filter, type: 'person' }]
  const read = fromPosthog({ key, filters: { groups: [{ properties }] } }, mainEnvironment, {})
  if (!read.done) throw new Error(`${key}: ${read.problems.map(({ message }) => message).join(' ')}`)
  return aFlag({ ...read.value, id: index + 1 })
})

/** Returns the decision of our server, which knows everything about the visitor. */
function decidedHere(key: string, properties: Record<string, Json>, at: Date) {
  const compiled = compileFlags(caseFlags, mainEnvironment)
  return decideOne(compiled, key, somebody({ ...withPersonProperties(properties), now: at }))?.value
}

/** posthog-node and PostHog's server say that null is set; the cases are of the Python SDK, which does not. */
const isNullSet = ({ filter, properties }: VectorCase): boolean =>
  filter.operator === 'is_set' && properties[filter.key] === null

test('in every case of PostHog’s, posthog-node decides as expected by itself, or leaves it to us', async () => {
  const { client, troubles } = await posthogNode(definitionsFor(caseFlags, mainEnvironment))
  const told = cases.filter((one) => !isNullSet(one))
  expect(told).toHaveLength(155)
  const disagreements: unknown[] = []
  let decidedLocally = 0
  for (const { key, properties, filter, expected, now: frozen } of told) {
    const at = frozen ? new Date(frozen) : now
    setClock(at)
    const local = await client.getFeatureFlag(key, 'ana', {
      personProperties: properties,
      onlyEvaluateLocally: true,
      sendFeatureFlagEvents: false,
    })
    const here = decidedHere(key, properties, at)
    if (local !== undefined) decidedLocally++
    // the server evaluates a flag that the SDK leaves open, or it says no
    const wanted = expected === 'inconclusive' ? here : expected
    if (here !== wanted || (local ?? wanted) !== wanted)
      disagreements.push({ filter, properties, expected, local, here })
  }
  await client.shutdown()
  expect(disagreements).toEqual([])
  expect(decidedLocally).toBeGreaterThan(120)
  expect(troubles).toEqual([])
})
