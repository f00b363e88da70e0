import type { ReactNode } from 'react'
import type { Day } from '../dates'
import type { Unit } from '../format'
import type { Sort, TableColumn } from '../table/column'

/**
 * The props of all charts. They are answers: numbers, words and addresses, so that a chart can be drawn on the server
 * and inside a client component alike. `onPick` is for the latter; a server component gives `href`s instead.
 */

/** A number, or nothing known: a line breaks there, a table says "–". */
export type Amount = number | null

/** The colours of the tokens (`--color-chart-1` in tokens.css), in the order in which series have them. */
export const seriesColours = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** One of the colours of series, or the quiet one for "all others". Without it, colours follow the order. */
export type ChartColour = (typeof seriesColours)[number] | 'rest'

/** A place along the axis. `bucketPoints` (time-axis.ts) makes them of the buckets of an answer. */
export type ChartPoint = {
  /** The text on the axis: `21 Nov`. */
  label: string
  /** In full, where it is read out: `Sat, 21 Nov 2026`. */
  title?: string
  /** The address for Enter or a press if the series has none of its own there. */
  href?: string
}

export type Series = {
  /** Unique in its chart; comes back in `onPick`. */
  key: string
  label: string
  /** One for each point. */
  values: readonly Amount[]
  /** The same in the period it is compared with; drawn dashed and lighter. */
  compared?: readonly Amount[]
  /** One for each point: the interval that the number lies in. Drawn as a band by a LineChart. */
  bounds?: readonly (readonly [low: number, high: number] | null)[]
  /** One for each point: the list of persons behind that number. */
  hrefs?: readonly (string | undefined)[]
  colour?: ChartColour
}

/** The period that `compared` is of. */
type ChartComparison = {
  /** `Previous period` */
  label: string
  /** The points of that period, for reading: as many as those of the chart. */
  points?: readonly ChartPoint[]
}

/** An event at a point, written on the axis. */
export type ChartAnnotation = { at: number; label: string; href?: string }

/** A line across: a goal, the threshold of an alert, an average. */
export type Guide = { value: number; label: string }

/** The pressed point: its index (or that of the row, step, slice) and the key of the series. */
export type PointPick = { point: number; series: string; href?: string }

type ChartBasics = {
  /** The subject of the drawing: name of the figure, caption of its table. ChartFrame shows a title of its own. */
  title: string
  /** A sentence for those who do not see it. Without one, the chart says its extremes. */
  description?: string
  unit?: Unit
  onPick?: (pick: PointPick) => void
}

export type ChartSize = 'sm' | 'md' | 'lg'

/** Points along, amounts up. */
export type AxisChart = ChartBasics & {
  points: readonly ChartPoint[]
  series: readonly Series[]
  size?: ChartSize
  comparison?: ChartComparison
  /** The last bucket is not over: drawn dotted. */
  lastIsIncomplete?: boolean
  annotations?: readonly ChartAnnotation[]
  guides?: readonly Guide[]
  /** Shown when there are several series, unless said otherwise. */
  legend?: boolean
}

export type LineChartProps = AxisChart & {
  /** Lines, a filled line, areas on top of each other, or lines that hold each amount until the next point. */
  shape?: 'line' | 'area' | 'stacked' | 'steps'
}

export type BarChartProps = AxisChart & {
  arrangement?: 'stacked' | 'grouped'
}

/** Bars above the line for who came, below it for who left. Amounts are positive in both. */
export type StackedLifecycleProps = Omit<AxisChart, 'series' | 'comparison' | 'guides'> & {
  above: readonly Series[]
  below: readonly Series[]
}

/** Ratios over periods since the beginning. */
export type RetentionCurveProps = Omit<AxisChart, 'unit' | 'points'> & {
  /** `Day 0`, `Day 1` … */
  periods: readonly string[]
}

export type BarRow = {
  key: string
  label: string
  value: Amount
  compared?: Amount
  /** Another number beside the value, such as a conversion rate. */
  second?: Amount
  /** Other numbers, by the keys of `further`. */
  further?: Readonly<Record<string, Amount | undefined>>
  /** Filters by this row, or leads to it. */
  href?: string
  /** The list of persons behind `value`; a press on the number leads there, and on the rest of the row to `href`. */
  valueHref?: string
  /** A flag, an icon of a browser. */
  icon?: ReactNode
  /** Whether the page is filtered by this row. */
  current?: boolean
}

export type FurtherColumn = Pick<TableColumn<never>, 'key' | 'needs' | 'about'> & {
  label: string
  unit?: Unit
}

/** Rows with bars. The workhorse: pages, sources, countries, browsers. */
export type BarListProps = Omit<ChartBasics, 'onPick' | 'description'> & {
  rows: readonly BarRow[]
  /** The heads of the columns. */
  heads: { label: string; value: string; second?: string }
  secondUnit?: Unit
  /** Columns after these. */
  further?: readonly FurtherColumn[]
  /** The keys of sortable columns are `label`, `value`, `second` and those of `further`. */
  sort?: Sort
  sortHref?: (sort: Sort) => string
  /** The whole that shares are of. Without it, no share is shown. */
  total?: number
  /** The direction that is good news in `compared`. */
  good?: Direction
  empty?: ReactNode
  onPick?: (row: BarRow) => void
}

export type Slice = { key: string; label: string; value: number; href?: string; colour?: ChartColour }

/** A ring and its legend. Past `limit` slices the smallest become "Others". */
export type PieChartProps = ChartBasics & {
  slices: readonly Slice[]
  limit?: number
  /** In the middle, under the total. */
  centre?: string
  size?: ChartSize
}

