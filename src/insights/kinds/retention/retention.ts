import { groupNamesIn } from '#insights/compile/internal/group-names'
import { breakdownValueName } from '#insights/text/breakdown-names'
import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { intervalsIn } from '#insights/calendar/intervals'
import { defineKind, pointIndex } from '#insights/kind'
import type { Buckets } from '#insights/calendar/period'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { type RetentionAnswer, type RetentionSeries, retentionAnswer, retentionTable } from './answer'
import { type CellOfPersons, personsOf, retention, type RetentionCell } from './query'
import { mostIntervals, type RetentionQuery, retentionQuery } from './schema'

/** A cell: the persons of its cohort who returned, or those who did not. */
const cell = z.object({
  series: pointIndex.default(0),
  cohort: pointIndex,
  interval: pointIndex,
  returned: z.boolean().default(true),
})
type RetentionPoint = z.infer<typeof cell>

export const retentionKind = defineKind<RetentionQuery, RetentionAnswer, RetentionPoint>({
  about: 'How many persons return, and after how long.',
  query: retentionQuery,
  answer,
  table: retentionTable,
  behind: { point: cell, persons },
})

async function answer(
  query: RetentionQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: RetentionAnswer }>> {
  const outcome = await cohortsOf(query, scope)
  if (!outcome.done) return outcome
  const cells = await scope.run<RetentionCell>(retention(query, scope, outcome.buckets))
  const found = retentionAnswer(query, cells, outcome.buckets, scope.calendar.now)
  return { done: true, answer: { ...found, series: await withGroupNames(found.series, query, scope) } }
}

async function withGroupNames(
  series: readonly RetentionSeries[],
  { breakdown }: RetentionQuery,
  scope: QueryScope,
): Promise<RetentionSeries[]> {
  const values = series.map((one) => one.breakdown)
  const names = await groupNamesIn([breakdown], values, scope)
  return series.map((one) => {
    const [value] = one.breakdown
    return names.size > 0 && value ? { ...one, name: breakdownValueName(breakdown, value, names) } : one
  })
}

async function cohortsOf(query: RetentionQuery, scope: QueryScope): Promise<Outcome<{ buckets: Buckets }>> {
  return intervalsIn(await queryPeriod(query, scope), query.interval, mostIntervals, scope)
}

async function persons(
  query: RetentionQuery,
  point: RetentionPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  if (query.per !== 'person')
    return failedOutcome('This counts groups. Count by persons to list them.', 'per')
  const outcome = await cohortsOf(query, scope)
  if (!outcome.done) return outcome
  if (point.cohort + point.interval >= outcome.buckets.starts.length)
    return failedOutcome(`There are ${outcome.buckets.starts.length} intervals, counted from 0.`, 'interval')
  if (!query.breakdown) return { done: true, statement: personsOf(query, point, scope, outcome.buckets) }
  const cells = await scope.run<RetentionCell>(retention(query, scope, outcome.buckets))
  const values = valuesOfSeries(cells, point.series, query.limit)
  if (!values) return failedOutcome('This series no longer exists. Load the insight again.', 'series')
  return { done: true, statement: personsOf(query, { ...point, values }, scope, outcome.buckets) }
}

/** The others are all persons whose value is not shown. */
function valuesOfSeries(
  cells: readonly RetentionCell[],
  series: number,
  limit: number,
): CellOfPersons['values'] {
  const byRank = new Map(cells.map(({ rank, value }) => [rank, value]))
  const keys = [...byRank.keys()].sort((one, other) => one - other)
  const rank = keys[series]
  if (rank === undefined) return undefined
  const shown = [...byRank].flatMap(([key, value]) => (key <= limit ? [value] : []))
  return rank > limit ? { among: false, keys: shown } : { among: true, keys: [byRank.get(rank) ?? ''] }
}
