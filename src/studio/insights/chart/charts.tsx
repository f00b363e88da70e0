import { createElement, type FC } from 'react'
import type { ChartProps } from '#insights/chart/chart-settings'
import type { AnswerTable } from '#insights/kind'
import type { BaseQuery } from '#insights/scope'
import { BreakdownChart } from '../kinds/breakdown/Chart'
import { CorrelationChart } from '../kinds/correlation/Chart'
import { FunnelChart } from '../kinds/funnel/Chart'
import { LifecycleChart } from '../kinds/lifecycle/Chart'
import { PathsChart } from '../kinds/paths/Chart'
import { RetentionChart } from '../kinds/retention/Chart'
import { SqlChart } from '../kinds/sql/Chart'
import { StickinessChart } from '../kinds/stickiness/Chart'
import { TotalsChart } from '../kinds/totals/Chart'
import { TrendChart } from '../kinds/trend/Chart'
import { AnswerTableView } from './AnswerTableView'

/** The chart of each kind. A kind without an entry is shown as a table. */
const charts = {
  trend: chartOf(TrendChart),
  funnel: chartOf(FunnelChart),
  correlation: chartOf(CorrelationChart),
  retention: chartOf(RetentionChart),
  paths: chartOf(PathsChart),
  lifecycle: chartOf(LifecycleChart),
  stickiness: chartOf(StickinessChart),
  breakdown: chartOf(BreakdownChart),
  totals: chartOf(TotalsChart),
  sql: chartOf(SqlChart),
}

type AnyChart = FC<ChartProps<unknown, unknown>>

/** Erases the types: `InsightChart` renders a chart only with answers of its kind. */
function chartOf<Query, Answer>(chart: FC<ChartProps<Query, Answer>>): AnyChart {
  // a question contains its kind, and an answer comes with its question
  return chart as AnyChart
}

type InsightChartProps = Omit<ChartProps<unknown, unknown>, 'query' | 'answer'> & {
  answered: { question: BaseQuery; answer: unknown; table: AnswerTable }
}

/** Draws the answer to a question of any kind. */
export function InsightChart({ answered: { question, answer, table }, title, ...rest }: InsightChartProps) {
  const chart = chartFor(kindOfQuery(question))
  if (chart) return createElement(chart, { ...rest, title, query: question, answer })
  return <AnswerTableView table={table} title={title ?? 'Answer'} settings={rest.settings} />
}

/** Returns the kind of a question. */
export const kindOfQuery = (query: object): string =>
  'kind' in query && typeof query.kind === 'string' ? query.kind : ''

const byKind = new Map<string, AnyChart>(Object.entries(charts))
const chartFor = (kind: string): AnyChart | undefined => byKind.get(kind)
