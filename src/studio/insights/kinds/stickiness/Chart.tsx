import { plural } from '#ui/format'
import { BarChart } from '#ui/chart/BarChart'
import type { ChartProps } from '#insights/chart-settings'
import { comparisonWords } from '#insights/calendar/period-words'
import type { StickinessQuery } from '#insights/kinds/stickiness/schema'
import type { StickinessAnswer } from '#insights/kinds/stickiness/answer'
import { NothingHappened } from '../../chart/NothingHappened'

type StickinessChartProps = ChartProps<StickinessQuery, StickinessAnswer>

/** Draws how many persons were active in one interval, in two, and so on. */
export function StickinessChart({ answer, query, drill, size }: StickinessChartProps) {
  const { counts, totals, labels, starts, compared, cumulative } = answer
  if (!totals.some(Boolean)) return <NothingHappened />
  return (
    <BarChart
      title={
        cumulative ? `Active in at least N ${query.interval}s` : `Active in exactly N ${query.interval}s`
      }
      points={starts.map((_, place) => ({
        label: String(place + 1),
        title: `${cumulative ? 'At least ' : ''}${spanOf(place + 1, answer)}`,
      }))}
      series={labels.map((label, series) => ({
        key: String(series),
        label,
        values: counts[series] ?? [],
        ...(compared && { compared: starts.map((_, place) => compared.counts[series]?.[place] ?? null) }),
        hrefs: starts.map((_, place) =>
          query.per === 'person' ? drill?.({ series, n: place + 1 }) : undefined,
        ),
      }))}
      arrangement="grouped"
      size={size}
      {...(compared && { comparison: { label: comparisonWords(query.compare ?? 'previous') } })}
    />
  )
}

/** "3 days"; for longer steps "3 times 2 days". */
function spanOf(count: number, { interval, every }: StickinessAnswer): string {
  return every === 1 ? plural(count, interval) : `${count} × ${plural(every, interval)}`
}
