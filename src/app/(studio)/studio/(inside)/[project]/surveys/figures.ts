import type { SurveyResultsPage } from '#surveys/results/results-page'
import type { Survey } from '#surveys/survey'
import { number, percent } from '#ui/format'
import { getProduct } from '#app/product'
import type { Opened } from '#app/(studio)/open-project'
import { tryEngine } from '../flags/try-engine'
import { currentResults, questionResult } from './results/question-results'
import type { SurveyRowFigures } from './SurveysTable'

/** Counting is a statement for each survey, so only the latest ones are counted. */
const mostCounted = 25

/** The numbers of launched surveys over all time, by id. A survey that cannot be counted now is left out. */
export async function surveyFigures(
  { project, viewer }: Opened,
  surveys: readonly Survey[],
): Promise<ReadonlyMap<string, SurveyRowFigures>> {
  const { surveyResults } = getProduct()
  const launched = surveys.filter(({ startsAt }) => startsAt).slice(-mostCounted)
  const counted = await Promise.all(
    launched.map(async (survey) => {
      const asked = await tryEngine(() => surveyResults.counts(project.id, survey.id, {}, viewer))
      return asked.done ? ([[survey.id, rowFigures(survey, asked.results)]] as const) : []
    }),
  )
  return new Map(counted.flat())
}

function rowFigures(survey: Survey, results: SurveyResultsPage): SurveyRowFigures {
  return {
    responses: results.submissions.responded,
    rate: results.responseRate?.value,
    score: scoreOf(survey, results),
  }
}

/** "NPS 42" or "CSAT 87%" of the first rating. */
function scoreOf({ content }: Survey, { questions }: SurveyResultsPage): string | undefined {
  const rating = content.questions.find(({ kind }) => kind === 'rating')
  const result = rating && questionResult(rating, currentResults(rating, questions))
  if (result?.shape !== 'rating' || !result.score) return undefined
  const { label, estimate, unit } = result.score
  const written = unit === 'percent' ? percent(estimate.value) : number(Math.round(estimate.value))
  return `${label} ${written}`
}
