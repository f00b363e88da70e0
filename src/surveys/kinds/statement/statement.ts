import type { QuestionDefinition } from '../internal/question-definition'

export const statement: QuestionDefinition<'statement'> = {
  label: 'Statement',
  hint: 'Text without a question',
  asksNothing: true,
  blank: () => ({}),
}
