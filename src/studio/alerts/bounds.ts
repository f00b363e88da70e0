import type { AlertCondition } from '#alerts/condition'
import type { AlertTimeSeries } from '#alerts/alert-reading'
import type { Series } from '#ui/chart/chart'

/** The lines above or below which a change alerts: at each interval by the number it is held against. */
export function boundsOf(
  condition: AlertCondition,
  { against = [] }: Pick<AlertTimeSeries, 'against'>,
): Series[] {
  if (condition.type !== 'relative') return []
  const { does, as, by } = condition
  const line = (key: string, label: string, sign: 1 | -1): Series => ({
    key,
    label,
    colour: 'rest',
    values: against.map((value) =>
      value === null ? null : value + sign * (as === 'amount' ? by : (Math.abs(value) * by) / 100),
    ),
  })
  return [
    ...(does === 'fall' ? [] : [line('above', 'Alert above', 1)]),
    ...(does === 'rise' ? [] : [line('below', 'Alert below', -1)]),
  ]
}
