import type { SurveyAnswer } from '#insights/kinds/survey/survey'
import type { Survey } from '#surveys/survey'
import { number, percent } from '#ui/format'
import { getProduct } from '#app/product'
import { askForViewer } from '#app/(studio)/insights/ask'
import type { Opened } from '#app/(studio)/open-project'
import { countedAnswers } from './results/counted-answers'
import { questionResult } from './results/question-results'
import { resultsQuestion } from './results/survey-question'
import type { SurveyRowFigures } from './SurveysTable'

/** Counting is a statement for each survey, so only the latest ones are counted. */
const mostCounted = 25

/** The numbers of launched surveys over all time, by id. A survey that cannot be counted now is left out. */
export async function surveyFigures(
  { project, viewer }: Opened,
  surveys: readonly Survey[],
): Promise<ReadonlyMap<string, SurveyRowFigures>> {
  const launched = surveys.filter(({ startsAt }) => startsAt).slice(-mostCounted)
  const counted = await Promise.all(
    launched.map(async (survey) => {
      const versions = await getProduct().surveys.versions(project.id, survey.id, viewer)
      const question = resultsQuestion({ survey: survey.id, versions: versions.toReversed(), period: 'all' })
      const asked = await askForViewer(project.id, question, viewer)
      // a question of the kind `survey` has an answer of this shape
      return asked.done ? ([[survey.id, rowFigures(survey, asked.answer as SurveyAnswer)]] as const) : []
    }),
  )
  return new Map(counted.flat())
}

function rowFigures(survey: Survey, answer: SurveyAnswer): SurveyRowFigures {
  const { reached, answered, submissions } = answer.all
  return {
    responses: submissions.responded,
    rate: reached > 0 ? answered / reached : undefined,
    score: scoreOf(survey, answer),
  }
}

/** "NPS 42" or "CSAT 87%" of the first rating. */
function scoreOf({ content }: Survey, answer: SurveyAnswer): string | undefined {
  const rating = content.questions.find(({ kind }) => kind === 'rating')
  const result = rating && questionResult(rating, countedAnswers(rating, answer))
  if (result?.shape !== 'rating' || !result.score) return undefined
  const { label, estimate, unit } = result.score
  const written = unit === 'percent' ? percent(estimate.value) : number(Math.round(estimate.value))
  return `${label} ${written}`
}
