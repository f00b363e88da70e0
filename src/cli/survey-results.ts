import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import type { Estimate } from '#surveys/results/intervals'
import { type CountedAnswer, countedAnswers, type QuestionResults } from '#surveys/results/question-results'
import type { SurveyResultsPage } from '#surveys/results/results-page'
import { callRunningTilth, refusalIn } from './call-running-tilth'

/** Reads the results from the Tilth that runs, which alone has the engine. */
export async function surveyResultsOfRunning(
  product: Product,
  config: Config,
  { project, survey, period }: { project: Project; survey: string; period: string },
): Promise<Outcome<{ results: SurveyResultsPage }>> {
  const key = { name: 'tilth survey results', scopes: ['project:read', 'surveys:read'] }
  return await callRunningTilth({ product, config, project, key }, async (call) => {
    const answer = await call({
      method: 'POST',
      path: `/api/v1/projects/${project.id}/surveys/${encodeURIComponent(survey)}/results`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ period })),
    })
    if (answer.status !== 200) return refusalIn(answer)
    // the management API of this version answered
    return { done: true, results: JSON.parse(answer.body) as SurveyResultsPage }
  })
}

/** The numbers of the whole survey, by their names on the results page. */
export function totalRows(results: SurveyResultsPage): string[][] {
  const { shown, reached, submissions, dismissedUnanswered, responseRate, completionRate } = results
  return [
    ['Shown', String(shown)],
    ['Persons', String(reached)],
    ['Responses', String(submissions.responded)],
    ['Response rate', shareText(responseRate)],
    ['Completed', String(submissions.completed)],
    ['Completion rate', shareText(completionRate)],
    ['Dismissed', String(submissions.dismissed + dismissedUnanswered)],
    ['Abandoned', String(submissions.abandoned)],
  ]
}

/** Returns for each question a row with its score, then a row for each answer that is counted. */
export const questionRows = ({ questions }: SurveyResultsPage): string[][] =>
  questions.flatMap((question) => [
    [question.text, scoreText(question), String(question.answered), ''],
    ...countedAnswers(question).map(answerRow),
  ])

function scoreText({ rating }: QuestionResults): string {
  if (!rating) return ''
  const { nps, mean, csat } = rating
  if (nps) return `NPS ${estimateText(nps, 0)}`
  return mean ? `mean ${estimateText(mean, 2)}, CSAT ${shareText(csat)}` : ''
}

const answerRow = ({ answer, count, ...figures }: CountedAnswer): string[] => [
  '',
  answer,
  String(count),
  figureText(figures),
]

function figureText({ share, meanRank }: Pick<CountedAnswer, 'share' | 'meanRank'>): string {
  if (typeof meanRank === 'number') return `mean rank ${meanRank.toFixed(2)}`
  if (typeof share === 'number') return percent(share)
  return share === undefined ? '' : shareText(share)
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const shareText = (share: Estimate | null | undefined): string =>
  share
    ? `${percent(share.value)} (${(100 * share.low).toFixed(1)} to ${(100 * share.high).toFixed(1)})`
    : '–'

function estimateText({ value, low, high }: Estimate, digits: number): string {
  const text = (number: number) => number.toFixed(digits).replace('-', '−')
  return `${text(value)} (${text(low)} to ${text(high)})`
}
