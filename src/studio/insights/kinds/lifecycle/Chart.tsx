import type { Series } from '#ui/chart/chart'
import { StackedLifecycle } from '#ui/chart/StackedLifecycle'
import { type ChartProps, annotationsOn } from '#insights/chart-settings'
import { pointsOf } from '#insights/calendar/clock'
import type { LifecycleAnswer } from '#insights/kinds/lifecycle/answer'
import type { LifecycleQuery, LifecycleState } from '#insights/kinds/lifecycle/schema'
import { NothingHappened } from '../../chart/NothingHappened'

type LifecycleChartProps = ChartProps<LifecycleQuery, LifecycleAnswer>

const labels: Record<LifecycleState, string> = {
  new: 'New',
  returning: 'Returning',
  resurrecting: 'Resurrecting',
  dormant: 'Dormant',
}

/** Draws new, returning and resurrecting persons above the axis, and dormant ones below it. */
export function LifecycleChart(chart: LifecycleChartProps) {
  const { answer, settings, notes, size } = chart
  const { starts, end, interval, complete, active, dormant } = answer
  if (![...active, ...dormant].some(Boolean))
    return (
      <NothingHappened title="No activity in this period" body="Try a longer date range or another event." />
    )
  const seriesOf = (state: LifecycleState): Series => ({
    key: state,
    label: labels[state],
    values: answer[state],
    hrefs: starts.map((_, bucket) => chart.drill?.({ bucket, state })),
  })
  return (
    <StackedLifecycle
      title="Lifecycle"
      points={pointsOf(starts, interval, settings.timeZone)}
      above={[seriesOf('returning'), seriesOf('new'), seriesOf('resurrecting')]}
      below={[seriesOf('dormant')]}
      lastIsIncomplete={complete < starts.length}
      annotations={annotationsOn(starts, end, notes)}
      size={size}
    />
  )
}