export type Direction = 'up' | 'down' | 'neither'

/** A big number, where it is going, and how it came about. */
export type NumberTileProps = {
  label: string
  /** The way the number is counted, as a tooltip of the label. */
  about?: string
  /** Undefined while it loads. */
  value: Amount | undefined
  unit?: Unit
  /** The margin of the number: `±0.5 %`. */
  margin?: string
  compared?: Amount
  /** `in the 30 days before` */
  comparedLabel?: string
  good?: Direction
  hint?: ReactNode
  spark?: readonly Amount[]
  sparkCompared?: readonly Amount[]
  lastIsIncomplete?: boolean
  href?: string
  /** The list of persons behind the number, where `href` is something else. */
  valueHref?: string
  current?: boolean
  size?: 'md' | 'lg'
  /** The frame around it has its name and its margin. */
  isAlone?: boolean
}

export type SparkLineProps = {
  values: readonly Amount[]
  compared?: readonly Amount[]
  /** The content of the line, for screen readers. Left out beside a number that says it already. */
  label?: string
  lastIsIncomplete?: boolean
  colour?: ChartColour
  shape?: 'line' | 'bars'
  className?: string
}

/** `code` is ISO 3166 alpha-2. `label` is the English name unless given. */
export type MapPlace = { code: string; value: number; label?: string; href?: string }

/** For server components: the shapes of countries are never sent as data. */
export type WorldMapProps = ChartBasics & {
  places: readonly MapPlace[]
  /** The unit of the numbers: `Visitors`. */
  valueLabel: string
}

/** Seven days of twenty-four hours, Monday first; or days on the calendar. */
export type HeatCalendarProps = Omit<ChartBasics, 'onPick'> & {
  valueLabel: string
} & (
    | { week: readonly (readonly Amount[])[]; weekHrefs?: readonly (readonly (string | undefined)[])[] }
    | { days: readonly { day: Day; value: Amount; href?: string }[] }
  )

export type FunnelChartStep = {
  count: number
  /** The list of those who got this far. */
  href?: string
  /** The list of those who got to the step before, and no further. */
  droppedHref?: string
  /** From the step before, typically. */
  medianMs?: number
}

/** The counted unit: `['person', 'people']`. */
export type CountedUnit = readonly [one: string, many: string]

export type FunnelChartProps = Omit<ChartBasics, 'unit'> & {
  steps: readonly { key: string; label: string; optional?: boolean }[]
  /** One, or one for each value of a breakdown; each with as many steps as the funnel. */
  groups: readonly { key: string; label: string; steps: readonly FunnelChartStep[] }[]
  counted: CountedUnit
}

export type RetentionCohort = {
  key: string
  /** `16 – 22 Nov` */
  label: string
  /** The number at the beginning. */
  size: number
  /** The number who were back in each period, the first included; null for periods that have not begun. */
  counts: readonly Amount[]
  hrefs?: readonly (string | undefined)[]
  /** The last count is of a period that is not over. */
  lastIsIncomplete?: boolean
}

export type RetentionTriangleProps = Omit<ChartBasics, 'unit' | 'onPick'> & {
  cohorts: readonly RetentionCohort[]
  /** `Week 0`, `Week 1` … */
  periods: readonly string[]
  /** Heads of the first two columns: `Cohort`, `Persons`. */
  heads: { cohort: string; size: string }
  show?: 'percent' | 'count'
}

export type SankeyNode = {
  key: string
  label: string
  step: number
  href?: string
  droppedHref?: string
  /** The number who are followed no further from here, and did not drop off. */
  beyond?: number
  /** It stands for all smaller ones, and comes last in its step. */
  isOthers?: true
}
export type SankeyLink = { from: string; to: string; value: number; href?: string }

/** The part of a node's flow that enters no other node is drawn as a drop-off there. */
export type SankeyChartProps = ChartBasics & {
  nodes: readonly SankeyNode[]
  links: readonly SankeyLink[]
  /** The number at each node where it is more than the sum of its links. */
  totals?: Readonly<Record<string, number>>
  /** The unit that flows: `sessions`. */
  counted: string
}

export type HistogramProps = Omit<ChartBasics, 'unit'> & {
  /** Half-open, in order; the last may go on for ever. */
  bins: readonly { from: number; until: number | null; count: number; href?: string }[]
  /** Of `from` and `until`. */
  unit: Unit
  /** The counted unit: `Persons`. */
  countLabel: string
  /** Drawn as a line. */
  median?: number
  size?: ChartSize
}

export type ChartLegendEntry = {
  label: string
  colour: ChartColour
  /** The index among the series; toggles the marks that carry it. Without it the entry only explains. */
  series?: number
  mark?: 'line' | 'block' | 'dashed'
}

/** Entries can be switched off; works without script. */
export type ChartLegendProps = { entries: readonly ChartLegendEntry[] }

/** A panel for one chart: its name, what can be done with it, a switch to its table, and what to know about it. */
export type ChartFrameProps = {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** The chart inside has a table that can be shown in its place. */
  hasTable?: boolean
  /** Shown in place of the chart: an EmptyMessage or a FailedMessage. */
  empty?: ReactNode
  /** `Counted 4 minutes ago`, `The last hour is still arriving`. */
  notice?: { tone: 'info' | 'warning'; text: ReactNode }
  footer?: ReactNode
  children?: ReactNode
  /** Tables and lists reach the edges. */
  flush?: boolean
}

/** Saves the chart of the ChartFrame it stands in. */
export type ChartExportProps = {
  /** Name of the file, without its ending. */
  name: string
  csvHref?: string
  jsonHref?: string
}
