import { ratingGroup, ratingValues } from '#surveys/flow'
import type { Choice, Question, RatingQuestion } from '#surveys/question'
import { type Estimate, npsEstimate, shareEstimate } from '#surveys/results/intervals'

/** The counts of one question, as answers to a question of the kind `survey` have them. */
export interface CountedAnswers {
  /** The kind of the version in which it was last asked so. */
  kind: Question['kind']
  /** Ids of choices, rows and columns of all versions, in the order of the codes. */
  choices: readonly string[]
  rows: readonly string[]
  columns: readonly string[]
  answered: number
  /** Submissions that were not completed, and end with this question. */
  stopped: number
  counts: readonly (readonly [code: number, submissions: number])[]
}

export interface AnswerRow {
  key: string
  label: string
  value: number
}

/** One question's answers, as they are drawn. */
export type QuestionResult = { answered: number; stopped: number } & (
  | { shape: 'rating'; rows: AnswerRow[]; score: RatingScore | undefined }
  | { shape: 'bars'; rows: AnswerRow[]; several: boolean }
  | { shape: 'ranking'; rows: (AnswerRow & { meanRank: number | undefined })[] }
  | { shape: 'matrix'; columns: string[]; rows: { key: string; label: string; cells: number[] }[] }
  | { shape: 'texts' }
  | { shape: 'none' }
)

export interface RatingScore {
  label: string
  estimate: Estimate
  /** As written: a number from −100 to 100, or a percentage. */
  unit: 'points' | 'percent'
  groups: { label: string; count: number }[]
}

const otherCode = 0
const pairFactor = 1000

/** Reads the counts of a question against the question as it is now. Choices that are gone keep their id as a name. */
export function questionResult(question: Question, counted: CountedAnswers): QuestionResult {
  const { answered, stopped } = counted
  const byCode = new Map(counted.counts)
  const base = { answered, stopped }
  switch (question.kind) {
    case 'rating':
      return { ...base, ...ratingResult(question, byCode) }
    case 'single-choice':
    case 'multiple-choice':
    case 'picture':
      return {
        ...base,
        shape: 'bars',
        several: allowsSeveral(question),
        rows: choiceRows(question.choices, counted.choices, byCode),
      }
    case 'ranking':
      return { ...base, shape: 'ranking', rows: rankingRows(question.choices, counted) }
    case 'matrix':
      return { ...base, ...matrixResult(question, counted, byCode) }
    case 'consent':
      return {
        ...base,
        shape: 'bars',
        several: false,
        rows: [
          { key: '1', label: 'Given', value: byCode.get(1) ?? 0 },
          { key: '0', label: 'Not given', value: byCode.get(0) ?? 0 },
        ],
      }
    case 'date':
      return { ...base, shape: 'bars', several: false, rows: dateRows(byCode) }
    case 'open':
    case 'contact':
      return { ...base, shape: 'texts' }
    default:
      return { ...base, shape: 'none' }
  }
}

const allowsSeveral = (question: Question): boolean =>
  question.kind === 'multiple-choice' || (question.kind === 'picture' && question.allowsSeveral)

function ratingResult(question: RatingQuestion, byCode: ReadonlyMap<number, number>) {
  const rows = ratingValues(question.scale).map((value) => ({
    key: String(value),
    label: ratingLabel(question, value),
    value: byCode.get(value) ?? 0,
  }))
  return { shape: 'rating' as const, rows, score: scoreOf(question, byCode) }
}

function ratingLabel({ scale, lowerLabel, upperLabel }: RatingQuestion, value: number): string {
  if (scale === 2) return value === 1 ? 'Thumbs up' : 'Thumbs down'
  const values = ratingValues(scale)
  const end = value === values[0] ? lowerLabel : value === values.at(-1) ? upperLabel : ''
  return end === '' ? String(value) : `${value} · ${end}`
}

