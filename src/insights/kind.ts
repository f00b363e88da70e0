import { z, type ZodType } from 'zod'
import type { Sql } from '../engine/sql'
import type { Right } from '../projects/access'
import { type Outcome, undone } from '../projects/problems'
import { type MissingCohort, missingCohort } from './cohorts-named'
import { readAs } from './complaints'
import type { Asked, Scope } from './scope'

/** A kind of question: what can be asked, and how it is answered. How it is drawn is in the kind's `Chart.tsx`. */
export interface Kind<Question extends Asked, Answer, Point> {
  label: string
  about: string
  /** What it takes to ask it, beside the right to see events. */
  right?: Right
  question: ZodType<Question>
  /** What a schema cannot see, such as more buckets than anybody could read, is told as a problem. */
  answer: (question: Question, scope: Scope) => Promise<Outcome<{ answer: Answer }>>
  /** The same as rows: for files, for the API, and for those who cannot see a chart. */
  table: (answer: Answer, question: Question) => AnswerTable
  /** Who is behind one number of the answer. */
  behind?: Behind<Question, Point>
}

export interface Behind<Question, Point> {
  point: ZodType<Point>
  /** A statement that selects each `person` once. */
  persons: (question: Question, point: Point, scope: Scope) => Promise<Outcome<{ statement: Sql }>>
}

export interface AnswerTable {
  columns: AnswerColumn[]
  rows: Cell[][]
}
export type Cell = string | number | null

export interface AnswerColumn {
  name: string
  /** How its values are written for people. */
  as: 'text' | 'number' | 'percent' | 'duration' | 'money' | 'date'
}

/** A question that was read and can be answered, whatever its kind. */
export interface ReadyQuestion {
  question: Asked
  right: Right | undefined
  answer: (scope: Scope) => Promise<Outcome<{ answer: unknown; table: AnswerTable }>>
  personsBehind: ((point: unknown, scope: Scope) => Promise<Outcome<{ statement: Sql }>>) | undefined
}

/** A kind, where it does not matter which. */
export interface AnyKind {
  label: string
  about: string
  question: ZodType
  read: (input: unknown) => Outcome<{ ready: ReadyQuestion }>
}

/** Makes a kind one of the list: from here on its question only ever meets its own answer. */
export function kindOf<Question extends Asked, Answer, Point = never>(
  kind: Kind<Question, Answer, Point>,
): AnyKind {
  const read = (input: unknown): Outcome<{ ready: ReadyQuestion }> => {
    const parsed = readAs(kind.question, input)
    return parsed.done ? { done: true, ready: ready(kind, parsed.value) } : parsed
  }
  return { label: kind.label, about: kind.about, question: kind.question, read }
}

function ready<Question extends Asked, Answer, Point>(
  kind: Kind<Question, Answer, Point>,
  question: Question,
): ReadyQuestion {
  const { behind } = kind
  return {
    question,
    right: kind.right,
    answer: async (scope) => {
      const missing = missingCohort(question, scope)
      if (missing) return noCohort(missing)
      const outcome = await kind.answer(question, scope)
      if (!outcome.done) return outcome
      return { done: true, answer: outcome.answer, table: kind.table(outcome.answer, question) }
    },
    personsBehind:
      behind &&
      (async (input, scope) => {
        const missing = missingCohort(question, scope)
        if (missing) return noCohort(missing)
        const point = readAs(behind.point, input)
        return point.done ? await behind.persons(question, point.value, scope) : point
      }),
  }
}

const noCohort = ({ id, field }: MissingCohort) =>
  undone(`There is no cohort "${id}" in this project. Choose another.`, field)

/** For kinds whose points are told by the place in the answer alone. */
export const place = z.number().int().min(0).max(100_000)
