import { Deciding } from '../src/flags/deciding'
import { Definitions } from '../src/flags/definitions'
import type { Flag } from '../src/flags/flag'
import { aFlag, aVariant, inProduction } from '../test/random-flags'
import { Counts } from '../src/ingest/counts'
import type { House } from '../src/ingest/prepare'
import { Quota } from '../src/ingest/quota'
import { Salts } from '../src/ingest/salts'
import { SessionMemory } from '../src/ingest/sessions'
import { rulesOf, usualIngestSettings } from '../src/ingest/settings'
import { Visits } from '../src/visits/visits'
import { realWorld } from '../src/world/world'
import { type Finding, quantile } from './report'
import { userAgent } from './senders'

const flags = 20
const rounds = 200_000

const fail = (problem: unknown): never => {
  throw problem
}

const flagOf = (n: number): Flag =>
  aFlag({
    id: n,
    key: `flag-${n}`,
    variants: n % 2 === 0 ? [aVariant('control', 50), aVariant('test', 50)] : [],
    environments: inProduction({ percentage: 60 }),
  })

async function aHouse(): Promise<House> {
  const rules = rulesOf(usualIngestSettings)
  const nowhere = { load: async () => undefined, save: async () => {} }
  return {
    world: realWorld,
    places: { at: () => undefined, readyFor: () => undefined },
    salts: await Salts.open(realWorld, nowhere, fail),
    sessions: new SessionMemory(),
    counts: new Counts(),
    quota: new Quota(realWorld),
    rulesOf: () => rules,
  }
}

async function someVisits(): Promise<Visits> {
  const loaded = {
    flags: Array.from({ length: flags }, (_, n) => flagOf(n)),
    cohorts: new Map(),
    projects: [],
    environments: [],
  }
  const definitions = new Definitions({
    load: async () => loaded,
    onChange: () => () => {},
    snapshotFile: undefined,
    fail,
  })
  await definitions.open()
  const nobody = async () => fail(new Error('Nobody may be looked up.'))
  const lookups = { person: nobody, group: nobody, members: nobody, keptIds: nobody, keepIds: nobody }
  return new Visits({
    definitions,
    deciding: new Deciding({ definitions, lookups, world: realWorld, fail }),
    house: await aHouse(),
    trialsOf: () => [{ key: 'post-1-1', variants: [{ key: 'a' }, { key: 'b' }] }],
    tryOut: () => undefined,
  })
}

/** What every page costs before it is looked up. */
export async function beginningVisits(): Promise<Finding> {
  const visits = await someVisits()
  const took: number[] = []
  for (let n = 0; n < rounds; n++) {
    const began = performance.now()
    visits.begin({
      projectId: 1,
      visitors: 'daily',
      host: 'example.com',
      address: `10.${n % 200}.${n % 251}.7`,
      headers: { 'user-agent': userAgent },
      receivedAt: new Date(),
    })
    if (n >= rounds / 10) took.push(performance.now() - began)
  }
  const µs = (q: number): string => `${(quantile(took, q) * 1000).toFixed(0)} µs`
  return {
    what: `beginning a visit: who it is, ${flags} flags and a trial`,
    measured: `p50 ${µs(0.5)}, p99 ${µs(0.99)}`,
    beside: 'hoped for: under a millisecond',
  }
}
