import type { SurveyQuestion } from '#surveys/question'
import type { QuestionResults } from '#surveys/results/question-results'
import type { QuestionResult } from '../kinds/kind-result'
import { kindResults } from '../kinds/kind-results'

/** Prepares the results of a question for drawing. */
export const questionResult = (
  question: SurveyQuestion,
  results: QuestionResults | undefined,
): QuestionResult => ({
  answered: results?.answered ?? 0,
  stopped: results?.stopped ?? 0,
  ...kindResults[question.kind].draw(question, results ?? {}),
})

/** The results of the question as it is asked now: one whose kind or scale changed has several. */
export const currentResults = (
  { id, kind }: Pick<SurveyQuestion, 'id' | 'kind'>,
  all: readonly QuestionResults[],
): QuestionResults | undefined =>
  all
    .filter((one) => one.id === id && one.kind === kind)
    .toSorted((one, other) => other.version - one.version)[0]
