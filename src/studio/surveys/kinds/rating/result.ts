import { ratingGroup, ratingValues } from '#surveys/kinds/rating-scale'
import type { RatingQuestion } from '#surveys/question'
import type { QuestionResults } from '#surveys/results/question-results'
import type { ChartColour } from '#ui/chart/chart'
import type { KindResult, RatingGroup, RatingScore } from '../kind-result'

export const rating: KindResult<'rating'> = {
  draw(question, { rating: results }) {
    const byValue = new Map(results?.values.map(({ value, count }) => [value, count]))
    const rows = ratingValues(question.scale).map((value) => ({
      key: String(value),
      label: ratingLabel(question, value),
      value: byValue.get(value) ?? 0,
      answer: value,
    }))
    return { shape: 'rating', rows, score: results && ratingScore(question, results) }
  },
  isWide: true,
  isCard: true,
  valueInWords: (value, question) => (typeof value === 'number' ? ratingLabel(question, value) : undefined),
  groupInWords: (values, { scale }) =>
    scale === 10
      ? ratingGroups(scale).find((one) => JSON.stringify(one.values) === JSON.stringify(values))?.label
      : undefined,
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

const npsColours: Record<string, ChartColour> = { detractors: 4, passives: 3, promoters: 1 }

/** The groups of a scale with their ratings, from the lowest. */
export function ratingGroups(scale: RatingQuestion['scale']): Omit<RatingGroup, 'count'>[] {
  const byGroup = Map.groupBy(ratingValues(scale), (value) => ratingGroup(scale, value))
  return Array.from(byGroup, ([group, values]) => {
    const colour = npsColours[group]
    return { label: groupLabels[group] ?? group, values, ...(colour && { colour }) }
  })
}

/** NPS of a scale from 0 to 10; the share of high ratings of the others. */
function ratingScore(
  { scale }: RatingQuestion,
  { values, nps, csat }: NonNullable<QuestionResults['rating']>,
): RatingScore | undefined {
  const byValue = new Map(values.map(({ value, count }) => [value, count]))
  const groups = ratingGroups(scale).map((group) => ({
    ...group,
    count: group.values.reduce((sum, value) => sum + (byValue.get(value) ?? 0), 0),
  }))
  if (scale === 10) return nps && { label: 'NPS', estimate: nps, unit: 'points', groups }
  return csat && { label: 'CSAT', estimate: csat, unit: 'percent', groups }
}
