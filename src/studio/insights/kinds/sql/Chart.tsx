import { BarChart } from '#ui/chart/BarChart'
import type { ChartPoint, ChartSize } from '#ui/chart/chart'
import { LineChart } from '#ui/chart/LineChart'
import { bucketPoints } from '#ui/chart/time-axis'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { pointsOf } from '#insights/calendar/clock'
import type { ChartProps } from '#insights/chart-settings'
import type { AnswerCell, AnswerTable } from '#insights/kind'
import type { SqlQuery } from '#insights/kinds/sql/schema'
import { type SqlAnswer, tableOf } from '#insights/kinds/sql/answer'
import { AnswerTableView } from '../../chart/AnswerTableView'
import type { SqlChartType } from './chart-type'

/** Draws the rows of a query as a table, as lines or as bars. */
export function SqlChart({ query, answer, settings, size, title }: ChartProps<SqlQuery, SqlAnswer>) {
  const table = tableOf(answer)
  const name = title ?? 'Rows'
  return query.chart === 'table' ? (
    <AnswerTableView table={table} title={name} settings={settings} />
  ) : (
    <SqlDrawing table={table} chart={query.chart} title={name} timeZone={settings.timeZone} size={size} />
  )
}

const mostPoints = 200
const mostSeries = 8

interface SqlDrawingProps {
  table: AnswerTable
  chart: Exclude<SqlChartType, 'table'>
  title: string
  timeZone: string
  size?: ChartSize
}

/** One point for each row, named by its first column; one series for each further column of numbers. */
export function SqlDrawing({
  table: { columns, rows },
  chart,
  title,
  timeZone,
  size = 'lg',
}: SqlDrawingProps) {
  const series = columns
    .map(({ name, as }, place) => ({ key: `${place} ${name}`, label: name, as, place }))
    .filter(({ as, place }) => place > 0 && as === 'number')
    .slice(0, mostSeries)
  if (series.length === 0 || rows.length === 0)
    return (
      <EmptyMessage
        title="Nothing to draw"
        body="A chart takes its labels from the first column and its values from further columns of numbers."
      />
    )
  const shown = rows.slice(0, mostPoints)
  const drawing = {
    title,
    size,
    points: pointsFor(
      shown.map(([first = null]) => first),
      timeZone,
    ),
    series: series.map(({ key, label, place }) => ({
      key,
      label,
      values: shown.map((cells) => valueOf(cells[place])),
    })),
  }
  return chart === 'line' ? <LineChart {...drawing} /> : <BarChart {...drawing} arrangement="grouped" />
}

/** Days and times are points of the time axis; other labels are cut where the axis has no room. */
function pointsFor(cells: readonly AnswerCell[], timeZone: string): ChartPoint[] {
  const labels = cells.map((cell) => (cell === null ? '–' : String(cell)))
  if (labels.every((label) => calendarDay.test(label)))
    return bucketPoints(
      labels.map((label) => `${label}T00:00`),
      'day',
    )
  if (labels.every((label) => engineTime.test(label)))
    return pointsOf(
      labels.map((label) => `${label.slice(0, 19).replace(' ', 'T')}Z`),
      labels.every((label) => label.slice(11, 19) === '00:00:00') ? 'day' : 'minute',
      timeZone,
    )
  return labels.map((label) => ({ label: shortened(label), title: label }))
}

const calendarDay = /^\d{4}-\d\d-\d\d$/
/** The engine writes times in UTC. */
const engineTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/

const longestLabel = 12
const shortened = (label: string): string =>
  label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label

/** Numbers that are too large for the format of the engine's answer arrive as text. */
const valueOf = (cell: AnswerCell | undefined): number | null =>
  cell === null || cell === undefined || cell === '' ? null : Number(cell)
