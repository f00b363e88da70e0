import type { SurveyQuestion } from '../question'

/** The beginning of the names of properties that hold answers. */
export const responsePrefix = '$survey_response'

/**
 * Finds the question that a property answers. SDKs before 2025 name answers by the question's position: the first has no
 * number.
 */
export function questionOf(name: string, questions: readonly SurveyQuestion[]): SurveyQuestion | undefined {
  const rest = name.slice(responsePrefix.length)
  if (rest === '') return questions[0]
  const byId = questions.find(({ id }) => rest === `_${id}`)
  return byId ?? (/^_\d{1,3}$/.test(rest) ? questions[Number(rest.slice(1))] : undefined)
}
