import { ChartNoAxesColumn } from 'lucide-react'
import type { KindName, QueryByKind } from '#insights/answered-query'
import type { KindView } from './kind-view'
import { breakdownView } from './kinds/breakdown/view'
import { correlationView } from './kinds/correlation/view'
import { funnelView } from './kinds/funnel/view'
import { lifecycleView } from './kinds/lifecycle/view'
import { pathsView } from './kinds/paths/view'
import { retentionView } from './kinds/retention/view'
import { sqlView } from './kinds/sql/view'
import { stickinessView } from './kinds/stickiness/view'
import { totalsView } from './kinds/totals/view'
import { trendView } from './kinds/trend/view'

type KindViews = { readonly [Kind in KindName]: KindView<Kind> | undefined }

/** The view of each kind, in the order in which kinds are offered. Answers of a kind without one are shown as rows. */
export const kindViews: KindViews = {
  trend: trendView,
  funnel: funnelView,
  retention: retentionView,
  paths: pathsView,
  lifecycle: lifecycleView,
  stickiness: stickinessView,
  breakdown: breakdownView,
  totals: totalsView,
  correlation: correlationView,
  sql: sqlView,
  vitals: undefined,
  goals: undefined,
  exposures: undefined,
  'guard-metric': undefined,
  reading: undefined,
  attribution: undefined,
  trial: undefined,
  'client-coverage': undefined,
  survey: undefined,
  experiment: undefined,
  'experiment-exposures': undefined,
}

/** The words of a kind, where any kind may be meant. */
type KindLabels = Pick<KindView<KindName>, 'label' | 'icon' | 'asks' | 'start'>

const unknown: KindLabels = { label: 'Question', icon: ChartNoAxesColumn, asks: '' }

const viewsByName: ReadonlyMap<string, KindLabels | undefined> = new Map(Object.entries(kindViews))

export const labelsFor = (kind: string): KindLabels => viewsByName.get(kind) ?? unknown

/** Kinds that a form builds, as choices. */
export const builtKinds = Object.entries(kindViews).flatMap(([kind, view]) =>
  view?.start ? [{ kind, label: view.label, icon: view.icon, asks: view.asks }] : [],
)

/** Returns a title for a query without a name. */
export const titleFor = (query: QueryByKind[KindName]): string => titleOfKind(query.kind, query)

function titleOfKind<Kind extends KindName>(kind: Kind, query: QueryByKind[Kind]): string {
  const title = kindViews[kind]?.title(query) ?? 'Answer'
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`.slice(0, 80)
}

/** Whether the chart of a query needs a table beside it. */
export function hasTable(query: QueryByKind[KindName]): boolean {
  if ('chart' in query && ['table', 'number'].includes(query.chart)) return false
  return kindViews[query.kind]?.isTable === false
}
