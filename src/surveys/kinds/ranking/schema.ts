import { z } from 'zod'
import { choiceOrText, choicesOf, questionFields } from '../internal/question-fields'

export const ranking = z.strictObject({
  kind: z.literal('ranking'),
  ...questionFields,
  choices: choicesOf(choiceOrText, 'choices', 2),
})
