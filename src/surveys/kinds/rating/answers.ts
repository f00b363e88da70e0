import type { AnsweredQuestionShape } from '#insights/kinds/survey/survey'
import {
  type Estimate,
  meanEstimate,
  medianOf,
  npsEstimate,
  type NpsEstimate,
  shareEstimate,
} from '#surveys/results/intervals'
import { ratingGroup, type RatingScale, ratingScales, ratingValues } from '../rating-scale'
import type { AnswerDefinition } from '../internal/answer-definition'
import { isText } from '../internal/answer-parts'

export const rating: AnswerDefinition<'rating'> = {
  accepts: (answer, { scale }) =>
    (isText(answer) || typeof answer === 'number') && ratingValues(scale).includes(Number(answer)),
  parse: (stored) => (/^-?\d+$/.test(stored) ? Number(stored) : stored),
  spec: ({ scale }) => {
    const values = ratingValues(scale)
    return { least: values[0] ?? 1, most: values.at(-1) ?? scale }
  },
  results: (shape, { counts }) => ({ rating: ratingResults(shape, new Map(counts)) }),
  counted: ({ rating: results }) =>
    results?.values.map(({ value, count, share }) => ({ answer: String(value), count, share })) ?? [],
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
