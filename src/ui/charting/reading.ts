import type { Amount, AxisChart, ChartColour, Point, Series } from '../chart'
import { amount, type Unit } from '../format'
import { isKnown, known, type Along, type UpAxis } from './axis'
import { colourOf } from './looks'
import type { Extents } from './stack'

/**
 * What is said about a chart, once: as its table, and from the table in the layer that follows the pointer. Places are
 * in percent of the drawing.
 */
export type Heading = {
  label: string
  /** The key of the series, for who picks a point of it. */
  seriesKey?: string
  colour?: ChartColour
  /** Its place among the series; none for sums. */
  series?: number
  /** Of the period it is compared with. */
  isCompared?: boolean
}

export type Cell = { text: string; y?: number; href?: string }

export type Reading = { title: string; x: number; y?: number; href?: string; cells: Cell[] }

export type Readings = { first: string; headings: Heading[]; rows: Reading[] }

type Drawn = Pick<AxisChart, 'points' | 'series' | 'unit' | 'comparison' | 'lastIsIncomplete'> & {
  along: Along
  axis: UpAxis
  /** Where each series is drawn, where that is not at its own amount. */
  extents?: readonly Extents[]
  withTotal?: boolean
  /** Written without a sign where only the direction of drawing is meant. */
  isSigned?: boolean
}

export function readingsOf(drawn: Drawn): Readings {
  const compared = drawn.series.some((series) => series.compared)
  return {
    first: 'When',
    headings: [
      ...drawn.series.flatMap((series, place) => headingsOf(series, place, drawn.comparison?.label)),
      ...(drawn.withTotal ? [{ label: 'Total' }] : []),
    ],
    rows: drawn.points.map((point, place) => ({
      title: titleOf(drawn, point, place, compared),
      x: drawn.along.at(place),
      href: point.href,
      cells: cellsAt(drawn, place),
    })),
  }
}

function headingsOf(series: Series, place: number, comparison = 'Before'): Heading[] {
  const own = { label: series.label, seriesKey: series.key, colour: colourOf(series, place), series: place }
  return series.compared
    ? [own, { ...own, label: `${series.label}, ${comparison}`, isCompared: true }]
    : [own]
}

function titleOf(drawn: Drawn, { title, label }: Point, place: number, compared: boolean): string {
  const before = compared ? drawn.comparison?.points?.[place] : undefined
  const isOpen = drawn.lastIsIncomplete && place === drawn.points.length - 1
  const words = [
    title ?? label,
    before && `, and ${before.title ?? before.label}`,
    isOpen && ' (not over yet)',
  ]
  return words.filter(Boolean).join('')
}

function cellsAt({ series, unit, axis, extents, withTotal, isSigned = true }: Drawn, place: number): Cell[] {
  const cells = series.flatMap((one, order) => {
    const value = one.values[place]
    const top = extents ? extents[order]?.[place]?.to : value
    const own = {
      text: amount(isSigned ? value : size(value), unit),
      y: heightOf(top, axis),
      href: one.hrefs?.[place],
    }
    if (!one.compared) return [own]
    return [
      own,
      {
        text: amount(one.compared[place], unit),
        y: extents ? undefined : heightOf(one.compared[place], axis),
      },
    ]
  })
  return withTotal ? [...cells, { text: amount(totalAt(series, place), unit) }] : cells
}

const size = (value: Amount | undefined) => (value ? Math.abs(value) : value)

const heightOf = (value: number | null | undefined, axis: UpAxis): number | undefined =>
  isKnown(value) ? axis.up(value) : undefined

const totalAt = (series: readonly Series[], place: number): number =>
  series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0)

/** The shape of it in a sentence or two, for those who do not see it. */
export function describe(points: readonly Point[], series: readonly Series[], unit?: Unit): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return 'Nothing to show.'
  const span = first === last ? nameOf(first) : `From ${nameOf(first)} to ${nameOf(last)}`
  return [
    `${span}.`,
    ...series.slice(0, 8).map((one) => `${one.label}: ${courseOf(one, points, unit)}.`),
  ].join(' ')
}

function courseOf({ values }: Series, points: readonly Point[], unit?: Unit): string {
  const amounts = known(values)
  if (amounts.length === 0) return 'nothing known'
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)]
  if (low === high) return `${amount(low, unit)} throughout`
  const peak = points[values.indexOf(high)]
  return `between ${amount(low, unit)} and ${amount(high, unit)}${peak ? `, highest at ${nameOf(peak)}` : ''}`
}

const nameOf = ({ title, label }: Point): string => title ?? label
