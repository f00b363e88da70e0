import { compileFlags } from '#flags/compile'
import { decideAll } from '#flags/internal/decide'
import type { EvaluationContext } from '#flags/decision'
import { type Condition, type ConditionSet, type Flag, mainEnvironment } from '#flags/flag'
import { aFlag, aVariant, inProduction } from '#test/random/random-flags'
import { type Finding, perSecond, quantile } from './report'

const plans = ['free', 'pro', 'business', 'enterprise']
const countries = ['DE', 'FR', 'US', 'JP', 'BR']

/** Five conditions of the usual kinds, which hold for some of those who come. */
const conditionsOf = (n: number): Condition[] => [
  { type: 'person', key: 'plan', operator: 'exact', value: [plans[n % 4] ?? '', plans[(n + 1) % 4] ?? ''] },
  { type: 'person', key: '$geoip_country_code', operator: 'is_not', value: [countries[n % 5] ?? ''] },
  { type: 'person', key: 'email', operator: 'icontains', value: '@example.com' },
  { type: 'person', key: 'seats', operator: 'gte', value: n % 20 },
  { type: 'person', key: 'app_version', operator: 'semver_gte', value: '1.4.0' },
]

/** The five in one set, or each in a set of its own; every other flag with three variants. */
const busyFlags = (count: number): Flag[] =>
  Array.from({ length: count }, (_, n) =>
    aFlag({
      id: n + 1,
      key: `flag-${n}`,
      variants:
        n % 2 === 0 ? [] : [aVariant('control', 33.33), aVariant('one', 33.33), aVariant('two', 33.34)],
      environments: inProduction(...setsOf(n)),
    }),
  )

const setsOf = (n: number): Partial<ConditionSet>[] =>
  n % 4 < 2
    ? [{ conditions: conditionsOf(n), percentage: 50 }]
    : conditionsOf(n).map((one) => ({ conditions: [one], percentage: 20 }))

const now = new Date('2026-11-21T12:00:00Z')

const visitors: EvaluationContext[] = Array.from({ length: 1000 }, (_, n) => ({
  distinctId: `visitor-${n}`,
  deviceId: undefined,
  anonymousId: undefined,
  groups: {},
  person: {
    properties: {
      plan: plans[n % 4] ?? '',
      $geoip_country_code: countries[n % 5] ?? '',
      email: n % 3 === 0 ? `someone-${n}@example.com` : `someone-${n}@other.org`,
      seats: n % 30,
      app_version: `1.${n % 9}.0`,
    },
    isAll: true,
  },
  groupProperties: {},
  isIn: () => false,
  keptIds: {},
  now,
}))

const flags = 100
/** The first warms up. */
const rounds = 9

/** In seconds, of all threads: what others do on the machine counts as little as can be. */
function processor(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/** The number of flags, of 100 with five conditions each, that one thread decides in a second. */
export function decisionsInMemory(): Finding {
  const compiled = compileFlags(busyFlags(flags), mainEnvironment)
  const decideForAll = (): number =>
    visitors.reduce((sum, visitor) => sum + decideAll(compiled, visitor, { asks: 'server' }).length, 0)
  const speeds = Array.from({ length: rounds }, () => {
    const before = processor()
    const decided = decideForAll() + decideForAll() + decideForAll() + decideForAll()
    return decided / (processor() - before)
  })
  const decisions = quantile(speeds.slice(1), 0.5)
  return {
    what: 'decisions in memory, 100 flags of 5 conditions',
    measured: perSecond(decisions),
    beside: `all of them for ${perSecond(decisions / flags)} visitors`,
  }
}
