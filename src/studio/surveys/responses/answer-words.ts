import type { Answer, SurveyQuestion } from '#surveys/question'
import { kindResults } from '../kinds/kind-results'

/** An answer as a member reads it. */
export function answerInWords(answer: Answer, question: SurveyQuestion | undefined): string {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No'
  if (typeof answer !== 'object') return String(answer)
  if (isList(answer)) return answer.join(', ')
  return Object.entries(answer)
    .map(
      ([name, value]) =>
        (question && kindResults[question.kind].partInWords?.(name, value, question)) ?? `${name}: ${value}`,
    )
    .join('; ')
}

const isList = (answer: readonly string[] | Readonly<Record<string, string>>): answer is readonly string[] =>
  Array.isArray(answer)
