import type { AnswerCell, AnswerTable } from '#insights/kind'
import type { CoursePoint, MetricCourse } from './course'
import type { ExperimentResult } from './experiment-results'
import type { EffectEstimate, MetricComparison, MetricReport, MetricValue } from './report'

interface TableField<Row> {
  name: string
  as: 'text' | 'number' | 'date'
  cell: (row: Row) => AnswerCell | undefined
}

const tableOf = <Row>(fields: readonly TableField<Row>[], rows: readonly Row[]): AnswerTable => ({
  columns: fields.map(({ name, as }) => ({ name, as })),
  rows: rows.map((row) => fields.map(({ cell }) => cell(row) ?? null)),
})

interface ResultRow {
  metric: MetricReport
  value: MetricValue
  /** None for the control. */
  comparison: MetricComparison | undefined
  /** Adjusted, where the page shows that too. */
  absolute: EffectEstimate | undefined
  relative: EffectEstimate | undefined
  advice: string
  asOf: string
}

const resultFields: readonly TableField<ResultRow>[] = [
  { name: 'metric', as: 'text', cell: ({ metric }) => metric.name },
  { name: 'role', as: 'text', cell: ({ metric }) => metric.role },
  { name: 'goal', as: 'text', cell: ({ metric }) => metric.goal },
  { name: 'variant', as: 'text', cell: ({ value }) => value.variant },
  { name: 'units', as: 'number', cell: ({ value }) => value.units },
  { name: 'value', as: 'number', cell: ({ value }) => value.value },
  { name: 'currency', as: 'text', cell: ({ metric }) => metric.currency },
  { name: 'absolute', as: 'number', cell: ({ absolute }) => absolute?.value },
  { name: 'absoluteLow', as: 'number', cell: ({ absolute }) => absolute?.low },
  { name: 'absoluteHigh', as: 'number', cell: ({ absolute }) => absolute?.high },
  { name: 'relative', as: 'number', cell: ({ relative }) => relative?.value },
  { name: 'relativeLow', as: 'number', cell: ({ relative }) => relative?.low },
  { name: 'relativeHigh', as: 'number', cell: ({ relative }) => relative?.high },
  { name: 'p', as: 'number', cell: ({ absolute }) => absolute?.p },
  { name: 'adjustedP', as: 'number', cell: ({ absolute }) => absolute?.adjustedP },
  { name: 'chance', as: 'number', cell: ({ absolute }) => absolute?.chance },
  { name: 'reading', as: 'text', cell: ({ comparison }) => readingText(comparison) },
  { name: 'advice', as: 'text', cell: ({ advice }) => advice },
  { name: 'asOf', as: 'date', cell: ({ asOf }) => asOf },
]

/** The reading of a variant, or why it has none. */
export function readingText(comparison: MetricComparison | undefined): string {
  if (!comparison) return 'control'
  return comparison.state === 'estimated' ? comparison.reading : comparison.reason
}

/** The results as a table with a row for each metric and variant, the control first; without rows before the start. */
export function resultTable({
  report,
  verdict,
  at,
}: Pick<ExperimentResult, 'report' | 'verdict' | 'at'>): AnswerTable {
  const [advice, asOf] = [verdict.advice, at.toISOString()]
  const rows = (report?.metrics ?? []).flatMap((metric) =>
    metric.values.map((value): ResultRow => {
      const comparison = metric.comparisons.find(({ variant }) => variant === value.variant)
      const estimates = comparison?.state === 'estimated' ? (comparison.adjusted ?? comparison) : undefined
      const [absolute, relative] = [estimates?.absolute, estimates?.relative]
      return { metric, value, comparison, absolute, relative, advice, asOf }
    }),
  )
  return tableOf(resultFields, rows)
}

interface CourseRow {
  metric: MetricCourse
  variant: string
  point: CoursePoint
  asOf: string
}

const courseFields: readonly TableField<CourseRow>[] = [
  { name: 'day', as: 'date', cell: ({ point }) => point.day },
  { name: 'metric', as: 'text', cell: ({ metric }) => metric.name },
  { name: 'role', as: 'text', cell: ({ metric }) => metric.role },
  { name: 'goal', as: 'text', cell: ({ metric }) => metric.goal },
  { name: 'variant', as: 'text', cell: ({ variant }) => variant },
  { name: 'units', as: 'number', cell: ({ point }) => point.units.variant },
  { name: 'value', as: 'number', cell: ({ point }) => point.values.variant },
  { name: 'currency', as: 'text', cell: ({ metric }) => metric.currency },
  { name: 'controlUnits', as: 'number', cell: ({ point }) => point.units.control },
  { name: 'controlValue', as: 'number', cell: ({ point }) => point.values.control },
  { name: 'scale', as: 'text', cell: ({ point }) => scaleOf(point) },
  { name: 'effect', as: 'number', cell: ({ point }) => point.estimate?.value },
  { name: 'low', as: 'number', cell: ({ point }) => point.estimate?.low },
  { name: 'high', as: 'number', cell: ({ point }) => point.estimate?.high },
  { name: 'p', as: 'number', cell: ({ point }) => point.estimate?.p },
  { name: 'adjustedP', as: 'number', cell: ({ point }) => point.estimate?.adjustedP },
  { name: 'chance', as: 'number', cell: ({ point }) => point.estimate?.chance },
  { name: 'reason', as: 'text', cell: ({ point }) => point.reason },
  { name: 'asOf', as: 'date', cell: ({ asOf }) => asOf },
]

const scaleOf = ({ estimate, isRelative }: CoursePoint): string | undefined =>
  estimate && (isRelative ? 'relative' : 'absolute')

/** The course as a table with a row for each day, metric and variant but the control, which stands beside each. */
export function courseTable({ course, at }: { course: readonly MetricCourse[]; at: Date }): AnswerTable {
  const asOf = at.toISOString()
  const rows = course.flatMap((metric) =>
    metric.variants.flatMap(({ variant, points }) =>
      points.map((point): CourseRow => ({ metric, variant, point, asOf })),
    ),
  )
  return tableOf(courseFields, rows)
}
