import { z } from 'zod'
import type { Sql } from '../../../engine/sql'
import { type Outcome, undone } from '../../../projects/problems'
import { intervalsIn, overBy, type ReturnInterval } from '../../intervals'
import { type AnswerTable, kindOf, place } from '../../kind'
import { mostMarks } from '../../marks'
import { type Buckets, bucketStart } from '../../period'
import { periodAsked } from '../../question'
import type { Scope } from '../../scope'
import { lifecycle, type LifecycleRow, personsIn } from './query'
import { type LifecycleQuestion, lifecycleQuestion, type LifecycleState } from './question'

export interface LifecycleAnswer {
  interval: ReturnInterval
  /** When each interval begins. */
  starts: string[]
  /** When the last one ends. */
  end: string
  /** How many intervals are over; of the others, who is dormant may still come. */
  complete: number
  /** New, returning and resurrecting together. */
  active: number[]
  new: number[]
  returning: number[]
  resurrecting: number[]
  /** Who was active in the interval before and is not in this one: a number of persons, never negative. */
  dormant: number[]
}

const stateOfInterval = z.object({
  bucket: place,
  state: z.enum(['new', 'returning', 'resurrecting', 'dormant']),
})
type Point = z.infer<typeof stateOfInterval>

export const lifecycleKind = kindOf<LifecycleQuestion, LifecycleAnswer, Point>({
  label: 'Lifecycle',
  about: 'Who is new, who stays, who comes back and who is lost.',
  question: lifecycleQuestion,
  answer,
  table,
  behind: { point: stateOfInterval, persons },
})

async function answer(
  question: LifecycleQuestion,
  scope: Scope,
): Promise<Outcome<{ answer: LifecycleAnswer }>> {
  const asked = await intervalsOf(question, scope)
  if (!asked.done) return asked
  const { shown, withBefore } = asked
  const rows = await scope.run<LifecycleRow>(lifecycle(question, scope, withBefore))
  return {
    done: true,
    answer: {
      interval: question.interval,
      starts: shown.starts.map((start) => start.toISOString()),
      end: shown.end.toISOString(),
      complete: overBy(shown, scope.calendar.now),
      ...statesOf(rows, shown.starts.length),
    },
  }
}

async function intervalsOf(
  question: LifecycleQuestion,
  scope: Scope,
): Promise<Outcome<{ shown: Buckets; withBefore: Buckets }>> {
  const { interval } = question
  const asked = intervalsIn(await periodAsked(question, scope), interval, mostMarks - 1, scope)
  if (!asked.done) return asked
  const { starts, end } = asked.buckets
  const [first = end] = starts
  const before = bucketStart(new Date(first.getTime() - 1), interval, scope.calendar)
  return { done: true, shown: asked.buckets, withBefore: { starts: [before, ...starts], end } }
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
  question: LifecycleQuestion,
  point: Point,
  scope: Scope,
): Promise<Outcome<{ statement: Sql }>> {
  const asked = await intervalsOf(question, scope)
  if (!asked.done) return asked
  const { shown, withBefore } = asked
  if (point.bucket >= shown.starts.length)
    return undone(`There are ${shown.starts.length} intervals, counted from 0.`, 'bucket')
  const of = { state: point.state, interval: point.bucket + 1 }
  return { done: true, statement: personsIn(question, of, scope, withBefore) }
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
