import { NumberTile } from '#ui/chart/NumberTile'
import { Stats } from '#ui/chart/Stat'
import { unitOf } from '#insights/chart/chart-settings'
import type { TrendChartProps } from './Chart'
import { pointOf } from './line'

/** Shows the number of the whole period and its time series. */
export function TrendNumbers({
  answer: { lines, lastIsIncomplete, compared },
  settings,
  drill,
}: TrendChartProps) {
  const isAlone = lines.length === 1
  const tiles = lines.map((line) => (
    <NumberTile
      key={line.key}
      isAlone={isAlone}
      label={line.label}
      value={line.total}
      unit={unitOf(line.as, settings)}
      spark={line.values}
      lastIsIncomplete={lastIsIncomplete}
      href={pointOf(line, drill)}
      size={lines.length > 3 ? 'md' : 'lg'}
      {...(compared && {
        compared: line.compared?.total ?? null,
        comparedLabel: 'in the previous period',
        sparkCompared: line.compared?.values,
      })}
    />
  ))
  return isAlone ? tiles : <Stats framed={false}>{tiles}</Stats>
}
