import type { Series } from '../../../ui/chart'
import { StackedLifecycle } from '../../../ui/StackedLifecycle'
import { type ChartProps, notesOn } from '../../chart-ground'
import { pointsOf } from '../../clock'
import { NothingHappened } from '../../NothingHappened'
import type { LifecycleAnswer } from './lifecycle'
import type { LifecycleQuestion, LifecycleState } from './question'

type LifecycleChartProps = ChartProps<LifecycleQuestion, LifecycleAnswer>

const labels: Record<LifecycleState, string> = {
  new: 'New',
  returning: 'Returning',
  resurrecting: 'Resurrecting',
  dormant: 'Dormant',
}

/** Of whom the active are made, above the line; who was lost, below it. */
export function LifecycleChart(chart: LifecycleChartProps) {
  const { answer, ground, notes, size } = chart
  const { starts, end, interval, complete, active, dormant } = answer
  if (![...active, ...dormant].some(Boolean))
    return (
      <NothingHappened
        title="Nobody was active in this period"
        body="Try a longer period, or another event."
      />
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
      points={pointsOf(starts, interval, ground.timeZone)}
      above={[seriesOf('returning'), seriesOf('new'), seriesOf('resurrecting')]}
      below={[seriesOf('dormant')]}
      lastIsIncomplete={complete < starts.length}
      annotations={notesOn(starts, end, notes)}
      size={size}
    />
  )
}
