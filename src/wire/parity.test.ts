import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cohortRules, randomFlags, type RandomPerson, randomPerson } from '#test/random/random-flags'
import { createTestFlagServices } from '#test/wire/flag-services'
import { someWireServices, key } from '#test/wire/posthog-fixture'
import type { Flag } from '#flags/flag'
import { runs, testSeed } from '#test/random/chance'
import type { WireServices } from './dialect'
import { createRouteMatcher } from './route-matcher'
import { ofrep } from './ofrep/ofrep'
import { posthog } from './posthog/posthog'
import { tilth } from './tilth/tilth'

const find = createRouteMatcher([posthog, ofrep, tilth({ text: () => '' })])

/** A server's question by one of the protocols, answered. */
async function ask(services: WireServices, path: string, body: object): Promise<unknown> {
  const match = find('POST', path)
  const answer = await match?.route.respond(
    {
      method: 'POST',
      path,
      prefix: '',
      parts: {},
      query: new URLSearchParams(),
      headers: { authorization: `Bearer ${key}`, 'user-agent': 'node' },
      body: Buffer.from(JSON.stringify(body)),
      address: '198.51.100.23',
      receivedAt: new Date('2026-11-21T12:00:00Z'),
    },
    services,
  )
  expect(answer?.status).toBe(200)
  return JSON.parse(String(answer?.body))
}

/** The value of each flag, or undefined where it cannot be known. */
type Values = Record<string, boolean | string | undefined>

const flagValue = z.union([z.boolean(), z.string()])
const byPosthog = z.object({
  featureFlags: z.record(z.string(), flagValue),
  flags: z.record(z.string(), z.unknown()),
})
const byTilth = z.object({ flags: z.record(z.string(), flagValue), undecided: z.array(z.string()) })
const byOfrep = z.object({
  flags: z.array(
    z.object({
      key: z.string(),
      value: z.json().optional(),
      variant: z.string().optional(),
      errorCode: z.string().optional(),
    }),
  ),
})

function posthogValues(answer: unknown): Values {
  const { featureFlags, flags } = byPosthog.parse(answer)
  return Object.fromEntries(Object.keys(flags).map((flag) => [flag, featureFlags[flag]]))
}

function tilthValues(answer: unknown): Values {
  const { flags, undecided } = byTilth.parse(answer)
  return { ...flags, ...Object.fromEntries(undecided.map((flag) => [flag, undefined])) }
}

/** A variant by its name; on or off by the value, which is left out where the program's own default is to hold. */
const ofrepValues = (answer: unknown): Values =>
  Object.fromEntries(
    byOfrep
      .parse(answer)
      .flags.map(({ key: flag, value = false, variant, errorCode }) => [
        flag,
        errorCode === undefined ? (variant ?? value === true) : undefined,
      ]),
  )

async function askEveryWay(
  services: WireServices,
  { distinctId, deviceId, groups, stored, sent, company }: RandomPerson,
) {
  const person = { ...stored, ...sent }
  const groupProperties = { company }
  const [byPosthogs, byTilths, byOfreps] = await Promise.all([
    ask(services, '/flags', {
      token: key,
      distinct_id: distinctId,
      $device_id: deviceId,
      groups,
      person_properties: person,
      group_properties: groupProperties,
    }),
    ask(services, '/_tilth/flags', {
      key,
      distinctId,
      deviceId,
      groups,
      properties: person,
      groupProperties,
    }),
    ask(services, '/ofrep/v1/evaluate/flags', {
      context: { ...person, targetingKey: distinctId, deviceId, groups, groupProperties },
    }),
  ])
  return [posthogValues(byPosthogs), tilthValues(byTilths), ofrepValues(byOfreps)]
}

const wireServicesFor = async (flags: readonly Flag[]): Promise<WireServices> => ({
  ...(await someWireServices()),
  ...createTestFlagServices(flags, cohortRules),
})

test('100,000 pairs of flags and people get the same by every protocol', async () => {
  const flags = randomFlags(200, testSeed)
  const people = fc.sample(randomPerson, { numRuns: runs(500), seed: testSeed })
  const services = await wireServicesFor(flags)
  const seen = new Map<unknown, number>()
  let pairs = 0
  for (const person of people) {
    const [posthogs, tilths, ofreps] = await askEveryWay(services, person)
    expect({ seed: testSeed, person, values: tilths }).toStrictEqual({
      seed: testSeed,
      person,
      values: posthogs,
    })
    expect({ seed: testSeed, person, values: ofreps }).toStrictEqual({
      seed: testSeed,
      person,
      values: posthogs,
    })
    for (const one of Object.values(posthogs ?? {})) seen.set(one, (seen.get(one) ?? 0) + 1)
    pairs += Object.keys(posthogs ?? {}).length
  }
  expect(pairs).toBeGreaterThan(90_000)
  // no value is the same for all
  for (const one of [true, false, undefined]) expect(seen.get(one)).toBeGreaterThan(20)
})
