import type { AnswerCondition, AnswerValue } from '#insights/kinds/survey/schema'
import type { SurveyQuestion } from '#surveys/question'
import { ratingGroups, ratingLabel } from './question-results'

/** A condition on an answer as a chip writes it: "Detractors", "9", "Berries or Apples", "contains “slow”". */
export function conditionInWords(condition: AnswerCondition, question: SurveyQuestion | undefined): string {
  if ('containing' in condition) return `contains “${condition.containing}”`
  if ('isAnswered' in condition) return 'answered'
  const group = question?.kind === 'rating' && groupOf(condition.values, question)
  return group || condition.values.map((value) => valueInWords(value, question)).join(' or ')
}

const groupOf = (
  values: readonly AnswerValue[],
  { scale }: Extract<SurveyQuestion, { kind: 'rating' }>,
): string | undefined =>
  scale === 10
    ? ratingGroups(scale).find((one) => JSON.stringify(one.values) === JSON.stringify(values))?.label
    : undefined

function valueInWords(value: AnswerValue, question: SurveyQuestion | undefined): string {
  if (value === null) return 'Typed answers'
  switch (typeof value) {
    case 'boolean':
      return value ? 'Given' : 'Not given'
    case 'number':
      return question?.kind === 'rating' ? ratingLabel(question, value) : String(value)
    case 'object':
      return cellInWords(value, question)
    default:
      return choiceInWords(value, question)
  }
}

function cellInWords(
  { row, column }: { row: string; column: string },
  question: SurveyQuestion | undefined,
): string {
  const { rows = [], columns = [] } = question?.kind === 'matrix' ? question : {}
  return `${nameIn(rows, row)}: ${nameIn(columns, column)}`
}

function choiceInWords(id: string, question: SurveyQuestion | undefined): string {
  const name = nameIn(question && 'choices' in question ? question.choices : [], id)
  return question?.kind === 'ranking' ? `${name} first` : name
}

const nameIn = (list: readonly { id: string; text: string }[], id: string): string =>
  list.find((one) => one.id === id)?.text ?? id
