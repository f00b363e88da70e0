import { type Sql, sql, strings, uint, uints } from '#engine/sql'
import { type AnswerForm, answerKinds, mostBits } from './answer-kinds'
import type { PlannedQuestion } from './reading-plan'

export const answerForm = (planned: Pick<PlannedQuestion, 'kind' | 'choices'>): AnswerForm =>
  answerKinds[planned.kind].form(planned)

/** The value of no answer. */
export const noAnswer: Readonly<Record<AnswerForm, Sql>> = { code: sql`0`, bits: sql`0`, list: sql`''` }

/** Reads an answer in the form of its question; what is none of the question is no answer. */
export const answerCode = (planned: PlannedQuestion, raw: Sql): Sql =>
  answerKinds[planned.kind].read(planned, raw)

/** The codes of a number that stands for an answer. */
export function codesIn(form: AnswerForm, value: number): number[] {
  if (form === 'code') return [value - 1]
  return Array.from({ length: mostBits + 1 }, (_, code) => code).filter(
    (code) => Math.floor(value / 2 ** code) % 2 === 1,
  )
}

/** Whether an answer has one of these codes. */
export function hasCode(form: AnswerForm, answer: Sql, codes: readonly number[]): Sql {
  if (form === 'list') return sql`hasAny(splitByChar(',', ${answer}), ${strings(codes.map(String))})`
  if (form === 'code') return sql`has(${uints(codes.map((code) => code + 1))}, toUInt64(${answer}))`
  const bits = [...new Set(codes)].reduce((sum, code) => sum + 2 ** code, 0)
  return sql`bitAnd(${answer}, ${uint(bits)}) > 0`
}
