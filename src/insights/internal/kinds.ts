import type { KindName } from '../answered-query'
import type { DefinedKind } from '../kind'
import type { BaseQuery } from '../scope'
import { breakdownKind } from '../kinds/breakdown/breakdown'
import { correlationKind } from '../kinds/correlation/correlation'
import { experimentKind } from '../kinds/experiment/experiment'
import { experimentExposuresKind } from '../kinds/experiment-exposures/experiment-exposures'
import { exposuresKind } from '../kinds/exposures/exposures'
import { funnelKind } from '../kinds/funnel/funnel'
import { attributionKind } from '../kinds/attribution/attribution'
import { goalsKind } from '../kinds/goals/goals'
import { lifecycleKind } from '../kinds/lifecycle/lifecycle'
import { readingKind } from '../kinds/reading/reading'
import { retentionKind } from '../kinds/retention/retention'
import { clientCoverageKind } from '../kinds/client-coverage/client-coverage'
import { sqlKind } from '../kinds/sql/sql'
import { guardMetricKind } from '../kinds/guard-metric/guard-metric'
import { stickinessKind } from '../kinds/stickiness/stickiness'
import { surveyKind } from '../kinds/survey/survey'
import { pathsKind } from '../kinds/paths/paths'
import { totalsKind } from '../kinds/totals/totals'
import { trialKind } from '../kinds/trial/trial'
import { trendKind } from '../kinds/trend/trend'
import { vitalsKind } from '../kinds/vitals/vitals'

/** Every kind of query. A new one is a folder in `kinds` and a line here. */
export const kinds = {
  trend: trendKind,
  funnel: funnelKind,
  correlation: correlationKind,
  totals: totalsKind,
  breakdown: breakdownKind,
  goals: goalsKind,
  lifecycle: lifecycleKind,
  retention: retentionKind,
  stickiness: stickinessKind,
  paths: pathsKind,
  vitals: vitalsKind,
  exposures: exposuresKind,
  'guard-metric': guardMetricKind,
  reading: readingKind,
  attribution: attributionKind,
  trial: trialKind,
  'client-coverage': clientCoverageKind,
  survey: surveyKind,
  experiment: experimentKind,
  'experiment-exposures': experimentExposuresKind,
  sql: sqlKind,
} as const satisfies Record<string, DefinedKind<BaseQuery, unknown>>

export const kindNames = Object.keys(kinds).filter(isKindName)

/** Kinds that had another name in earlier versions: saved queries and API clients may still use it. */
export const earlierNames: Readonly<Record<string, KindName>> = {
  led: 'attribution',
  seen: 'client-coverage',
  sides: 'guard-metric',
}

/** Returns the query under the current name of its kind. */
export function withCurrentKind(input: { kind: unknown }): { kind: unknown } {
  const { kind } = input
  return typeof kind === 'string' && Object.hasOwn(earlierNames, kind)
    ? { ...input, kind: earlierNames[kind] }
    : input
}

export function isKindName(name: unknown): name is KindName {
  return typeof name === 'string' && Object.hasOwn(kinds, name)
}
