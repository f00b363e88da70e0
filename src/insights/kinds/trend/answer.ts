import { eventLabel } from '#events/taxonomy'
import { breakdownValueName } from '../../text/breakdown-names'
import { type BreakdownValues, valuesOfKey } from '../../compile/internal/breakdowns'
import type { GroupNames } from '../../compile/internal/group-names'
import { type Formula, readFormula } from '../../measures/formula'
import type { AnswerColumn, AnswerTable, AnswerCell } from '../../kind'
import { mathWords } from '../../measures/maths'
import { countsPersons, unitOfMeasure } from '../../compile/measure'
import { marginAmong, marginOf } from '../../approximation'
import type { QueryScope } from '../../scope'
import type { Interval } from '../../calendar/period'
import { type TrendFigures, type TrendGrid, smoothed } from './internal/grid'
import type { TrendKeys } from './query'
import type { TrendFormula, TrendQuery, TrendSeries } from './schema'
import type { BucketedPeriod, TrendPeriods } from './internal/trend-periods'

/** One line of the chart. */
export interface TrendLine {
  /** A key that stays the same for the same query, whatever the period. */
  key: string
  /** The series or formula in the query, counted from 1. */
  series: number | `formula ${number}`
  label: string
  /** One value for each breakdown; null if the property was absent. Empty without breakdowns, and for all others. */
  breakdown: BreakdownValues
  /** Whether it is the sum of all smaller values. */
  isOthers?: true
  as: TrendFormula['as']
  /** The margin of its numbers, as a share of each; absent if they are exact. */
  within?: number
  /** One value for each of `starts`; null if there is none, for example in the future. */
  values: (number | null)[]
  /** The value of the whole period, computed separately: unique persons are not the sum of days. */
  total: number | null
  /** The compared period: its total covers only the elapsed part, its values the whole period. */
  compared?: { values: (number | null)[]; total: number | null }
  /** The 168 hours of the week in an hourly calendar, from the first hour of its first day. */
  week?: (number | null)[]
}

export interface TrendAnswer {
  interval: Interval
  /** The beginning of each bucket. The first may begin before the period; only its part in the period counts. */
  starts: string[]
  /** The end of the last one. */
  end: string
  /** Whether the last bucket is not over, or the period ends within it. */
  lastIsIncomplete: boolean
  lines: TrendLine[]
  compared?: { starts: string[]; end: string; from: string; until: string }
  /** The number of values of the breakdown, including those that are not shown. */
  valuesInAll?: number
}

/** The results before they become lines. */
interface TrendFindings {
  query: TrendQuery
  periods: TrendPeriods
  places: TrendKeys
  valuesInAll: number | undefined
  /** One grid for each series. */
  main: readonly TrendGrid[]
  compared: readonly TrendGrid[] | undefined
  /** The names of groups in breakdowns by group key. */
  groupNames: GroupNames
  scope: Pick<QueryScope, 'calendar' | 'isApproximate'>
}

export function trendAnswer(found: TrendFindings): TrendAnswer {
  const { interval, main, compared } = found.periods
  return {
    interval,
    ...axisOf(main),
    lastIsIncomplete: main.buckets.end > found.scope.calendar.now || main.buckets.end > main.period.until,
    lines: linesOf(found),
    ...(compared && {
      compared: {
        ...axisOf(compared),
        from: compared.period.from.toISOString(),
        until: compared.period.until.toISOString(),
      },
    }),
    ...(found.valuesInAll !== undefined && { valuesInAll: found.valuesInAll }),
  }
}

const axisOf = ({ buckets: { starts, end } }: BucketedPeriod) => ({
  starts: starts.map((start) => start.toISOString()),
  end: end.toISOString(),
})

/** A line without its numbers: a series, or a formula over all of them. */
interface DrawnLine {
  series: TrendLine['series']
  label: string
  as: TrendLine['as']
  /** Whether it counts persons. */
  isOfPersons?: boolean
  /** The formula over the numbers of all series. */
  of: Formula
}

/** Sorts by series, then by rank, as legends do. */
function linesOf(found: TrendFindings): TrendLine[] {
  const places = placesOf(found)
  return drawnOf(found.query).flatMap((drawn) => places.map((place) => lineOf(drawn, place, found)))
}

function placesOf({ valuesInAll, places: { keys }, main, compared = [] }: TrendFindings): number[] {
  if (valuesInAll === undefined) return [1]
  const hasOthers = valuesInAll > keys.length || [...main, ...compared].some(({ places }) => places.has(0))
  return [...keys.map((_, i) => i + 1), ...(hasOthers ? [0] : [])]
}

