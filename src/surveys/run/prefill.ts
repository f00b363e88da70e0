import { questionKinds } from '../kinds/question-kinds'
import type { Answer, Answers, SurveyQuestion } from '../question'

/**
 * Reads answers from an address: `q0=8` answers the first question, as in PostHog. Ratings are values, choices are
 * indexes, repeated for several. What does not fit is ignored.
 */
export function prefillFrom(query: URLSearchParams, questions: readonly SurveyQuestion[]): Answers {
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const values = query.getAll(`q${index}`)
      const answer = values.length === 0 ? undefined : prefilledAnswer(question, values)
      return answer === undefined ? [] : [[question.id, answer]]
    }),
  )
}

function prefilledAnswer(question: SurveyQuestion, values: readonly string[]): Answer | undefined {
  const numbers = values.filter((value) => /^\d{1,3}$/.test(value)).map(Number)
  return questionKinds[question.kind].prefilled?.(question, numbers)
}

/** Hidden fields among the parameters of an address. Only names that the survey lists are taken. */
export const hiddenFieldsFrom = (query: URLSearchParams, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [[name, value.slice(0, longestField)]]
    }),
  )

export const longestField = 1000
