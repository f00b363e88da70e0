import { FlagDecider } from '#flags/flag-decider'
import type { Flag } from '#flags/flag'
import { fixedDefinitions } from '#test/product/fixed-definitions'
import { aFlag, aVariant, inProduction } from '#test/random/random-flags'
import { Counts } from '#ingest/counts'
import type { IngestContext } from '#ingest/prepare'
import { EventQuota } from '#ingest/quota'
import { Salts } from '#ingest/salts'
import { SessionCache } from '#ingest/sessions'
import { compileIngestRules, defaultIngestSettings } from '#ingest/settings'
import { Visits } from '#visits/visits'
import { realWorld } from '#world/world'
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

async function aContext(): Promise<IngestContext> {
  const rules = compileIngestRules(defaultIngestSettings)
  const nowhere = { load: async () => undefined, save: async () => {} }
  return {
    world: realWorld,
    places: { find: () => undefined },
    salts: await Salts.open(realWorld, nowhere, fail),
    sessions: new SessionCache(),
    counts: new Counts(),
    quota: new EventQuota(realWorld),
    surveys: { objectionTo: () => undefined },
    rulesOf: () => rules,
  }
}

async function someVisits(): Promise<Visits> {
  const definitions = await fixedDefinitions(Array.from({ length: flags }, (_, n) => flagOf(n)))
  const nobody = async () => fail(new Error('Nobody may be looked up.'))
  const lookups = { person: nobody, group: nobody, members: nobody, keptIds: nobody, keepIds: nobody }
  return new Visits({
    definitions,
    decider: new FlagDecider({ definitions, lookups, world: realWorld, fail }),
    ingestContext: await aContext(),
    trialsOf: () => [{ key: 'post-1-1', variants: [{ key: 'a' }, { key: 'b' }] }],
    applyPreview: () => undefined,
  })
}

/** The cost of every page before it is looked up, and of pages that show a decision. */
export async function beginningVisits(): Promise<Finding[]> {
  const visits = await someVisits()
  return [
    measureBeginning(visits, { what: 'beginning a visit: who it is', decides: false }),
    measureBeginning(visits, { what: `the same, with ${flags} flags and a trial`, decides: true }),
  ]
}

function measureBeginning(visits: Visits, { what, decides }: { what: string; decides: boolean }): Finding {
  const took: number[] = []
  for (let n = 0; n < rounds; n++) {
    const began = performance.now()
    const { visit } = visits.begin({
      projectId: 1,
      visitors: 'daily',
      host: 'example.com',
      address: `10.${n % 200}.${n % 251}.7`,
      headers: { 'user-agent': userAgent },
      receivedAt: new Date(),
    })
    if (decides && Object.keys(visit.decisions).length === 0) throw new Error('Nothing was decided.')
    if (n >= rounds / 10) took.push(performance.now() - began)
  }
  const µs = (q: number): string => `${(quantile(took, q) * 1000).toFixed(0)} µs`
  return {
    what,
    measured: `p50 ${µs(0.5)}, p99 ${µs(0.99)}`,
    beside: 'hoped for: under a millisecond',
  }
}
