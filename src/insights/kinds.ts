import type { AnyKind } from './kind'
import { breakdownKind } from './kinds/breakdown/breakdown'
import { correlationKind } from './kinds/correlation/correlation'
import { exposuresKind } from './kinds/exposures/exposures'
import { funnelKind } from './kinds/funnel/funnel'
import { ledKind } from './kinds/led/led'
import { lifecycleKind } from './kinds/lifecycle/lifecycle'
import { readingKind } from './kinds/reading/reading'
import { retentionKind } from './kinds/retention/retention'
import { seenKind } from './kinds/seen/seen'
import { sqlKind } from './kinds/sql/sql'
import { sidesKind } from './kinds/sides/sides'
import { stickinessKind } from './kinds/stickiness/stickiness'
import { pathsKind } from './kinds/paths/paths'
import { totalsKind } from './kinds/totals/totals'
import { trialKind } from './kinds/trial/trial'
import { trendKind } from './kinds/trend/trend'
import { vitalsKind } from './kinds/vitals/vitals'

/** Every kind of question. A new one is a folder in `kinds` and a line here. */
export const kinds = {
  trend: trendKind,
  funnel: funnelKind,
  correlation: correlationKind,
  totals: totalsKind,
  breakdown: breakdownKind,
  lifecycle: lifecycleKind,
  retention: retentionKind,
  stickiness: stickinessKind,
  paths: pathsKind,
  vitals: vitalsKind,
  exposures: exposuresKind,
  sides: sidesKind,
  reading: readingKind,
  led: ledKind,
  trial: trialKind,
  seen: seenKind,
  sql: sqlKind,
} as const satisfies Record<string, AnyKind>

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds).filter(isKindName)

export function isKindName(name: unknown): name is KindName {
  return typeof name === 'string' && Object.hasOwn(kinds, name)
}
