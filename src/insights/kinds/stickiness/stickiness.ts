import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { eventLabel } from '#events/taxonomy'
import { type Outcome, failedOutcome } from '#projects/problems'
import { intervalsIn } from '#insights/calendar/intervals'
import { type AnswerTable, defineKind, pointIndex } from '#insights/kind'
import { mostIntervalsInBitmask } from '#insights/compile/internal/activity-bitmask'
import { type Buckets, comparedSoFar, comparedWith, type Period } from '#insights/calendar/period'
import { type EventMatcher, queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import type { StickinessAnswer, StickinessCourse } from './answer'
import { personsOn, stickiness, type StickinessRow } from './query'
import { type StickinessQuery, stickinessQuery } from './schema'

const bar = z.object({
  series: pointIndex,
  n: z.number().int().min(1, 'Use at least 1.').max(mostIntervalsInBitmask),
})
type StickinessPoint = z.infer<typeof bar>

export const stickinessKind = defineKind<StickinessQuery, StickinessAnswer, StickinessPoint>({
  about: 'On how many days persons are active.',
  query: stickinessQuery,
  answer,
  table,
  behind: { point: bar, persons },
})

async function answer(
  query: StickinessQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: StickinessAnswer }>> {
  const period = await queryPeriod(query, scope)
  const { compare } = query
  const other = compare === undefined ? undefined : otherThan(period, compare, scope)
  const [course, compared] = await Promise.all([
    courseOf(query, scope, period),
    other && (other.from < other.until ? courseOf(query, scope, other) : emptyCourse(query, other)),
  ])
  if (!course.done) return course
  if (compared && !compared.done) return compared
  const { interval, every, cumulative, series } = query
  return {
    done: true,
    answer: {
      interval,
      every,
      cumulative,
      labels: series.map(labelOf),
      ...course.course,
      ...(compared && { compared: compared.course }),
    },
  }
}

/** Limits the compared period to the elapsed part of this one: half a week has no five active days. */
const otherThan = (period: Period, compare: string, { calendar }: QueryScope): Period =>
  comparedSoFar(comparedWith(period, compare, calendar), period, calendar)

async function courseOf(
  query: StickinessQuery,
  scope: QueryScope,
  period: Period,
): Promise<Outcome<{ course: StickinessCourse }>> {
  const outcome = intervalsOf(query, scope, period)
  if (!outcome.done) return outcome
  const { starts, end } = outcome.buckets
  const rows = await scope.run<StickinessRow>(stickiness(query, scope, period, outcome.buckets))
  const exact = query.series.map((_, series) => countsOf(rows, series + 1, starts.length))
  return {
    done: true,
    course: {
      starts: starts.map((start) => start.toISOString()),
      end: end.toISOString(),
      counts: query.cumulative ? exact.map(atLeast) : exact,
      totals: exact.map((counts) => counts.reduce((total, count) => total + count, 0)),
    },
  }
}

/** The previous day may be one that the calendar skips. */
const emptyCourse = (
  { series }: StickinessQuery,
  { until }: Period,
): { done: true; course: StickinessCourse } => ({
  done: true,
  course: { starts: [], end: until.toISOString(), counts: series.map(() => []), totals: series.map(() => 0) },
})

function intervalsOf(
  query: StickinessQuery,
  scope: QueryScope,
  period: Period,
): Outcome<{ buckets: Buckets }> {
  const { interval, every } = query
  const outcome = intervalsIn(period, interval, mostIntervalsInBitmask * every, scope)
  if (!outcome.done) return outcome
  const { starts, end } = outcome.buckets
  return { done: true, buckets: { starts: starts.filter((_, i) => i % every === 0), end } }
}

function countsOf(rows: readonly StickinessRow[], series: number, intervals: number): number[] {
  const own = rows.filter((row) => row.series === series)
  const counted = new Map(own.map((row) => [row.intervals, row.counted]))
  return Array.from({ length: intervals }, (_, i) => counted.get(i + 1) ?? 0)
}

const atLeast = (counts: readonly number[]): number[] =>
  counts.map((_, i) => counts.slice(i).reduce((total, count) => total + count, 0))

const labelOf = ({ event, label }: EventMatcher): string =>
  label ?? (event === null ? 'Any event' : eventLabel(event))

async function persons(
  query: StickinessQuery,
  point: StickinessPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  if (query.per !== 'person')
    return failedOutcome('This counts groups. Count by persons to list them.', 'per')
  if (point.series >= query.series.length)
    return failedOutcome(`There are ${query.series.length} series, counted from 0.`, 'series')
  const period = await queryPeriod(query, scope)
  const outcome = intervalsOf(query, scope, period)
  if (!outcome.done) return outcome
  return { done: true, statement: personsOn(query, point, scope, period, outcome.buckets) }
}

function table({ labels, counts, starts, compared }: StickinessAnswer): AnswerTable {
  const before = compared ? labels.map((label) => ({ name: `${label}, before`, as: 'number' as const })) : []
  return {
    columns: [
      { name: 'Intervals', as: 'number' },
      ...labels.map((name) => ({ name, as: 'number' as const })),
      ...before,
    ],
    rows: starts.map((_, i) => [
      i + 1,
      ...counts.map((course) => course[i] ?? 0),
      ...(compared?.counts ?? []).map((course) => course[i] ?? 0),
    ]),
  }
}
