import type { ChartColour } from '#ui/chart/chart'
import { nameWithMargin } from '#insights/approximation'
import type { ChartProps } from '#insights/chart-settings'
import type { TrendLine } from '#insights/kinds/trend/answer'

type Drill = ChartProps<unknown, unknown>['drill']

/** Returns the point of a number, for the list of its persons; undefined for formulas, which have none. */
export function pointOf(
  { series, breakdown, isOthers }: TrendLine,
  drill: Drill,
  more: { bucket?: number; isCompared?: boolean } = {},
): string | undefined {
  if (typeof series !== 'number') return undefined
  return drill?.({
    series,
    ...(breakdown.length > 0 && { breakdown }),
    ...(isOthers && { isOthers }),
    ...more,
  })
}

/** Returns the name of a line's numbers. */
export const numbersOf = ({ label, within }: TrendLine): string => nameWithMargin({ name: label, within })

export const lineColour = (
  { isOthers, breakdown }: TrendLine,
  colourOf?: ChartProps<unknown, unknown>['colourOf'],
): ChartColour | undefined => (isOthers ? 'rest' : colourOf?.(breakdown[0] ?? ''))

/** Returns a title for the lines of a chart. */
export function titleOf(lines: readonly TrendLine[]): string {
  const [first, ...others] = lines
  if (!first) return 'Trend'
  return others.length === 0 ? first.label : `${first.label} and ${others.length} more`
}
