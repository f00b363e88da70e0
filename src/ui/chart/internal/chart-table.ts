import type { Amount, AxisChart, ChartColour, ChartPoint, Series } from '../chart'
import { amount, type Unit } from '#ui/format'
import { isKnown, knownAmounts, type AlongAxis, type UpAxis } from './axis'
import { colourOf } from './series-style'
import type { Extents } from './stack'

/**
 * The texts of a chart, written once: shown as its table, and read from the table by the layer that follows the
 * pointer. Places are in percent of the drawing.
 */
export type ChartTableHeading = {
  label: string
  /** The key of the series, for who picks a point of it. */
  seriesKey?: string
  colour?: ChartColour
  /** The index among the series; none for sums. */
  series?: number
  /** Of the period it is compared with. */
  isCompared?: boolean
}

export type ChartTableCell = { text: string; y?: number; href?: string }

export type ChartTableRow = { title: string; x: number; y?: number; href?: string; cells: ChartTableCell[] }

export type ChartTable = { first: string; headings: ChartTableHeading[]; rows: ChartTableRow[] }

type PlottedChart = Pick<AxisChart, 'points' | 'series' | 'unit' | 'comparison' | 'lastIsIncomplete'> & {
  along: AlongAxis
  axis: UpAxis
  /** The position of each series, if it is not drawn at its own amount. */
  extents?: readonly Extents[]
  withTotal?: boolean
  /** Written without a sign where only the direction of drawing is meant. */
  isSigned?: boolean
}

export function chartTableOf(drawn: PlottedChart): ChartTable {
  const compared = drawn.series.some((series) => series.compared)
  return {
    first: 'Date',
    headings: [
      ...drawn.series.flatMap((series, index) => headingsOf(series, index, drawn.comparison?.label)),
      ...(drawn.withTotal ? [{ label: 'Total' }] : []),
    ],
    rows: drawn.points.map((point, index) => ({
      title: titleOf(drawn, point, index, compared),
      x: drawn.along.at(index),
      href: point.href,
      cells: cellsAt(drawn, index),
    })),
  }
}

function headingsOf(series: Series, index: number, comparison = 'Previous period'): ChartTableHeading[] {
  const own = { label: series.label, seriesKey: series.key, colour: colourOf(series, index), series: index }
  return series.compared
    ? [own, { ...own, label: `${series.label}, ${comparison}`, isCompared: true }]
    : [own]
}

function titleOf(
  drawn: PlottedChart,
  { title, label }: ChartPoint,
  index: number,
  compared: boolean,
): string {
  const before = compared ? drawn.comparison?.points?.[index] : undefined
  const isOpen = drawn.lastIsIncomplete && index === drawn.points.length - 1
  const words = [
    title ?? label,
    before && `, and ${before.title ?? before.label}`,
    isOpen && ' (in progress)',
  ]
  return words.filter(Boolean).join('')
}

function cellsAt(
  { series, unit, axis, extents, withTotal, isSigned = true }: PlottedChart,
  index: number,
): ChartTableCell[] {
  const cells = series.flatMap((one, order) => {
    const value = one.values[index]
    const top = extents ? extents[order]?.[index]?.to : value
    const own = {
      text: amount(isSigned ? value : size(value), unit) + boundsText(one.bounds?.[index], unit),
      y: heightOf(top, axis),
      href: one.hrefs?.[index],
    }
    if (!one.compared) return [own]
    return [
      own,
      {
        text: amount(one.compared[index], unit),
        y: extents ? undefined : heightOf(one.compared[index], axis),
      },
    ]
  })
  return withTotal ? [...cells, { text: amount(totalAt(series, index), unit) }] : cells
}

/** " (30 to 51)" */
const boundsText = (bounds: NonNullable<Series['bounds']>[number] | undefined, unit?: Unit): string =>
  bounds ? ` (${amount(bounds[0], unit)} to ${amount(bounds[1], unit)})` : ''

const size = (value: Amount | undefined) => (value ? Math.abs(value) : value)

const heightOf = (value: number | null | undefined, axis: UpAxis): number | undefined =>
  isKnown(value) ? axis.up(value) : undefined

const totalAt = (series: readonly Series[], index: number): number =>
  series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)

/** The shape of it in a sentence or two, for those who do not see it. */
export function describeChart(points: readonly ChartPoint[], series: readonly Series[], unit?: Unit): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return 'No data.'
  const span = first === last ? nameOf(first) : `From ${nameOf(first)} to ${nameOf(last)}`
  return [
    `${span}.`,
    ...series.slice(0, 8).map((one) => `${one.label}: ${describeSeries(one, points, unit)}.`),
  ].join(' ')
}

function describeSeries({ values }: Series, points: readonly ChartPoint[], unit?: Unit): string {
  const amounts = knownAmounts(values)
  if (amounts.length === 0) return 'no data'
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)]
  if (low === high) return `${amount(low, unit)} throughout`
  const peak = points[values.indexOf(high)]
  return `between ${amount(low, unit)} and ${amount(high, unit)}${peak ? `, highest at ${nameOf(peak)}` : ''}`
}

const nameOf = ({ title, label }: ChartPoint): string => title ?? label
