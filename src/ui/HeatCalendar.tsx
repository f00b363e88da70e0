import type { HeatCalendarProps } from './chart'
import { round } from './charting/axis'
import { gridOf, type Grid, type Square } from './charting/calendar'
import { Figure } from './charting/Figure'
import { largestOf, strengthOf } from './charting/heat'
import { HeatLegend } from './charting/HeatLegend'
import { NothingDrawn } from './charting/NothingDrawn'
import { Reader } from './charting/Reader'
import type { Readings } from './charting/reading'
import { amount, type Unit } from './format'

/** When it happens: hours of the week, or days on the calendar, the stronger the more. */
export function HeatCalendar(calendar: HeatCalendarProps) {
  const { title, description, unit, valueLabel } = calendar
  const grid = gridOf(calendar)
  if (grid.squares.length === 0) return <NothingDrawn />

  const largest = largestOf(grid.squares.map(({ value }) => value))
  const busiest = grid.squares.find(({ value }) => value === largest)
  const said = description ?? (busiest && `Most: ${busiest.title}, ${amount(largest, unit)}`)
  const columns = { gridTemplateColumns: `repeat(${grid.width}, minmax(0, 2.25rem))` }
  return (
    <Figure title={title} description={said} readings={readingsOf(grid, valueLabel, unit)}>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1">
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
        <Reader label={title} rows={grid.squares.length} way="marks" stride={strideOf(calendar)}>
          <div className="grid grid-rows-[repeat(7,1.25rem)] gap-px" style={columns}>
            {grid.squares.map((square, place) => (
              <SquareDrawn key={place} {...square} place={place} largest={largest} />
            ))}
          </div>
        </Reader>
      </div>
      <HeatLegend largest={largest} unit={unit} label={valueLabel} />
    </Figure>
  )
}

/** Down is the same hour of the next day; in a calendar of days, the next week. */
const strideOf = (calendar: HeatCalendarProps): number => ('week' in calendar ? 24 : 7)

function SquareDrawn({
  row,
  column,
  value,
  href,
  place,
  largest,
}: Square & { place: number; largest: number }) {
  return (
    <div
      data-row={place}
      className={`rounded-xs data-read:outline-2 data-read:-outline-offset-1 data-read:outline-ink ${href ? 'cursor-pointer' : ''}`}
      style={{ gridRow: row + 1, gridColumn: column + 1 }}
      data-heat={strengthOf(value, largest)}
    />
  )
}

function readingsOf({ squares, width }: Grid, valueLabel: string, unit?: Unit): Readings {
  return {
    first: 'When',
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
