import { pairOf } from '#insights/kinds/survey/codes'
import type { AnswerCounts, AnsweredQuestionShape } from '#insights/kinds/survey/survey'
import { ratingGroup } from '../flow'
import { type SurveyQuestion, type RatingScale, ratingScales } from '../question'
import type { SurveyVersion } from '../survey'
import {
  type Estimate,
  meanEstimate,
  medianOf,
  npsEstimate,
  type NpsEstimate,
  shareEstimate,
} from './intervals'
import type { Phrase } from './phrases'

/** The results of one question, on one scale. */
export interface QuestionResults {
  id: string
  kind: AnsweredQuestionShape['kind']
  text: string
  /** The last version that asks it so. */
  version: number
  answered: number
  /** Submissions that were begun, not completed, and end with this question. */
  stopped: number
  rating?: RatingResults
  /** Choices, also of pictures; null stands for texts of no choice. */
  choices?: ChoiceResult[]
  ranking?: RankResult[]
  matrix?: MatrixResults
  dates?: { date: string; count: number }[]
  consent?: { given: Estimate | undefined; refusedCount: number; givenCount: number }
  /** Phrases of the latest texts; only where texts are asked for. */
  phrases?: Phrase[]
}

export interface RatingResults {
  values: { value: number; count: number; share: number }[]
  mean: Estimate | undefined
  median: number | undefined
  /** The NPS, for a scale from 0 to 10. */
  nps?: NpsEstimate | undefined
  /** The share of the top answers. */
  csat: Estimate | undefined
}

interface ChoiceResult {
  id: string | null
  text: string
  count: number
  share: Estimate | undefined
}

interface RankResult {
  id: string
  text: string
  ranked: number
  meanRank: number | null
  /** The share of answers in which it is first. */
  first: Estimate | undefined
}

interface MatrixResults {
  rows: { id: string; text: string }[]
  columns: { id: string; text: string }[]
  /** The counts by row, then by column. */
  counts: number[][]
}

/** Returns the numbers that `results` draws for one question. */
export function questionResults(
  shape: AnsweredQuestionShape,
  counts: AnswerCounts,
  versions: readonly SurveyVersion[],
): QuestionResults {
  const { id, kind, version } = shape
  const { answered, stopped } = counts
  const text = questionIn(shape, versions)?.text ?? id
  return { id, kind, text, version, answered, stopped, ...resultsByKind[kind]?.(shape, counts, versions) }
}

type KindResults = (
  shape: AnsweredQuestionShape,
  counts: AnswerCounts,
  versions: readonly SurveyVersion[],
) => Partial<QuestionResults>

const ofChoices: KindResults = (shape, { counts, answered }) => {
  const byCode = new Map(counts)
  const known = shape.choices.map((id, i) => ({
    id,
    text: shape.choiceTexts[i] ?? id,
    count: byCode.get(i + 1) ?? 0,
  }))
  const unknown = byCode.get(0) ?? 0
  const all = unknown > 0 ? [...known, { id: null, text: 'Other', count: unknown }] : known
  return { choices: all.map((one) => ({ ...one, share: shareEstimate(one.count, answered) })) }
}

const resultsByKind: Partial<Record<AnsweredQuestionShape['kind'], KindResults>> = {
  rating: (shape, { counts }) => ({ rating: ratingResults(shape, new Map(counts)) }),
  'single-choice': ofChoices,
  'multiple-choice': ofChoices,
  picture: ofChoices,
  ranking: (shape, { counts, answered }) => ({
    ranking: shape.choices.map((id, i) =>
      rankResult(i + 1, { id, text: shape.choiceTexts[i] ?? id }, counts, answered),
    ),
  }),
  matrix: (shape, { counts }, versions) => ({ matrix: matrixResults(shape, counts, versions) }),
  date: (_, { counts }) => ({ dates: counts.map(([code, count]) => ({ date: dateText(code), count })) }),
  consent: (_, { counts, answered }) => {
    const givenCount = new Map(counts).get(1) ?? 0
    return {
      consent: {
        given: shareEstimate(givenCount, answered),
        givenCount,
        refusedCount: answered - givenCount,
      },
    }
  },
}

