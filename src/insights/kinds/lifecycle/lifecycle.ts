import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { intervalsIn, completedBuckets } from '#insights/calendar/intervals'
import { type AnswerTable, defineKind, pointIndex } from '#insights/kind'
import { mostIntervalsInBitmask } from '#insights/compile/internal/activity-bitmask'
import { type Buckets, bucketStart } from '#insights/calendar/period'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import type { LifecycleAnswer } from './answer'
import { lifecycle, type LifecycleRow, personsIn } from './query'
import { type LifecycleQuery, lifecycleQuery, type LifecycleState } from './schema'

const stateOfInterval = z.object({
  bucket: pointIndex,
  state: z.enum(['new', 'returning', 'resurrecting', 'dormant']),
})
type LifecyclePoint = z.infer<typeof stateOfInterval>

export const lifecycleKind = defineKind<LifecycleQuery, LifecycleAnswer, LifecyclePoint>({
  about: 'New, returning, resurrecting and dormant persons.',
  query: lifecycleQuery,
  answer,
  table,
  behind: { point: stateOfInterval, persons },
})

async function answer(
  query: LifecycleQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: LifecycleAnswer }>> {
  const outcome = await intervalsOf(query, scope)
  if (!outcome.done) return outcome
  const { shown, withBefore } = outcome
  const rows = await scope.run<LifecycleRow>(lifecycle(query, scope, withBefore))
  return {
    done: true,
    answer: {
      interval: query.interval,
      starts: shown.starts.map((start) => start.toISOString()),
      end: shown.end.toISOString(),
      complete: completedBuckets(shown, scope.calendar.now),
      ...statesOf(rows, shown.starts.length),
    },
  }
}

async function intervalsOf(
  query: LifecycleQuery,
  scope: QueryScope,
): Promise<Outcome<{ shown: Buckets; withBefore: Buckets }>> {
  const { interval } = query
  const outcome = intervalsIn(await queryPeriod(query, scope), interval, mostIntervalsInBitmask - 1, scope)
  if (!outcome.done) return outcome
  const { starts, end } = outcome.buckets
  const [first = end] = starts
  const before = bucketStart(new Date(first.getTime() - 1), interval, scope.calendar)
  return { done: true, shown: outcome.buckets, withBefore: { starts: [before, ...starts], end } }
}

function statesOf(rows: readonly LifecycleRow[], intervals: number) {
  const course = (state: LifecycleState) => {
    const own = rows.filter((row) => row.state === state)
    const counts = new Map(own.map((row) => [row.interval, row.persons]))
    return Array.from({ length: intervals }, (_, i) => counts.get(i + 1) ?? 0)
  }
  const [fresh, returning, resurrecting] = [course('new'), course('returning'), course('resurrecting')]
  const active = fresh.map((count, i) => count + (returning[i] ?? 0) + (resurrecting[i] ?? 0))
  return { active, new: fresh, returning, resurrecting, dormant: course('dormant') }
}

async function persons(
  query: LifecycleQuery,
  point: LifecyclePoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  const outcome = await intervalsOf(query, scope)
  if (!outcome.done) return outcome
  const { shown, withBefore } = outcome
  if (point.bucket >= shown.starts.length)
    return failedOutcome(`There are ${shown.starts.length} intervals, counted from 0.`, 'bucket')
  const of = { state: point.state, interval: point.bucket + 1 }
  return { done: true, statement: personsIn(query, of, scope, withBefore) }
}

function table({ starts, active, ...states }: LifecycleAnswer): AnswerTable {
  return {
    columns: [
      { name: 'From', as: 'date' },
      { name: 'Active', as: 'number' },
      { name: 'New', as: 'number' },
      { name: 'Returning', as: 'number' },
      { name: 'Resurrecting', as: 'number' },
      { name: 'Dormant', as: 'number' },
    ],
    rows: starts.map((start, i) => [
      start,
      active[i] ?? 0,
      states.new[i] ?? 0,
      states.returning[i] ?? 0,
      states.resurrecting[i] ?? 0,
      states.dormant[i] ?? 0,
    ]),
  }
}
