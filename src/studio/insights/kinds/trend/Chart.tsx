import { BarChart } from '#ui/chart/BarChart'
import type { AxisChart, Series } from '#ui/chart/chart'
import { LineChart } from '#ui/chart/LineChart'
import { PieChart } from '#ui/chart/PieChart'
import { WorldMap } from '#ui/chart/WorldMap'
import { pointsOf } from '#insights/calendar/clock'
import { comparisonWords } from '#insights/calendar/period-words'
import { marginAmong, marginText, nameWithMargin } from '#insights/approximation'
import { type ChartProps, annotationsOn, fromFirstEvent, unitOf } from '#insights/chart-settings'
import type { TrendAnswer, TrendLine } from '#insights/kinds/trend/answer'
import type { TrendQuery } from '#insights/kinds/trend/schema'
import { NothingHappened } from '../../chart/NothingHappened'
import { TrendCalendar } from './internal/Calendar'
import { lineColour, numbersOf, pointOf, titleOf } from './internal/line'
import { TrendTable } from './internal/Table'
import { NumberTile } from '#ui/chart/NumberTile'
import { Stats } from '#ui/chart/Stat'

export type TrendChartProps = ChartProps<TrendQuery, TrendAnswer>

/** Draws a trend as the chart type of the query. */
export function TrendChart(chart: TrendChartProps) {
  const { answer, query } = chart
  if (answer.lines.length === 0 || answer.starts.length === 0) return <NothingHappened />
  if (query.chart === 'number') return <TrendNumbers {...chart} />
  if (answer.lines.every(isSilent)) return <NothingHappened />
  return drawings[query.chart](chart)
}

const isSilent = ({ values, compared, total }: TrendLine): boolean =>
  !total && ![...values, ...(compared?.values ?? [])].some(Boolean)

const drawings = {
  line: (chart: TrendChartProps) => <LineChart {...axisOf(chart)} />,
  area: (chart: TrendChartProps) => <LineChart {...axisOf(chart)} shape="area" />,
  stacked: (chart: TrendChartProps) => <LineChart {...axisOf(chart)} shape="stacked" />,
  bar: (chart: TrendChartProps) => (
    <BarChart {...axisOf(chart)} arrangement={chart.query.compare ? 'grouped' : 'stacked'} />
  ),
  number: (chart: TrendChartProps) => <TrendNumbers {...chart} />,
  pie: Pie,
  table: (chart: TrendChartProps) => <TrendTable {...chart} />,
  map: Countries,
  calendar: (chart: TrendChartProps) => <TrendCalendar {...chart} />,
} satisfies Record<TrendQuery['chart'], (chart: TrendChartProps) => React.ReactNode>

function axisOf({ answer, query, settings, drill, notes, size, colourOf }: TrendChartProps): AxisChart {
  const { starts, end, interval, lines, compared, lastIsIncomplete } = answer
  const chart = {
    title: titleOf(lines),
    unit: unitOf(lines[0]?.as ?? 'number', settings),
    points: pointsOf(starts, interval, settings.timeZone),
    series: lines.map((line) => ({ ...seriesOf(line, drill), colour: lineColour(line, colourOf) })),
    lastIsIncomplete,
    annotations: annotationsOn(starts, end, notes),
    size,
    ...(compared && {
      comparison: {
        label: comparisonWords(query.compare ?? 'previous'),
        points: pointsOf(compared.starts, interval, settings.timeZone),
      },
    }),
  }
  return fromFirstEvent(chart, starts, settings.since)
}

function seriesOf(line: TrendLine, drill: TrendChartProps['drill']): Series {
  const { key, values, compared } = line
  return {
    key,
    label: numbersOf(line),
    values,
    ...(compared && { compared: values.map((_, place) => compared.values[place] ?? null) }),
    hrefs: values.map((_, bucket) => pointOf(line, drill, { bucket })),
  }
}

function Pie({ answer: { lines }, settings, drill, size }: TrendChartProps) {
  return (
    <PieChart
      title={titleOf(lines)}
      unit={unitOf(lines[0]?.as ?? 'number', settings)}
      {...(marginAmong(lines).within !== undefined && { centre: marginText })}
      slices={lines.map((line) => ({
        key: line.key,
        label: numbersOf(line),
        value: line.total ?? 0,
        href: pointOf(line, drill),
        colour: lineColour(line),
      }))}
      size={size}
    />
  )
}

function Countries({ answer: { lines }, settings, drill }: TrendChartProps) {
  const [first] = lines
  const shown = lines.filter(({ series }) => series === first?.series)
  return (
    <WorldMap
      title={titleOf(lines)}
      valueLabel={nameWithMargin({ name: 'Number', ...marginAmong(lines) })}
      unit={unitOf(first?.as ?? 'number', settings)}
      places={shown.flatMap((line) => {
        const [code] = line.breakdown
        return code ? [{ code, value: line.total ?? 0, href: pointOf(line, drill) }] : []
      })}
    />
  )
}

/** Shows the number of the whole period and its time series. */
function TrendNumbers({ answer: { lines, lastIsIncomplete, compared }, settings, drill }: TrendChartProps) {
  const isAlone = lines.length === 1
  const tiles = lines.map((line) => (
    <NumberTile
      key={line.key}
      isAlone={isAlone}
      label={line.label}
      value={line.total}
      unit={unitOf(line.as, settings)}
      {...(line.within !== undefined && { margin: marginText })}
      spark={line.values}
      lastIsIncomplete={lastIsIncomplete}
      href={pointOf(line, drill)}
      size={lines.length > 3 ? 'md' : 'lg'}
      {...(compared && {
        compared: line.compared?.total ?? null,
        comparedLabel: 'in the previous period',
        sparkCompared: line.compared?.values,
      })}
    />
  ))
  return isAlone ? tiles : <Stats framed={false}>{tiles}</Stats>
}
