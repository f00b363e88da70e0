import type { Answer, RatingQuestion } from '#surveys/question'
import { ratingGroup, ratingValues } from '../rating-scale'
import type { QuestionDefinition } from '../internal/question-definition'

const groupLabels: Record<string, string> = {
  detractors: 'Detractors (0 to 6)',
  passives: 'Passives (7 and 8)',
  promoters: 'Promoters (9 and 10)',
  negative: 'Low ratings',
  neutral: 'Ratings in the middle',
  positive: 'High ratings',
}

export const rating: QuestionDefinition<'rating'> = {
  label: 'Rating',
  hint: 'Numbers, stars, faces or thumbs; NPS and CSAT',
  isInPosthog: true,
  blank: () => ({
    display: 'number',
    scale: 10,
    lowerLabel: 'Not at all likely',
    upperLabel: 'Extremely likely',
    submitsOnClick: false,
  }),
  branches: ({ scale }) => {
    const groups = new Set(ratingValues(scale).map((value) => ratingGroup(scale, value)))
    return [...groups].map((key) => ({ key, label: groupLabels[key] ?? key }))
  },
  prefilled: ({ scale }, numbers) => numbers.find((number) => ratingValues(scale).includes(number)),
}

export const ratingBranchKey = ({ scale }: RatingQuestion, answer: Answer | undefined): string | undefined =>
  typeof answer === 'number' ? ratingGroup(scale, answer) : undefined
