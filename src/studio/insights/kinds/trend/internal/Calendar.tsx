import type { Amount } from '#ui/chart/chart'
import { HeatCalendar } from '#ui/chart/HeatCalendar'
import { onClock } from '#insights/calendar/clock'
import { unitOf } from '#insights/chart-settings'
import type { TrendLine } from '#insights/kinds/trend/answer'
import type { TrendChartProps } from '../Chart'
import { numbersOf, pointOf } from './line'

/** Draws a heat map: hours of the week for hourly queries, days of the calendar otherwise. */
export function TrendCalendar(chart: TrendChartProps) {
  const { lines } = chart.answer
  return (
    <div className="chart-column flex flex-col gap-6">
      {lines.map((line) => (
        <div key={line.key} className="chart-column min-w-0">
          {lines.length > 1 && <p className="mb-2 text-sm font-medium">{line.label}</p>}
          <OneCalendar line={line} {...chart} />
        </div>
      ))}
    </div>
  )
}

function OneCalendar({
  line,
  answer: { starts, interval },
  settings,
  drill,
}: TrendChartProps & { line: TrendLine }) {
  const about = { title: line.label, valueLabel: numbersOf(line), unit: unitOf(line.as, settings) }
  if (interval === 'hour' && line.week)
    return <HeatCalendar {...about} week={weekOf(line.week, settings.weekStart === 'sunday')} />
  return (
    <HeatCalendar
      {...about}
      days={starts.map((start, bucket) => ({
        day: onClock(start, settings.timeZone).slice(0, 10),
        value: line.values[bucket] ?? null,
        href: pointOf(line, drill, { bucket }),
      }))}
    />
  )
}

/** Returns the hours from Monday on, whichever day the numbers begin with. */
function weekOf(hours: readonly Amount[], beginsOnSunday: boolean): Amount[][] {
  const days = Array.from({ length: 7 }, (_, day) => hours.slice(day * 24, (day + 1) * 24))
  const [first, ...others] = days
  return beginsOnSunday && first ? [...others, first] : days
}
