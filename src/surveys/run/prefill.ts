import { ratingValues } from '../flow'
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
  if (question.kind === 'rating')
    return numbers.find((number) => ratingValues(question.scale).includes(number))
  if (question.kind !== 'single-choice' && question.kind !== 'multiple-choice' && question.kind !== 'picture')
    return undefined
  // the last choice with a text field waits for that text
  const chosen =
    question.kind !== 'picture' && question.hasOther ? question.choices.slice(0, -1) : question.choices
  const texts = [...new Set(numbers)].flatMap((number) => chosen[number]?.text ?? [])
  if (texts.length === 0) return undefined
  return question.kind === 'single-choice' ? texts[0] : texts
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
