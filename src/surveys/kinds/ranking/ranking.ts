import type { QuestionDefinition } from '../internal/question-definition'

export const ranking: QuestionDefinition<'ranking'> = {
  label: 'Ranking',
  hint: 'Put a list in order',
  blank: (choices) => ({ choices: choices('Option 1', 'Option 2', 'Option 3') }),
}