const groupLabels: Record<string, string> = {
  detractors: 'Detractors',
  passives: 'Passives',
  promoters: 'Promoters',
  negative: 'Low',
  neutral: 'In the middle',
  positive: 'High',
}

/** NPS of a scale from 0 to 10; the share of high ratings of the others. */
function scoreOf({ scale }: RatingQuestion, byCode: ReadonlyMap<number, number>): RatingScore | undefined {
  const sums = new Map<string, number>()
  for (const value of ratingValues(scale)) {
    const group = ratingGroup(scale, value)
    sums.set(group, (sums.get(group) ?? 0) + (byCode.get(value) ?? 0))
  }
  const groups = Array.from(sums, ([group, count]) => ({ label: groupLabels[group] ?? group, count }))
  const sum = (group: string) => sums.get(group) ?? 0
  if (scale === 10) {
    const estimate = npsEstimate(sum('promoters'), sum('passives'), sum('detractors'))
    return estimate && { label: 'NPS', estimate, unit: 'points', groups }
  }
  const size = groups.reduce((total, { count }) => total + count, 0)
  const estimate = shareEstimate(sum('positive'), size)
  return estimate && { label: 'CSAT', estimate, unit: 'percent', groups }
}

/** Choices as they are now first, then those that were answered and are gone, then typed texts. */
function choiceRows(
  choices: readonly Choice[],
  ids: readonly string[],
  byCode: ReadonlyMap<number, number>,
): AnswerRow[] {
  const countOf = (id: string) => byCode.get(ids.indexOf(id) + 1) ?? 0
  const current = choices.map(({ id, text }) => ({
    key: id,
    label: text,
    value: idIn(ids, id) ? countOf(id) : 0,
  }))
  const gone = ids
    .filter((id) => !choices.some((choice) => choice.id === id))
    .map((id) => ({ key: id, label: `Removed choice (${id})`, value: countOf(id) }))
    .filter(({ value }) => value > 0)
  const typed = byCode.get(otherCode) ?? 0
  return [...current, ...gone, ...(typed > 0 ? [{ key: 'other', label: 'Typed answers', value: typed }] : [])]
}

const idIn = (ids: readonly string[], id: string): boolean => ids.includes(id)

/** The choice with the best mean rank first. */
function rankingRows(choices: readonly Choice[], { choices: ids, counts }: CountedAnswers) {
  const rows = choices.map(({ id, text }) => {
    const index = ids.indexOf(id) + 1
    const ranks = counts.filter(([code]) => index > 0 && code % pairFactor === index)
    const count = ranks.reduce((sum, [, submissions]) => sum + submissions, 0)
    const total = ranks.reduce(
      (sum, [code, submissions]) => sum + Math.floor(code / pairFactor) * submissions,
      0,
    )
    return { key: id, label: text, value: count, meanRank: count > 0 ? total / count : undefined }
  })
  return rows.toSorted((one, other) => (one.meanRank ?? Infinity) - (other.meanRank ?? Infinity))
}

function matrixResult(
  { rows, columns }: Extract<Question, { kind: 'matrix' }>,
  counted: CountedAnswers,
  byCode: ReadonlyMap<number, number>,
) {
  const codeOf = (row: string, column: string) =>
    (counted.rows.indexOf(row) + 1) * pairFactor + counted.columns.indexOf(column) + 1
  return {
    shape: 'matrix' as const,
    columns: columns.map(({ text }) => text),
    rows: rows.map((row) => ({
      key: row.id,
      label: row.text,
      cells: columns.map((column) =>
        idIn(counted.rows, row.id) && idIn(counted.columns, column.id)
          ? (byCode.get(codeOf(row.id, column.id)) ?? 0)
          : 0,
      ),
    })),
  }
}

/** A date is the number 20261123. */
const dateRows = (byCode: ReadonlyMap<number, number>): AnswerRow[] =>
  [...byCode]
    .toSorted(([one], [other]) => one - other)
    .map(([code, value]) => {
      const digits = String(code)
      const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
      return { key: day, label: day, value }
    })
