import { createElement, type FC } from 'react'
import { AnswerTableView } from './AnswerTableView'
import type { ChartProps } from './chart-ground'
import type { AnswerTable } from './kind'
import { BreakdownChart } from './kinds/breakdown/Chart'
import { CorrelationChart } from './kinds/correlation/Chart'
import { FunnelChart } from './kinds/funnel/Chart'
import { LifecycleChart } from './kinds/lifecycle/Chart'
import { PathsChart } from './kinds/paths/Chart'
import { RetentionChart } from './kinds/retention/Chart'
import { StickinessChart } from './kinds/stickiness/Chart'
import { TotalsChart } from './kinds/totals/Chart'
import { TrendChart } from './kinds/trend/Chart'
import type { Asked } from './scope'

/** How each kind is drawn. A kind without a line here is shown as the rows that every answer has. */
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
}

type AnyChart = FC<ChartProps<unknown, unknown>>

/** From here on a chart only ever meets answers to questions of its kind: see `InsightChart`. */
function chartOf<Question, Answer>(chart: FC<ChartProps<Question, Answer>>): AnyChart {
  // which kind a question is of is written in it, and an answer comes with its question
  return chart as AnyChart
}

export type InsightChartProps = Omit<ChartProps<unknown, unknown>, 'question' | 'answer'> & {
  answered: { question: Asked; answer: unknown; table: AnswerTable }
  title?: string
}

/** The answer to a question of any kind, drawn as its kind is. */
export function InsightChart({ answered: { question, answer, table }, title, ...rest }: InsightChartProps) {
  const chart = chartFor(kindOfQuestion(question))
  if (chart) return createElement(chart, { ...rest, question, answer })
  return <AnswerTableView table={table} title={title ?? 'Answer'} ground={rest.ground} />
}

/** Every question says which kind it is of. */
export const kindOfQuestion = (question: object): string =>
  'kind' in question && typeof question.kind === 'string' ? question.kind : ''

const byKind = new Map<string, AnyChart>(Object.entries(charts))
const chartFor = (kind: string): AnyChart | undefined => byKind.get(kind)