const isScale = (scale: number): scale is RatingScale => ratingScales.some((one) => one === scale)

/** The groups of PostHog's branches whose answers count as satisfied. */
const satisfied: ReadonlySet<string> = new Set(['positive', 'promoters'])

export function ratingResults(
  { least = 1, most = 5 }: Pick<AnsweredQuestionShape, 'least' | 'most'>,
  counts: ReadonlyMap<number, number>,
): RatingResults {
  const values = Array.from({ length: most - least + 1 }, (_, i) => least + i)
  const sum = (of: (value: number) => boolean) =>
    values.filter(of).reduce((total, value) => total + (counts.get(value) ?? 0), 0)
  const size = sum(() => true)
  const groupOf = (value: number) => (isScale(most) ? ratingGroup(most, value) : '')
  return {
    values: values.map((value) => {
      const count = counts.get(value) ?? 0
      return { value, count, share: size > 0 ? count / size : 0 }
    }),
    mean: meanEstimate(counts, { least, most }),
    median: medianOf(counts),
    ...(most === 10 && {
      nps: npsEstimate(
        sum((value) => groupOf(value) === 'promoters'),
        sum((value) => groupOf(value) === 'passives'),
        sum((value) => groupOf(value) === 'detractors'),
      ),
    }),
    csat: shareEstimate(
      sum((value) => satisfied.has(groupOf(value))),
      size,
    ),
  }
}

function rankResult(
  choice: number,
  named: { id: string; text: string },
  counts: AnswerCounts['counts'],
  answered: number,
): RankResult {
  const ranks = counts.flatMap(([code, count]) => {
    const [rank, ranked] = pairOf(code)
    return ranked === choice ? [{ rank, count }] : []
  })
  const ranked = ranks.reduce((sum, { count }) => sum + count, 0)
  const sum = ranks.reduce((total, { rank, count }) => total + rank * count, 0)
  const first = ranks.find(({ rank }) => rank === 1)?.count ?? 0
  return {
    ...named,
    ranked,
    meanRank: ranked > 0 ? sum / ranked : null,
    first: shareEstimate(first, answered),
  }
}

function matrixResults(
  shape: AnsweredQuestionShape,
  counts: AnswerCounts['counts'],
  versions: readonly SurveyVersion[],
): MatrixResults {
  const byCode = new Map(counts.map(([code, count]) => [pairOf(code).join(' '), count]))
  const named = (of: 'rows' | 'columns') =>
    shape[of].map((id) => ({ id, text: optionText(id, of, shape, versions) }))
  return {
    rows: named('rows'),
    columns: named('columns'),
    counts: shape.rows.map((_, row) =>
      shape.columns.map((__, column) => byCode.get(`${row + 1} ${column + 1}`) ?? 0),
    ),
  }
}

const dateText = (code: number): string =>
  String(code)
    .padStart(8, '0')
    .replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

const newestFirst = (versions: readonly SurveyVersion[]) =>
  versions.toSorted((one, other) => other.version - one.version)

/** The question as the shape's version asks it. */
function questionIn(
  { id, version }: AnsweredQuestionShape,
  versions: readonly SurveyVersion[],
): SurveyQuestion | undefined {
  return versions
    .find((one) => one.version === version)
    ?.content.questions.find((question) => question.id === id)
}

/** The latest text of a row or a column; removed ones keep their last text. */
function optionText(
  wanted: string,
  of: 'rows' | 'columns',
  { id }: AnsweredQuestionShape,
  versions: readonly SurveyVersion[],
): string {
  for (const { content } of newestFirst(versions)) {
    const question = content.questions.find((one) => one.id === id)
    const options =
      question && of in question
        ? (question as { [of in typeof of]?: readonly { id: string; text: string }[] })[of]
        : undefined // checked by `in`
    const found = options?.find((option) => option.id === wanted)
    if (found) return found.text
  }
  return wanted
}
