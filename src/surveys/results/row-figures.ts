import type { SurveyFigures } from '#insights/kinds/survey/figures'
import { type Estimate, shareEstimate } from './intervals'
import { ratingResults } from '../kinds/rating/answers'

/** The figures of a survey's answers in its row of the list. */
export interface SurveyRowFigures {
  responses: number
  /** Persons who answered, of those who saw it. */
  rate: Estimate | undefined
  /** The score of the first rating: an NPS from −100 to 100, or a share. */
  score: { label: 'NPS' | 'CSAT'; estimate: Estimate } | undefined
}

export const rowFigures = ({ responded, reached, answered, rating }: SurveyFigures): SurveyRowFigures => ({
  responses: responded,
  rate: shareEstimate(answered, reached),
  score: rating && scoreOf(rating),
})

function scoreOf({ counts, ...scale }: NonNullable<SurveyFigures['rating']>): SurveyRowFigures['score'] {
  const { nps, csat } = ratingResults(scale, counts)
  if (nps) return { label: 'NPS', estimate: nps }
  return csat && { label: 'CSAT', estimate: csat }
}
