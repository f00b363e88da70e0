import { NumberTile } from '../../../ui/NumberTile'
import { Stats } from '../../../ui/Stat'
import { unitOf } from '../../chart-ground'
import type { TrendChartProps } from './Chart'
import { pointOf } from './line'

/** The number of the whole period, and how it came about. */
export function TrendNumbers({
  answer: { lines, lastIsIncomplete, compared },
  ground,
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
          unit={unitOf(line.as, ground)}
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
