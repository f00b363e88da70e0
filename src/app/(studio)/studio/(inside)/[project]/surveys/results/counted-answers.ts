import type { SurveyAnswer } from '#insights/kinds/survey/survey'
import type { Question } from '#surveys/question'
import type { CountedAnswers } from './question-results'

/** A question that changed its kind or scale is counted apart for each; the one as it is now is taken. */
export function countedAnswers(
  { id, kind }: Pick<Question, 'id' | 'kind'>,
  { all, questions }: Pick<SurveyAnswer, 'all' | 'questions'>,
): CountedAnswers {
  const index = questions.findLastIndex((question) => question.id === id && question.kind === kind)
  const shape = questions[index]
  const counts = all.questions[index]
  return {
    kind,
    choices: shape?.choices ?? [],
    rows: shape?.rows ?? [],
    columns: shape?.columns ?? [],
    answered: counts?.answered ?? 0,
    stopped: counts?.stopped ?? 0,
    counts: counts?.counts ?? [],
  }
}
