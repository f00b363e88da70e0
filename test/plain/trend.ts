import type { Measure } from '#insights/compile/measure'
import {
  bucketsOf,
  comparedSoFar,
  comparedWith,
  daysBefore,
  endOfDay,
  type Period,
  periodOn,
  usualInterval,
} from '#insights/calendar/period'
import type { TrendQuery, TrendSeries } from '#insights/kinds/trend/schema'
import { timeOf, type TestEvent } from '../product/test-engine'
import { linesOf, matchingEvents, type PlainTrendWorld, rankedKeys } from './keys'
import { measureOf } from './numbers'

/** A line of a trend, computed event by event without SQL. */
interface PlainLine {
  series: number | string
  breakdown: (string | null)[]
  isOthers: boolean
  values: (number | null)[]
  total: number | null
  compared?: { values: (number | null)[]; total: number | null }
}

interface PlainAnswer {
  valuesInAll?: number
  lines: PlainLine[]
}

/** The number of days that measures of active persons look back over. */
const lookBack: Partial<Record<Measure['math'], number>> = {
  daily_actives: 1,
  weekly_actives: 7,
  monthly_actives: 30,
}

type Numbers = Pick<PlainLine, 'values' | 'total'>

export function plainTrend(query: TrendQuery, world: PlainTrendWorld): PlainAnswer {
  const period = periodOn(world.calendar, query.period)
  const insightQuery = { ...query, interval: query.interval ?? usualInterval(period) }
  const other = insightQuery.compare ? comparedWith(period, insightQuery.compare, world.calendar) : undefined
  const keys = insightQuery.breakdowns.length > 0 ? rankedKeys(insightQuery, world, period) : [[]]
  const shown = keys
    .slice(0, insightQuery.breakdowns.length > 0 ? insightQuery.limit : 1)
    .map((key) => JSON.stringify(key))
  const untilNow =
    startsOf(insightQuery, world, period).find((start) => start > world.calendar.now) ?? period.until
  const numbers = (of: TrendQuery['series'][number], line: string, time: Period, until: Date): Numbers =>
    numbersOf(
      insightQuery,
      world,
      of,
      (event) => linesOf(event, insightQuery, world, shown).includes(line),
      time,
      until,
    )

  const drawn = [...shown, 'others'].flatMap((line) => {
    const main = insightQuery.series.map((one) => numbers(one, line, period, untilNow))
    const before =
      other && insightQuery.series.map((one) => numbers(one, line, other, soFar(other, period, world)))
    if (line === 'others' && keys.length === shown.length && isNothing([...main, ...(before ?? [])]))
      return []
    return withRatio(main).map((figures, i): PlainLine => {
      const compared = before && withRatio(before)[i]
      return {
        series: i < insightQuery.series.length ? i : 'formula 1',
        breakdown: line === 'others' ? [] : JSON.parse(line),
        isOthers: line === 'others',
        values: leftOpen(smooth(figures.values, insightQuery), insightQuery, world, period),
        total: figures.total,
        ...(compared && {
          compared: { values: smooth(compared.values, insightQuery), total: compared.total },
        }),
      }
    })
  })
  return { lines: drawn, ...(insightQuery.breakdowns.length > 0 && { valuesInAll: keys.length }) }
}

const isNothing = (numbers: Numbers[]): boolean =>
  numbers.every(({ values, total }) => [...values, total].every((value) => !value))

const soFar = (other: Period, period: Period, { calendar }: PlainTrendWorld): Date =>
  comparedSoFar(other, period, calendar).until

/** The formula of all these queries is "A / B". */
function withRatio(series: Numbers[]): Numbers[] {
  const [one, other] = series
  if (!one || !other) return series
  const ratio = (a: number | null | undefined, b: number | null | undefined) =>
    typeof a === 'number' && typeof b === 'number' && b !== 0 ? a / b : null
  return [
    ...series,
    { values: one.values.map((a, i) => ratio(a, other.values[i])), total: ratio(one.total, other.total) },
  ]
}

function numbersOf(
  query: TrendQuery,
  world: PlainTrendWorld,
  series: TrendSeries,
  isOnLine: (event: TestEvent) => boolean,
  time: Period,
  until: Date,
): Numbers {
  const { measure } = series
  const days = lookBack[measure.math]
  const events = matchingEvents(series, world).filter(isOnLine)
  const within = (from: Date, to: Date) =>
    events.filter((event) => from <= timeOf(event) && timeOf(event) < to)
  const at = (from: Date, to: Date) => {
    if (days === undefined) return measureOf(within(from < time.from ? time.from : from, to), measure)
    const end = lookedBackFrom(to, time, world)
    return measureOf(
      within(daysBefore(isByDay(query) ? endOfDay(end, world.calendar) : end, days, world.calendar), end),
      measure,
    )
  }
  const ends = endsOf(query, world, time)
  const values = startsOf(query, world, time).map((start, i) => {
    const end = min(ends[i] ?? time.until, time.until)
    return at(query.cumulative ? time.from : start, end)
  })
  return { values, total: at(time.from, until) }
}

const isByDay = ({ interval }: TrendQuery): boolean => interval !== 'minute' && interval !== 'hour'
const min = (one: Date, other: Date) => (one < other ? one : other)

const lookedBackFrom = (end: Date, time: Period, { calendar }: PlainTrendWorld): Date =>
  min(min(end, time.until), endOfDay(new Date(calendar.now.getTime() + 1), calendar))

function bucketsIn({ interval }: TrendQuery, { calendar }: PlainTrendWorld, time: Period) {
  const buckets = bucketsOf(time, interval ?? usualInterval(time), calendar)
  if (!buckets) throw new Error('Too many buckets for a small case.')
  return buckets
}

const startsOf = (query: TrendQuery, world: PlainTrendWorld, time: Period) =>
  bucketsIn(query, world, time).starts

function endsOf(query: TrendQuery, world: PlainTrendWorld, time: Period): Date[] {
  const { starts, end } = bucketsIn(query, world, time)
  return [...starts.slice(1), end]
}

function smooth(values: (number | null)[], { smoothing }: TrendQuery): (number | null)[] {
  if (smoothing === undefined) return values
  return values.map((_, i) => {
    const known = values.slice(Math.max(0, i - smoothing + 1), i + 1).flatMap((value) => value ?? [])
    return known.length > 0 ? known.reduce((one, other) => one + other) / known.length : null
  })
}

/** Leaves values of the future open. */
function leftOpen(
  values: (number | null)[],
  query: TrendQuery,
  world: PlainTrendWorld,
  time: Period,
): (number | null)[] {
  const starts = startsOf(query, world, time)
  return values.map((value, i) => ((starts[i] ?? time.from) > world.calendar.now ? null : value))
}
