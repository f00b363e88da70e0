import { type Sql, sql, strings, uints } from '#engine/sql'
import { pairCode, pairOf } from '../codes'
import type { AnswerKind, AnswerValue } from '../schema'
import type { AnsweredQuestionShape } from '../survey'
import type { PlannedQuestion } from './reading-plan'

/**
 * The form in which the engine holds an answer until it is counted. A number costs it far less than a text: most
 * answers are the code and one, several choices are a bit for each code, and only orders and tables are a text of codes
 * with commas. 0 and the empty text stand for no answer.
 */
export type AnswerForm = 'code' | 'bits' | 'list'

/** The codes (`codes.ts`) of the answers to one kind of question. */
interface AnswerCodes {
  form: (planned: Pick<PlannedQuestion, 'choices'>) => AnswerForm
  /** Reads an answer in its form; what is none of the question is no answer. */
  read: (planned: PlannedQuestion, raw: Sql) => Sql
  /** The code of a value that a condition names; absent for kinds whose answers are no values. */
  codeOf?: (value: AnswerValue, planned: PlannedQuestion) => number | undefined
  /** A code in words; the number itself if absent. */
  inWords?: (code: number, shape: AnsweredQuestionShape) => string
  /** Set for answers that are sent as the words that a person typed or saw. */
  isSearched?: true
}

/** A bit for each choice and one for other texts, within the numbers that JavaScript keeps exactly. */
export const mostBits = 46

const asCode = (): AnswerForm => 'code'
const asList = (): AnswerForm => 'list'

const anyText: AnswerCodes = { form: asCode, read: (_, raw) => sql`if(${raw} != '', 2, 0)`, isSearched: true }

const choice = {
  codeOf: (value, { choices }) => (value === null ? 0 : indexFrom1(choices, value)),
  inWords: (code, { choiceTexts }) => choiceTexts[code - 1] ?? 'other',
} satisfies Partial<AnswerCodes>

const severalChoices: AnswerCodes = {
  form: ({ choices }) => (choices.length < mostBits ? 'bits' : 'list'),
  read: (planned, raw) => {
    const codes = choiceOfEach(planned, raw)
    return severalChoices.form(planned) === 'bits'
      ? sql`arrayReduce('groupBitOr', arrayMap(code -> bitShiftLeft(toUInt64(1), code), ${codes}))`
      : listed(sql`arraySort(arrayDistinct(${codes}))`)
  },
  ...choice,
}

/** The codes of all kinds of questions. A kind whose answers are like those of another has the same. */
export const answerKinds: Readonly<Record<AnswerKind, AnswerCodes>> = {
  open: anyText,
  link: anyText,
  statement: { form: asCode, read: () => sql`0` },
  contact: { form: asCode, read: (_, raw) => sql`if(${raw} not in ('', '{}'), 2, 0)`, isSearched: true },
  consent: {
    form: asCode,
    read: (_, raw) => sql`multiIf(${raw} = 'true', 2, ${raw} = 'false', 1, 0)`,
    codeOf: (value) => (typeof value === 'boolean' ? Number(value) : undefined),
  },
  date: {
    form: asCode,
    read: (_, raw) => sql`
    if(match(${raw}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), toUInt64OrZero(replaceAll(${raw}, '-', '')) + 1, 0)`,
    codeOf: (value) =>
      typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
        ? Number(value.replaceAll('-', ''))
        : undefined,
  },
  rating: {
    form: asCode,
    read: ({ least = 1, most = 5 }, raw) => found(raw, ratingCodes(least, most)),
    codeOf: (value) => (typeof value === 'number' ? value : undefined),
  },
  'single-choice': {
    form: asCode,
    read: (planned, raw) => sql`if(${raw} != '', ${choiceCode(planned, raw)} + 1, 0)`,
    ...choice,
    isSearched: true,
  },
  'multiple-choice': { ...severalChoices, isSearched: true },
  picture: severalChoices,
  ranking: {
    form: asList,
    read: (planned, raw) => {
      const known = sql`arrayDistinct(arrayFilter(one -> one > 0, ${choiceOfEach(planned, raw)}))`
      return listed(sql`arrayMap((one, place) -> place * 1000 + one, ${known}, arrayEnumerate(${known}))`)
    },
    codeOf: (value, { choices }) => pairFrom(1, indexFrom1(choices, value)),
    inWords: (code, { choiceTexts }) => {
      const [rank, ranked] = pairOf(code)
      return `${rank}: ${choiceTexts[ranked - 1] ?? ''}`
    },
  },
  matrix: {
    form: asList,
    read: ({ rows, columns }, raw) => {
      const row = sql`indexOf(${strings(rows)}, pair.1)`
      const column = sql`indexOf(${strings(columns)}, pair.2)`
      const pairs = sql`
      arrayMap(pair -> if(${row} > 0 and ${column} > 0, ${row} * 1000 + ${column}, 0), JSONExtractKeysAndValues(${raw}, 'String'))`
      return listed(sql`arraySort(arrayDistinct(arrayFilter(one -> one > 0, ${pairs})))`)
    },
    codeOf: (value, { rows, columns }) =>
      typeof value === 'object' && value
        ? pairFrom(indexFrom1(rows, value.row), indexFrom1(columns, value.column))
        : undefined,
    inWords: (code, { rows, columns }) => {
      const [row, column] = pairOf(code)
      return `${rows[row - 1] ?? ''}: ${columns[column - 1] ?? ''}`
    },
  },
}

/** Returns the index of an id from 1; undefined for an unknown id. */
function indexFrom1(ids: readonly string[], id: AnswerValue): number | undefined {
  return ids.findIndex((one) => one === id) + 1 || undefined
}

const pairFrom = (first: number | undefined, second: number | undefined): number | undefined =>
  first && second ? pairCode(first, second) : undefined

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

const choiceOfEach = (planned: PlannedQuestion, raw: Sql): Sql =>
  sql`arrayMap(text -> ${choiceCode(planned, sql`text`)}, ${textsIn(raw)})`

/** The texts of an answer with several; one alone may come as its text. */
export const textsIn = (raw: Sql): Sql =>
  sql`arrayFilter(text -> text != '', if(startsWith(${raw}, '['), JSONExtract(${raw}, 'Array(String)'), [${raw}]))`

function choiceCode({ common, slotted, others }: PlannedQuestion, text: Sql): Sql {
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
