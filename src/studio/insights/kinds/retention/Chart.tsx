import type { RetentionCohort, ChartPoint, Series } from '#ui/chart/chart'
import { RetentionCurve } from '#ui/chart/RetentionCurve'
import { RetentionTriangle } from '#ui/chart/RetentionTriangle'
import type { ChartProps } from '#insights/chart-settings'
import { pointsOf } from '#insights/calendar/clock'
import { breakdownValueName } from '#insights/text/breakdown-names'
import type { RetentionAnswer, RetentionSeries } from '#insights/kinds/retention/answer'
import type { RetentionQuery } from '#insights/kinds/retention/schema'
import { NothingHappened } from '../../chart/NothingHappened'

type RetentionChartProps = ChartProps<RetentionQuery, RetentionAnswer>

/** Draws the retention curve over all cohorts, and a table with a row for each. */
export function RetentionChart(chart: RetentionChartProps) {
  const { answer, query, size } = chart
  const periods = periodsOf(answer)
  if (answer.series.every(({ sizes }) => sizes.every((cohort) => cohort === 0)))
    return (
      <NothingHappened
        title="No start events in this period"
        body="Try a longer date range or another start event."
      />
    )
  return (
    <div className="chart-column flex flex-col gap-6">
      <RetentionCurve
        title="Retention"
        periods={periods}
        series={answer.series.map((series, place) => curveOf(series, place, query))}
        size={size}
      />
      {size !== 'sm' &&
        answer.series.map((series, place) => (
          <Triangle key={place} {...chart} series={series} place={place} />
        ))}
    </div>
  )
}

const periodsOf = ({ starts, interval }: RetentionAnswer): string[] =>
  starts.map((_, gap) => `${interval.charAt(0).toUpperCase()}${interval.slice(1)} ${gap}`)

const labelOf = (
  { breakdown: [value], isOthers, name }: RetentionSeries,
  { breakdown }: RetentionQuery,
): string =>
  isOthers ? 'Others' : value === undefined ? 'All' : (name ?? breakdownValueName(breakdown, value))

/** Columns of days and weeks have no space for the year. */
const labelAt = (point: ChartPoint | undefined, { interval }: RetentionAnswer): string | undefined =>
  interval === 'day' || interval === 'week' ? point?.label : point?.title

const curveOf = (series: RetentionSeries, place: number, query: RetentionQuery): Series => ({
  key: String(place),
  label: labelOf(series, query),
  values: series.mean,
  ...(series.isOthers && { colour: 'rest' as const }),
})

function Triangle({
  series,
  place,
  answer,
  query,
  settings,
  drill,
}: RetentionChartProps & { series: RetentionSeries; place: number }) {
  const labels = pointsOf(answer.starts, answer.interval, settings.timeZone)
  return (
    <section aria-label={labelOf(series, query)} className="-mx-4 min-w-0">
      {answer.series.length > 1 && <p className="mb-1 px-4 text-sm font-medium">{labelOf(series, query)}</p>}
      <RetentionTriangle
        title={`Cohorts: ${labelOf(series, query)}`}
        heads={{ cohort: 'Cohort', size: query.per === 'person' ? 'People' : 'Groups' }}
        periods={periodsOf(answer)}
        cohorts={answer.starts.map((start, cohort): RetentionCohort => {
          const counts = series.counts[cohort] ?? []
          return {
            key: start,
            label: labelAt(labels[cohort], answer) ?? start,
            size: series.sizes[cohort] ?? 0,
            counts,
            lastIsIncomplete: (answer.complete[cohort] ?? 0) < counts.length,
            hrefs: counts.map((_, interval) =>
              query.per === 'person' ? drill?.({ series: place, cohort, interval }) : undefined,
            ),
          }
        })}
      />
    </section>
  )
}
