import { type Sql, sql, strings, uint, uints } from '#engine/sql'
import type { AnswerKind } from '../schema'
import type { PlannedQuestion } from './reading-plan'

/**
 * The form in which the engine holds an answer until it is counted. A number costs it far less than a text: most
 * answers are the code and one, several choices are a bit for each code, and only orders and tables are a text of codes
 * with commas. 0 and the empty text stand for no answer.
 */
export type AnswerForm = 'code' | 'bits' | 'list'

/** A bit for each choice and one for other texts, within the numbers that JavaScript keeps exactly. */
const mostBits = 46

export const answerForm = ({ kind, choices }: Pick<PlannedQuestion, 'kind' | 'choices'>): AnswerForm => {
  if (kind === 'ranking' || kind === 'matrix') return 'list'
  if (kind === 'multiple-choice' || kind === 'picture') return choices.length < mostBits ? 'bits' : 'list'
  return 'code'
}

/** The value of no answer. */
export const noAnswer: Readonly<Record<AnswerForm, Sql>> = { code: sql`0`, bits: sql`0`, list: sql`''` }

/** Reads an answer in the form of its question; what is none of the question is no answer. */
export const answerCode = (planned: PlannedQuestion, raw: Sql): Sql => codesByKind[planned.kind](planned, raw)

const given = (raw: Sql): Sql => sql`if(${raw} != '', 2, 0)`

const codesByKind: Record<AnswerKind, (planned: PlannedQuestion, raw: Sql) => Sql> = {
  open: (_, raw) => given(raw),
  link: (_, raw) => given(raw),
  statement: () => sql`0`,
  contact: (_, raw) => sql`if(${raw} not in ('', '{}'), 2, 0)`,
  consent: (_, raw) => sql`multiIf(${raw} = 'true', 2, ${raw} = 'false', 1, 0)`,
  date: (_, raw) => sql`
    if(match(${raw}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), toUInt64OrZero(replaceAll(${raw}, '-', '')) + 1, 0)`,
  rating: ({ least = 1, most = 5 }, raw) => found(raw, ratingCodes(least, most)),
  'single-choice': (planned, raw) => sql`if(${raw} != '', ${choice(planned, raw)} + 1, 0)`,
  'multiple-choice': severalChoices,
  picture: severalChoices,
  ranking: (planned, raw) => {
    const known = sql`arrayDistinct(arrayFilter(one -> one > 0, ${choiceOfEach(planned, raw)}))`
    return listed(sql`arrayMap((one, place) -> place * 1000 + one, ${known}, arrayEnumerate(${known}))`)
  },
  matrix: ({ rows, columns }, raw) => {
    const row = sql`indexOf(${strings(rows)}, pair.1)`
    const column = sql`indexOf(${strings(columns)}, pair.2)`
    const pairs = sql`
      arrayMap(pair -> if(${row} > 0 and ${column} > 0, ${row} * 1000 + ${column}, 0), JSONExtractKeysAndValues(${raw}, 'String'))`
    return listed(sql`arraySort(arrayDistinct(arrayFilter(one -> one > 0, ${pairs})))`)
  },
}

/** The value and one of each text that is a rating, also with a zero in front. */
function ratingCodes(least: number, most: number): ReadonlyMap<string, number> {
  const values = Array.from({ length: most - least + 1 }, (_, i) => least + i)
  return new Map(
    values.flatMap((value) =>
      [...new Set([String(value), String(value).padStart(2, '0')])].map((text) => [text, value + 1] as const),
    ),
  )
}

const listed = (codes: Sql): Sql => sql`arrayStringConcat(arrayMap(one -> toString(one), ${codes}), ',')`

function severalChoices(planned: PlannedQuestion, raw: Sql): Sql {
  const codes = choiceOfEach(planned, raw)
  return answerForm(planned) === 'bits'
    ? sql`arrayReduce('groupBitOr', arrayMap(code -> bitShiftLeft(toUInt64(1), code), ${codes}))`
    : listed(sql`arraySort(arrayDistinct(${codes}))`)
}

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

const choiceOfEach = (planned: PlannedQuestion, raw: Sql): Sql =>
  sql`arrayMap(text -> ${choice(planned, sql`text`)}, ${textsIn(raw)})`

/** The texts of an answer with several; one alone may come as its text. */
export const textsIn = (raw: Sql): Sql =>
  sql`arrayFilter(text -> text != '', if(startsWith(${raw}, '['), JSONExtract(${raw}, 'Array(String)'), [${raw}]))`

function choice({ common, slotted, others }: PlannedQuestion, text: Sql): Sql {
  const other = others.some((code) => code > 0) ? sql`(${uints(others)})[version]` : sql`toUInt64(0)`
  const usual = found(text, common)
  const code =
    slotted.size > 0
      ? sql`if(${isIn(sql`concat(toString(slot), ':', ${text})`, slotted)}, ${found(sql`concat(toString(slot), ':', ${text})`, slotted)}, ${usual})`
      : usual
  return sql`if(${code} > 0, ${code}, ${other})`
}

const isIn = (text: Sql, codes: ReadonlyMap<string, number>): Sql =>
  sql`has(${strings([...codes.keys()])}, ${text})`

const found = (text: Sql, codes: ReadonlyMap<string, number>): Sql =>
  codes.size > 0
    ? sql`transform(${text}, ${strings([...codes.keys()])}, ${uints([...codes.values()])}, toUInt64(0))`
    : sql`toUInt64(0)`
