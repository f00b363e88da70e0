import { systemEvents } from '#events/taxonomy'
import type { Filter } from '#filters/filter'
import { bucketsOf } from '#insights/calendar/period'
import type { SavedGoal } from '#insights/goals/goals'
import type { TrendAnswer, TrendLine } from '#insights/kinds/trend/answer'
import { failedOutcome, type Outcome } from '#projects/problems'
import { allOf } from './conditions'
import type { MetricFigures, MetricName } from './metrics'
import {
  ask,
  type Grouping,
  type StatsCall,
  type StatsQuery,
  type StatsRow,
  type StatsRows,
  wholeFilter,
} from './stats-query'

/** Numbers that are counted of events. */
type CountName = 'visitors' | 'visits' | 'pageviews' | 'events' | 'bounces' | 'viewed' | 'total' | 'average'

/** Plausible counts views and custom events, and nothing that a script reports by itself. */
const sent: Filter = { type: 'event', key: '$event', operator: 'is_not', value: [...systemEvents] }
const views: Filter = { type: 'event', key: '$event', operator: 'exact', value: ['$pageview', '$screen'] }
const ofVisit = (key: string): Filter => ({ type: 'session', key, operator: 'gt', value: 0 })
const revenue = { type: 'event', key: '$revenue' }

const series: Readonly<Record<CountName, { filter: Filter; measure: object }>> = {
  visitors: { filter: sent, measure: { math: 'persons' } },
  visits: { filter: sent, measure: { math: 'sessions' } },
  events: { filter: sent, measure: { math: 'total' } },
  pageviews: { filter: views, measure: { math: 'total' } },
  bounces: { filter: allOf([sent, ofVisit('$is_bounce')]), measure: { math: 'sessions' } },
  viewed: { filter: allOf([sent, ofVisit('$pageview_count')]), measure: { math: 'sessions' } },
  total: { filter: sent, measure: { math: 'sum', property: revenue } },
  average: { filter: sent, measure: { math: 'average', property: revenue } },
}

const countsOf: Partial<Record<MetricName, readonly CountName[]>> = {
  visitors: ['visitors'],
  visits: ['visits'],
  pageviews: ['pageviews'],
  events: ['events'],
  views_per_visit: ['pageviews', 'visits'],
  bounce_rate: ['bounces', 'viewed'],
  total_revenue: ['total'],
  average_revenue: ['average'],
}

type Counts = Partial<Record<CountName, number | null>>

const shareOf = (part: number | null | undefined, whole: number | null | undefined): number | null =>
  whole ? (part ?? 0) / whole : null

const figuresFrom = (counts: Counts): MetricFigures => ({
  visitors: counts.visitors ?? 0,
  visits: counts.visits ?? 0,
  pageviews: counts.pageviews ?? 0,
  events: counts.events ?? 0,
  views_per_visit: shareOf(counts.pageviews, counts.visits),
  bounce_rate: shareOf(counts.bounces, counts.viewed),
  total_revenue: counts.total ?? 0,
  average_revenue: counts.average ?? null,
})

/** The most lines that a trend gives, and its points. */
const mostLines = 1000
const mostPoints = 150_000

/** Counts events by any dimensions, for what web analytics has no panel of. */
export async function figuresOfEvents(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const place = query.groupings.findIndex(({ by }) => by === 'goal')
  if (place < 0) return await figuresWithin(query, call)
  const goals = goalsAskedFor(query, call)
  if (goals.length > mostGoals)
    return failedOutcome(`Tilth answers this for ${mostGoals} goals at most. Filter by event:goal.`)
  const rows: StatsRow[] = []
  for (const goal of goals) {
    const groupings = query.groupings.filter(({ by }) => by !== 'goal')
    const filters = { ...query.filters, goals: [[goal]] }
    const found = await figuresWithin({ ...query, groupings, filters }, call)
    if (!found.done) return found
    rows.push(
      ...found.rows.map(({ values, figures }) => ({
        values: values.toSpliced(place, 0, goal.name),
        figures,
      })),
    )
  }
  const reached = rows.filter(({ figures }) => hasAny(figures))
  return { done: true, rows: reached, inAll: reached.length }
}

const mostGoals = 50

const hasAny = (figures: MetricFigures): boolean =>
  Object.values(figures).some((value) => value !== null && value !== 0)

