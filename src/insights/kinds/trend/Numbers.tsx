import { NumberTile } from '#ui/chart/NumberTile'
import { Stats } from '#ui/chart/Stat'
import { unitOf } from '../../chart/chart-settings'
import type { TrendChartProps } from './Chart'
import { pointOf } from './line'

/** Shows the number of the whole period and its time series. */
export function TrendNumbers({
  answer: { lines, lastIsIncomplete, compared },
  settings,
  drill,
}: TrendChartProps) {
  const size = lines.length > 3 ? 'md' : 'lg'
  return (
    <Stats>
      {lines.map((line) => (
        <NumberTile
          key={line.key}
          label={line.label}
          value={line.total}
          unit={unitOf(line.as, settings)}
          spark={line.values}
          lastIsIncomplete={lastIsIncomplete}
          href={pointOf(line, drill)}
          size={size}
          {...(compared && {
            compared: line.compared?.total ?? null,
            comparedLabel: 'before',
            sparkCompared: line.compared?.values,
          })}
        />
      ))}
    </Stats>
  )
}
