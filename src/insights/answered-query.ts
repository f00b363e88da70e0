import type { z } from 'zod'
import type { kinds } from './internal/kinds'
import type { Approximation } from './approximation'
import type { AnswerTable, DefinedKind } from './kind'
import type { BaseQuery } from './scope'
import type { AnswerState } from './waiting-events'

type Kinds = typeof kinds

export type KindName = keyof Kinds

/** A query of a kind before the kind's schema parses it. */
export interface QueryInput<Kind extends KindName> {
  kind: Kind
  [part: string]: unknown
}

/** The parsed query of each kind. */
export type QueryByKind = { [Kind in KindName]: z.output<Kinds[Kind]['query']> }

/** The answer of each kind. */
export type AnswerByKind = {
  [Kind in KindName]: Kinds[Kind] extends DefinedKind<BaseQuery, infer Answer> ? Answer : never
}

/** A query with its answer; of any kind where its kind is not known. */
export interface AnsweredQuery<Kind extends KindName = KindName> extends AnswerState {
  question: QueryByKind[Kind]
  answer: AnswerByKind[Kind]
  table: AnswerTable
  /** Absent if it is exact. */
  approximate?: Approximation
  /** The rows that its statements read: its cost, however busy the machine was. */
  rowsRead: number
  /** Present only on request. */
  explained?: ExplainedStatement[]
}

/** The rows that a query reads at least, by the engine's index, and the days of its period. */
export interface QueryCost {
  rows: number
  days: number
}

/** A statement that was run for an answer. */
export interface ExplainedStatement {
  sql: string
  parameters: Record<string, unknown>
  rowsRead: number
  bytesRead: number
  tookMs: number
}

/** Whether an answer is of a kind, as its query says. */
export const isOfKind = <Kind extends KindName>(
  kind: Kind,
  answered: AnsweredQuery,
): answered is AnsweredQuery<Kind> => answered.question.kind === kind
