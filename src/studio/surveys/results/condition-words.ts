import type { AnswerCondition, AnswerValue } from '#insights/kinds/survey/schema'
import type { SurveyQuestion } from '#surveys/question'
import { kindResults } from '../kinds/kind-results'

/** A condition on an answer as a chip writes it: "Detractors", "9", "Berries or Apples", "contains “slow”". */
export function conditionInWords(condition: AnswerCondition, question: SurveyQuestion | undefined): string {
  if ('containing' in condition) return `contains “${condition.containing}”`
  if ('isAnswered' in condition) return 'answered'
  const { values } = condition
  const group = question && kindResults[question.kind].groupInWords?.(values, question)
  return group ?? values.map((value) => valueInWords(value, question)).join(' or ')
}

function valueInWords(value: AnswerValue, question: SurveyQuestion | undefined): string {
  if (value === null) return 'Typed answers'
  const words = question && kindResults[question.kind].valueInWords?.(value, question)
  if (words !== undefined) return words
  if (typeof value === 'boolean') return value ? 'Given' : 'Not given'
  return typeof value === 'object' ? `${value.row}: ${value.column}` : String(value)
}
