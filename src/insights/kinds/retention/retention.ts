import { groupNamesIn } from '../../compile/group-names'
import { breakdownValueName } from '../../text/breakdown-names'
import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { intervalsIn } from '../../calendar/intervals'
import { defineKind, place } from '../../kind'
import type { Buckets } from '../../calendar/period'
import { questionPeriod } from '../../question'
import type { QuestionScope } from '../../scope'
import { type RetentionAnswer, type RetentionSeries, retentionAnswer, retentionTable } from './answer'
import { type CellOfPersons, personsOf, retention, type RetentionCell } from './query'
import { mostIntervals, type RetentionQuestion, retentionQuestion } from './question'

/** A cell: the persons of its cohort who returned, or those who did not. */
const cell = z.object({
  series: place.default(0),
  cohort: place,
  interval: place,
  returned: z.boolean().default(true),
})
type RetentionPoint = z.infer<typeof cell>

export const retentionKind = defineKind<RetentionQuestion, RetentionAnswer, RetentionPoint>({
  label: 'Retention',
  about: 'How many persons return, and after how long.',
  question: retentionQuestion,
  answer,
  table: retentionTable,
  behind: { point: cell, persons },
})

async function answer(
  question: RetentionQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: RetentionAnswer }>> {
  const asked = await cohortsOf(question, scope)
  if (!asked.done) return asked
  const cells = await scope.run<RetentionCell>(retention(question, scope, asked.buckets))
  const found = retentionAnswer(question, cells, asked.buckets, scope.calendar.now)
  return { done: true, answer: { ...found, series: await withGroupNames(found.series, question, scope) } }
}

async function withGroupNames(
  series: readonly RetentionSeries[],
  { breakdown }: RetentionQuestion,
  scope: QuestionScope,
): Promise<RetentionSeries[]> {
  const values = series.map((one) => one.breakdown)
  const names = await groupNamesIn([breakdown], values, scope)
  return series.map((one) => {
    const [value] = one.breakdown
    return names.size > 0 && value ? { ...one, name: breakdownValueName(breakdown, value, names) } : one
  })
}

async function cohortsOf(
  question: RetentionQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ buckets: Buckets }>> {
  return intervalsIn(await questionPeriod(question, scope), question.interval, mostIntervals, scope)
}

async function persons(
  question: RetentionQuestion,
  point: RetentionPoint,
  scope: QuestionScope,
): Promise<Outcome<{ statement: Sql }>> {
  if (question.per !== 'person')
    return failedOutcome('This counts groups. Count by persons to list them.', 'per')
  const asked = await cohortsOf(question, scope)
  if (!asked.done) return asked
  if (point.cohort + point.interval >= asked.buckets.starts.length)
    return failedOutcome(`There are ${asked.buckets.starts.length} intervals, counted from 0.`, 'interval')
  if (!question.breakdown) return { done: true, statement: personsOf(question, point, scope, asked.buckets) }
  const cells = await scope.run<RetentionCell>(retention(question, scope, asked.buckets))
  const values = valuesOfSeries(cells, point.series, question.limit)
  if (!values) return failedOutcome('This series no longer exists. Load the insight again.', 'series')
  return { done: true, statement: personsOf(question, { ...point, values }, scope, asked.buckets) }
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