function drawnOf({ series, formulas }: TrendQuery): DrawnLine[] {
  const ofSeries = series.flatMap((one, i): DrawnLine[] =>
    one.isHidden
      ? []
      : [
          {
            series: i,
            label: seriesLabel(one),
            as: unitOfMeasure(one.measure),
            isOfPersons: countsPersons(one.measure),
            of: (values) => values[i] ?? null,
          },
        ],
  )
  const ofFormulas = formulas.flatMap(({ text, label, as }, i): DrawnLine[] => {
    const read = readFormula(text, series.length)
    return read.done ? [{ series: `formula ${i + 1}`, label: label ?? text, as, of: read.formula }] : []
  })
  return [...ofSeries, ...ofFormulas]
}

function seriesLabel({ label, event, measure: { math } }: TrendSeries): string {
  if (label) return label
  const name = event === null ? 'Any event' : eventLabel(event)
  return math === 'total' ? name : `${name}: ${mathWords(math).label.toLowerCase()}`
}

function lineOf(drawn: DrawnLine, place: number, found: TrendFindings): TrendLine {
  const { query, periods, main, compared, places, scope } = found
  const breakdown = breakdownAt(place, found)
  const isOthers = place === 0
  const figures = combinedFigures(drawn, place, main, query)
  const before = compared && combinedFigures(drawn, place, compared, query)
  return {
    key: JSON.stringify([drawn.series, ...(isOthers ? [] : [places.keys[place - 1] ?? ''])]),
    series: drawn.series,
    label: labelOf(drawn, breakdown, isOthers, found),
    breakdown,
    ...(isOthers && { isOthers }),
    as: drawn.as,
    ...marginOf(scope.isApproximate && drawn.isOfPersons),
    ...figures,
    values: figures.values.map((value, i) => (isAhead(i, periods.main, scope.calendar.now) ? null : value)),
    ...(before && { compared: { values: before.values, total: before.total } }),
  }
}

function breakdownAt(place: number, { query, places: { keys, ranges } }: TrendFindings): BreakdownValues {
  const key = keys[place - 1]
  return key === undefined ? [] : valuesOfKey(key, query.breakdowns, ranges)
}

/** Buckets in the future have no value. */
const isAhead = (i: number, { buckets }: BucketedPeriod, now: Date): boolean =>
  (buckets.starts[i] ?? now) > now

function combinedFigures(
  { of }: DrawnLine,
  place: number,
  grids: readonly TrendGrid[],
  { smoothing }: TrendQuery,
): TrendFigures {
  const parts = grids.map((grid) => grid.at(place))
  const each = (values: (part: TrendFigures) => readonly (number | null)[] | undefined) =>
    (parts[0] && values(parts[0])?.map((_, i) => of(parts.map((part) => values(part)?.[i] ?? null)))) ?? []
  const values = each((part) => part.values)
  const week = each((part) => part.week)
  return {
    values: smoothing === undefined ? values : smoothed(values, smoothing),
    total: of(parts.map(({ total }) => total)),
    ...(week.length > 0 && { week }),
  }
}

function labelOf(
  { label }: DrawnLine,
  breakdown: BreakdownValues,
  isOthers: boolean,
  { query: { series, formulas, breakdowns }, groupNames }: TrendFindings,
): string {
  if (breakdowns.length === 0) return label
  const values = isOthers
    ? 'Others'
    : breakdown.map((value, i) => breakdownValueName(breakdowns[i], value, groupNames)).join(', ')
  return series.length + formulas.length > 1 ? `${label}: ${values}` : values
}

/** Charts with one number for each line have a row for each; the others one for each bucket. */
const wholes: readonly TrendQuery['chart'][] = ['number', 'pie', 'table', 'map']

export const trendTable = (answer: TrendAnswer, { chart }: TrendQuery): AnswerTable =>
  wholes.includes(chart) ? tableOfTotals(answer) : tableOfBuckets(answer)

function tableOfTotals({ lines, compared }: TrendAnswer): AnswerTable {
  const total = { name: 'Total', as: lines[0]?.as ?? 'number', ...marginAmong(lines) }
  const columns: AnswerColumn[] = [{ name: 'Name', as: 'text' }, total]
  const rows = lines.map((line): AnswerCell[] => [line.label, line.total])
  if (!compared) return { columns, rows }
  return {
    columns: [...columns, { ...total, name: 'Previous total' }],
    rows: rows.map((row, i) => [...row, lines[i]?.compared?.total ?? null]),
  }
}

function tableOfBuckets({ starts, lines }: TrendAnswer): AnswerTable {
  const columns = lines.flatMap(({ label, as, within, values, compared }) => {
    const column = { name: label, as, ...(within !== undefined && { within }) }
    return [
      { column, values },
      ...(compared ? [{ column: { ...column, name: `${label}, before` }, values: compared.values }] : []),
    ]
  })
  return {
    columns: [{ name: 'From', as: 'date' }, ...columns.map(({ column }) => column)],
    rows: starts.map((start, i) => [start, ...columns.map(({ values }) => values[i] ?? null)]),
  }
}
