import type { HeatCalendarProps } from './chart'
import { round } from './internal/axis'
import { gridOf, type CalendarGrid, type GridSquare } from './internal/calendar'
import { Figure } from './internal/Figure'
import { largestOf, strengthOf } from './internal/heat'
import { HeatLegend } from './internal/HeatLegend'
import { EmptyPlot } from './internal/EmptyPlot'
import { ChartInteraction } from './internal/ChartInteraction'
import type { ChartTable } from './internal/chart-table'
import { amount, type Unit } from '../format'

/** The distribution over hours of the week, or over days on the calendar: the stronger the colour, the more. */
export function HeatCalendar(calendar: HeatCalendarProps) {
  const { title, description, unit, valueLabel } = calendar
  const grid = gridOf(calendar)
  if (grid.squares.length === 0) return <EmptyPlot />

  const largest = largestOf(grid.squares.map(({ value }) => value))
  const busiest = grid.squares.find(({ value }) => value === largest)
  const summary = description ?? (busiest && `Most: ${busiest.title}, ${amount(largest, unit)}`)
  const columns = { gridTemplateColumns: `repeat(${grid.width}, minmax(0, var(--square, 2.25rem)))` }
  return (
    <Figure title={title} description={summary} readings={tableOf(grid, valueLabel, unit)}>
      <div className="chart-calendar grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1">
        <div aria-hidden className="col-start-2 grid h-4" style={columns}>
          {grid.columns.map(({ at, label }) => (
            <span
              key={at}
              className="w-0 text-2xs whitespace-nowrap text-faint"
              style={{ gridColumn: at + 1, gridRow: 1 }}
            >
              {label}
            </span>
          ))}
        </div>
        <div aria-hidden className="grid grid-rows-7 gap-px text-2xs text-faint">
          {grid.rows.map((row) => (
            <span key={row} className="flex items-center">
              {row}
            </span>
          ))}
        </div>
        <ChartInteraction
          label={title}
          rows={grid.squares.length}
          way="marks"
          stride={strideOf(calendar)}
          className="grid"
        >
          <div className="chart-weeks grid gap-px" style={columns}>
            {grid.squares.map((square, index) => (
              <CalendarSquare key={index} {...square} place={index} largest={largest} />
            ))}
          </div>
        </ChartInteraction>
      </div>
      <HeatLegend largest={largest} unit={unit} label={valueLabel} />
    </Figure>
  )
}

/** Down is the same hour of the next day; in a calendar of days, the next week. */
const strideOf = (calendar: HeatCalendarProps): number => ('week' in calendar ? 24 : 7)

function CalendarSquare({
  row,
  column,
  value,
  href,
  place: index,
  largest,
}: GridSquare & { place: number; largest: number }) {
  return (
    <div
      data-row={index}
      className={`rounded-xs data-read:outline-2 data-read:-outline-offset-1 data-read:outline-ink ${href ? 'cursor-pointer' : ''}`}
      style={{ gridRow: row + 1, gridColumn: column + 1 }}
      data-heat={strengthOf(value, largest)}
    />
  )
}

function tableOf({ squares, width }: CalendarGrid, valueLabel: string, unit?: Unit): ChartTable {
  return {
    first: 'Date',
    headings: [{ label: valueLabel }],
    rows: squares.map(({ row, column, title, value, href }) => ({
      title,
      x: round(((column + 0.5) / width) * 100),
      y: round(((row + 0.5) / 7) * 100),
      href,
      cells: [{ text: amount(value, unit) }],
    })),
  }
}
