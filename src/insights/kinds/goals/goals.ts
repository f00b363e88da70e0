import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { everyVisitor, marginOf } from '#insights/approximation'
import { type AnswerTable, defineKind, pointIndex } from '#insights/kind'
import { bucketsOfQuery } from '#insights/calendar/intervals'
import { type Buckets, bucketsOf, type Period } from '#insights/calendar/period'
import { comparablePeriods } from '#insights/compile/internal/comparable-periods'
import { share } from '#insights/compile/visits'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import type { GoalFigures, GoalsAnswer } from './answer'
import { goalCounts, type GoalCountRow, personsWhoReached } from './query'
import { type GoalsQuery, goalsQuery } from './schema'

const point = z.object({ goal: pointIndex })
type GoalPoint = z.infer<typeof point>

export const goalsKind = defineKind<GoalsQuery, GoalsAnswer, GoalPoint>({
  about: 'How many visitors reach each of several goals, and what they pay there.',
  query: goalsQuery,
  answer,
  table,
  counted: everyVisitor,
  behind: { point, persons },
})

async function answer(query: GoalsQuery, scope: QueryScope): Promise<Outcome<{ answer: GoalsAnswer }>> {
  const found = await bucketsOfQuery(query, scope)
  if (!found.done) return found
  const { period, interval, buckets } = found
  const compared =
    query.compare === undefined ? undefined : comparablePeriods(period, query.compare, scope.calendar)
  const comparedBuckets = compared && bucketsOf(compared.part, interval, scope.calendar)
  const [rows, before] = await Promise.all([
    scope.run<GoalCountRow>(goalCounts(query, scope, period, buckets)),
    compared && comparedBuckets
      ? scope.run<GoalCountRow>(goalCounts(query, scope, compared.part, comparedBuckets))
      : undefined,
  ])
  const goals = query.goals.map((_, index) => ({
    figures: figuresIn(rows, index),
    course: courseOf(rows, index, buckets),
    ...(before && { compared: figuresIn(before, index) }),
  }))
  const starts = buckets.starts.map((start) => start.toISOString())
  return {
    done: true,
    answer: { interval, starts, lastIsIncomplete: buckets.end > scope.calendar.now, goals },
  }
}

function figuresIn(rows: readonly GoalCountRow[], index: number): GoalFigures {
  const row = rows.find(({ goal, is_whole }) => goal === index + 1 && is_whole === 1)
  const { visitors = 0, conversions = 0, times = 0, revenue = 0 } = row ?? {}
  return { conversions, rate: share(conversions, visitors), times, revenue }
}

function courseOf(rows: readonly GoalCountRow[], index: number, { starts }: Buckets): number[] {
  const own = rows.filter(({ goal, is_whole }) => goal === index + 1 && is_whole === 0)
  const byBucket = new Map(own.map(({ bucket, conversions }) => [bucket, conversions]))
  return starts.map((start) => byBucket.get(start.getTime()) ?? 0)
}

async function persons(
  query: GoalsQuery,
  { goal }: GoalPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  if (goal >= query.goals.length) return failedOutcome(`There is no goal ${goal + 1} in this query.`, 'goal')
  const period: Period = await queryPeriod(query, scope)
  return { done: true, statement: personsWhoReached(query, goal, scope, period) }
}

function table(
  { goals }: GoalsAnswer,
  _query: GoalsQuery,
  { isApproximate }: Pick<QueryScope, 'isApproximate'>,
): AnswerTable {
  return {
    columns: [
      { name: 'Goal', as: 'number' },
      { name: 'Conversions', as: 'number', ...marginOf(isApproximate) },
      { name: 'Conversion rate', as: 'percent', ...marginOf(isApproximate) },
      { name: 'Times', as: 'number' },
      { name: 'Revenue', as: 'money' },
    ],
    rows: goals.map(({ figures: { conversions, rate, times, revenue } }, index) => [
      index + 1,
      conversions,
      rate,
      times,
      revenue,
    ]),
  }
}
