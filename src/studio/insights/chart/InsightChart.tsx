import type { AnsweredQuery, KindName } from '#insights/answered-query'
import type { ChartProps } from '#insights/chart-settings'
import { kindViews } from '../kinds'
import { AnswerTableView } from './AnswerTableView'

type InsightChartProps<Kind extends KindName> = Omit<
  ChartProps<unknown, unknown>,
  'query' | 'answer' | 'approximate'
> & {
  answered: Pick<AnsweredQuery<Kind>, 'question' | 'answer' | 'table' | 'approximate'>
}

/** Draws the answer to a query of any kind. */
export async function InsightChart({ answered, ...rest }: InsightChartProps<KindName>) {
  return await drawnAs(answered.question.kind, { answered, ...rest })
}

async function drawnAs<Kind extends KindName>(
  kind: Kind,
  { answered: { question, answer, table, approximate }, title, ...rest }: InsightChartProps<Kind>,
) {
  const Chart = await kindViews[kind]?.chart()
  if (Chart)
    return <Chart {...rest} title={title} query={question} answer={answer} approximate={approximate} />
  return <AnswerTableView table={table} title={title ?? 'Answer'} settings={rest.settings} />
}