/** The project's goals, or those of them that a filter names. */
function goalsAskedFor({ filters }: StatsQuery, { goals }: StatsCall): readonly SavedGoal[] {
  return goals.filter(({ id }) => filters.goals.every((wanted) => wanted.some((goal) => goal.id === id)))
}

async function figuresWithin(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const joined = wholeFilter(query.filters)
  if (!joined.done) return joined
  const names = [...new Set(query.metrics.flatMap((metric) => countsOf[metric] ?? []))]
  const time = query.groupings.find(({ by }) => by === 'time')
  const breakdowns = query.groupings.flatMap((grouping) => breakdownOf(grouping) ?? [])
  if (breakdowns.length > 3) return failedOutcome('Tilth groups by three dimensions at most, and by time.')
  const interval = time?.by === 'time' ? time.interval : 'month'
  const buckets = bucketsOf(query.range, interval, call.scope.calendar)?.starts.length ?? mostPoints
  const limit = Math.min(mostLines, Math.floor(mostPoints / (names.length * buckets)))
  if (limit < 1)
    return failedOutcome('The date range is too long for this interval. Choose a longer interval.')
  const outcome = await ask(call, {
    kind: 'trend',
    period: query.period,
    ...(joined.filter && { filter: joined.filter }),
    series: names.map((name) => ({ event: null, label: name, ...series[name] })),
    breakdowns,
    interval,
    limit: breakdowns.length > 0 ? limit : 1,
    chart: 'table',
  })
  if (!outcome.done) return outcome
  const { valuesInAll = 0 } = outcome.answer
  if (valuesInAll > limit)
    return failedOutcome(
      `There are ${valuesInAll} rows, and Tilth counts up to ${limit} by these dimensions. Add a filter, or use a shorter date range.`,
    )
  const rows = rowsFrom(outcome.answer, names, query)
  return { done: true, rows, inAll: rows.length }
}

const breakdownOf = (grouping: Grouping) =>
  grouping.by === 'value' ? { type: grouping.dimension.type, key: grouping.dimension.key } : undefined

/** One row for each line, or for each bucket of it. */
function rowsFrom(
  { lines, starts }: TrendAnswer,
  names: readonly CountName[],
  query: StatsQuery,
): StatsRow[] {
  const byValues = new Map<string, (TrendLine | undefined)[]>()
  for (const line of lines) {
    const key = JSON.stringify(line.breakdown)
    const ofKey = byValues.get(key) ?? names.map(() => undefined)
    if (typeof line.series === 'number') ofKey[line.series] = line
    byValues.set(key, ofKey)
  }
  const place = query.groupings.findIndex(({ by }) => by === 'time')
  const grouping = query.groupings[place]
  return [...byValues].flatMap(([key, ofKey]) => {
    // the key was written above
    const values = JSON.parse(key) as (string | null)[]
    const rowOf = (value: (line: TrendLine) => number | null | undefined, start?: string): StatsRow => {
      const entries = names.map((name, index) => {
        const line = ofKey[index]
        return [name, line ? value(line) : undefined] as const
      })
      return {
        values: start === undefined ? values : values.toSpliced(place, 0, start),
        figures: figuresFrom(Object.fromEntries(entries)),
      }
    }
    if (grouping?.by !== 'time') return [rowOf((line) => line.total)]
    return starts
      .map((start, index) => rowOf((line) => line.values[index], start))
      .filter(({ figures }) => hasAny(figures))
  })
}

/** The visitors who reached each goal, the events that did, and their revenue. */
export async function figuresOfGoals(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const goals = goalsAskedFor(query, call)
  if (goals.length === 0) return { done: true, rows: [], inAll: 0 }
  const joined = wholeFilter({ ...query.filters, goals: [] })
  if (!joined.done) return joined
  const outcome = await ask(call, {
    kind: 'goals',
    period: query.period,
    ...(joined.filter && { filter: joined.filter }),
    goals: goals.map(({ goal }) => goal),
  })
  if (!outcome.done) return outcome
  const rows = goals.flatMap(({ name }, index): StatsRow[] => {
    const figures = outcome.answer.goals[index]?.figures
    if (!figures || figures.times === 0) return []
    const { conversions, times, rate, revenue: amount } = figures
    return [
      {
        values: [name],
        figures: {
          visitors: conversions,
          events: times,
          conversion_rate: rate,
          group_conversion_rate: rate,
          total_revenue: amount === 0 ? null : amount,
        },
      },
    ]
  })
  return { done: true, rows, inAll: rows.length }
}
