import { z } from 'zod'
import { choiceOrText, choicesOf, questionFields } from '../internal/question-fields'

/** A matrix: one choice among the columns for each row. */
export const matrix = z.strictObject({
  kind: z.literal('matrix'),
  ...questionFields,
  rows: choicesOf(choiceOrText, 'rows', 1),
  columns: choicesOf(choiceOrText, 'columns', 2),
})
