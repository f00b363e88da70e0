import type { QuestionDefinition } from '../internal/question-definition'

export const matrix: QuestionDefinition<'matrix'> = {
  label: 'Matrix',
  hint: 'One choice per row',
  blank: (choices) => ({ rows: choices('Row 1', 'Row 2'), columns: choices('Bad', 'Fair', 'Good') }),
}
