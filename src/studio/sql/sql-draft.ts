import { isSqlChartType, type SqlChartType } from '#studio/insights/kinds/sql/chart-type'
import { queryFrom, queryText } from '#insights/text/query-text'

/** The content of the editor, as addresses and the browser's storage contain it. */
export interface SqlDraft {
  text: string
  period: string
  chart: SqlChartType
}

export const usualPeriod = '30d'

export const hasPeriod = (text: string): boolean => /\{\{\s*(from|until)\s*\}\}/.test(text)

export const draftText = ({ text, period, chart }: SqlDraft): string =>
  queryText({
    text,
    ...(period !== usualPeriod && hasPeriod(text) && { period }),
    ...(chart !== 'table' && { chart }),
  })

/** Reads a draft from an address or the browser's storage; both may be invalid. */
export function draftFrom(text: string | undefined): SqlDraft | undefined {
  const found = queryFrom(text)
  if (typeof found !== 'object' || found === null || !('text' in found)) return undefined
  const period = 'period' in found && typeof found.period === 'string' ? found.period : usualPeriod
  const chart = 'chart' in found && isSqlChartType(found.chart) ? found.chart : 'table'
  return typeof found.text === 'string' ? { text: found.text, period, chart } : undefined
}
