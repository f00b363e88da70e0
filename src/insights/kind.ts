import { z, type ZodType } from 'zod'
import type { Sql } from '#engine/sql'
import type { Filter } from '#filters/filter'
import type { Right } from '#projects/access'
import { type Outcome, failedOutcome, parseInput } from '#projects/problems'
import type { BaseQuery, QueryScope } from './scope'

/** A kind of query: its schema and how it is answered. Its form and chart are in the kind's folder of the studio. */
interface InsightKind<Query extends BaseQuery, Answer, Point> {
  /** The sentence of docs/questions.md. */
  about: string
  /** The right that it needs besides the right to see events. */
  right?: Right
  query: ZodType<Query>
  /** Returns problems that a schema cannot detect, such as too many buckets. */
  answer: (query: Query, scope: QueryScope) => Promise<Outcome<{ answer: Answer }>>
  /** Returns the answer as rows, for files, the API and screen readers. */
  table: (answer: Answer, query: Query, scope: Pick<QueryScope, 'isApproximate'>) => AnswerTable
  /** Returns the events whose persons it counts; absent for kinds that read sets of persons, which are always exact. */
  counted?: (query: Query) => readonly CountedPersons[]
  /** The persons behind one number of the answer. */
  behind?: PersonsBehindPoint<Query, Point>
}

interface PersonsBehindPoint<Query, Point> {
  point: ZodType<Point>
  /** A statement that selects each `person` once. */
  persons: (query: Query, point: Point, scope: QueryScope) => Promise<Outcome<{ statement: Sql }>>
}

/** The persons of a count: those with one of these events. */
export interface CountedPersons {
  /** All names if absent. */
  names?: readonly string[] | undefined
  /** A condition besides those of the query. */
  filter?: Filter | undefined
  /** Whether visitor ids are counted and not persons. */
  byVisitorId?: boolean
}

export interface AnswerTable {
  columns: AnswerColumn[]
  rows: AnswerCell[][]
}
export type AnswerCell = string | number | null

export interface AnswerColumn {
  name: string
  /** The format of its values. */
  as: 'text' | 'number' | 'percent' | 'duration' | 'money' | 'date'
  /** The margin of its numbers, as a share of each; absent if they are exact. */
  within?: number
}

/** Whether a table holds any number besides zeros. */
export const hasFigures = ({ columns, rows }: AnswerTable): boolean =>
  rows.some((row) =>
    row.some((cell, i) => typeof cell === 'number' && cell !== 0 && columns[i]?.as !== 'date'),
  )

/** A parsed query of a kind. */
export interface ParsedQuery<Query extends BaseQuery, Answer> {
  query: Query
  right: Right | undefined
  /** The persons that it counts and whose number may be approximate. */
  counted: readonly CountedPersons[]
  answer: (scope: QueryScope) => Promise<Outcome<{ answer: Answer; table: AnswerTable }>>
  personsBehind: ((point: unknown, scope: QueryScope) => Promise<Outcome<{ statement: Sql }>>) | undefined
}

/** A kind as it stands in the list of kinds: its functions are bound to the query that `read` parses. */
export interface DefinedKind<Query extends BaseQuery, Answer> {
  about: string
  query: ZodType<Query>
  read: (input: unknown) => Outcome<{ ready: ParsedQuery<Query, Answer> }>
}

/**
 * Binds the functions of a kind to the queries that its schema parses.
 *
 * @example
 * export const sqlKind = defineKind<SqlQuery, SqlAnswer>({ about: 'Any query in SQL.', query: sqlQuery, answer, table })
 */
export function defineKind<Query extends BaseQuery, Answer, Point = never>(
  kind: InsightKind<Query, Answer, Point>,
): DefinedKind<Query, Answer> {
  const read = (input: unknown): Outcome<{ ready: ParsedQuery<Query, Answer> }> => {
    const parsed = parseInput(kind.query, input)
    return parsed.done ? { done: true, ready: ready(kind, parsed.value) } : parsed
  }
  return { about: kind.about, query: kind.query, read }
}

function ready<Query extends BaseQuery, Answer, Point>(
  kind: InsightKind<Query, Answer, Point>,
  query: Query,
): ParsedQuery<Query, Answer> {
  const { behind } = kind
  return {
    query,
    right: kind.right,
    counted: query.exact ? [] : (kind.counted?.(query) ?? []),
    answer: async (scope) => {
      const missing = missingCohort(query, scope)
      if (missing) return noCohort(missing)
      const outcome = await kind.answer(query, scope)
      if (!outcome.done) return outcome
      return { done: true, answer: outcome.answer, table: kind.table(outcome.answer, query, scope) }
    },
    personsBehind:
      behind &&
      (async (input, scope) => {
        const missing = missingCohort(query, scope)
        if (missing) return noCohort(missing)
        const point = parseInput(behind.point, input)
        return point.done ? await behind.persons(query, point.value, scope) : point
      }),
  }
}

const noCohort = ({ id, field }: MissingCohort) =>
  failedOutcome(`There is no cohort "${id}" in this project. Choose another.`, field)

/** The index of a number in the answer, for kinds whose points need nothing else. */
export const pointIndex = z.number().int().min(0).max(100_000)

/** A cohort that a query names and that does not exist; it may have been deleted. */
interface MissingCohort {
  id: string
  /** The part of the query. */
  field: string
}

/** Returns the first missing cohort that a query names, because a missing cohort would give a wrong number. */
function missingCohort(query: object, scope: QueryScope): MissingCohort | undefined {
  for (const [field, part] of Object.entries(query)) {
    const id = cohortsIn(part).find((one) => !scope.cohort(one))
    if (id !== undefined) return { id, field }
  }
  return undefined
}

function cohortsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  if ('type' in part && part.type === 'cohort') return namedBy(part)
  return Object.values(part).flatMap(cohortsIn)
}

/** A condition names one cohort, a breakdown several. */
function namedBy(part: object): string[] {
  const ids = 'cohort' in part ? [part.cohort] : 'cohorts' in part ? part.cohorts : []
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
