import { estimateText, valueWords } from './estimate-words'
import type { ExperimentReport, MetricComparison, MetricReport } from './report'
import { readingText } from './result-tables'

/** The part of a result that its rows are made of. */
export interface MetricRows {
  report?: Pick<ExperimentReport, 'metrics'> | undefined
}

/** A row for each metric and variant; the control first, without an effect. */
export const metricRows = ({ report }: MetricRows): string[][] =>
  (report?.metrics ?? []).flatMap((metric) =>
    metric.values.map(({ variant, value }) => {
      const comparison = metric.comparisons.find((one) => one.variant === variant)
      return [
        metric.name,
        variant,
        valueWords(value, metric),
        effectText(metric, comparison),
        readingText(comparison),
      ]
    }),
  )

function effectText(metric: MetricReport, comparison: MetricComparison | undefined): string {
  if (comparison?.state !== 'estimated') return '–'
  const { relative, absolute } = comparison.adjusted ?? comparison
  return estimateText(relative ?? absolute, metric, { scale: relative ? 'relative' : 'absolute' })
}
