import { int, type Sql, sql, strings, uints } from '#engine/sql'
import type { AnswerKind } from './question'
import type { PlannedQuestion } from './reading-plan'

/** Reads an answer as one text of numbers with commas (`codes.ts`); an empty text where it is none of the question. */
export const answerCode = (planned: PlannedQuestion, raw: Sql): Sql => codesByKind[planned.kind](planned, raw)

const given = (raw: Sql): Sql => sql`if(${raw} != '', '1', '')`

const codesByKind: Record<AnswerKind, (planned: PlannedQuestion, raw: Sql) => Sql> = {
  open: (_, raw) => given(raw),
  link: (_, raw) => given(raw),
  statement: () => sql`''`,
  contact: (_, raw) => sql`if(${raw} not in ('', '{}'), '1', '')`,
  consent: (_, raw) => sql`multiIf(${raw} = 'true', '1', ${raw} = 'false', '0', '')`,
  date: (_, raw) => sql`if(match(${raw}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), replaceAll(${raw}, '-', ''), '')`,
  rating: ({ least = 1, most = 5 }, raw) => sql`
    if(
      match(${raw}, '^[0-9]{1,2}$') and toInt64OrZero(${raw}) between ${int(least)} and ${int(most)},
      toString(toInt64OrZero(${raw})),
      ''
    )`,
  'single-choice': (planned, raw) => sql`if(${raw} != '', toString(${choice(planned, raw)}), '')`,
  'multiple-choice': (planned, raw) => listed(choices(planned, raw)),
  picture: (planned, raw) => listed(choices(planned, raw)),
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

const listed = (codes: Sql): Sql => sql`arrayStringConcat(arrayMap(one -> toString(one), ${codes}), ',')`

const choices = (planned: PlannedQuestion, raw: Sql): Sql =>
  sql`arraySort(arrayDistinct(${choiceOfEach(planned, raw)}))`

const choiceOfEach = (planned: PlannedQuestion, raw: Sql): Sql =>
  sql`arrayMap(text -> ${choice(planned, sql`text`)}, ${textsIn(raw)})`

/** One choice alone may come as its text. */
const textsIn = (raw: Sql): Sql =>
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
