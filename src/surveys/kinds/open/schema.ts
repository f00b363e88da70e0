import { z } from 'zod'
import { whole } from '#surveys/internal/field-schemas'
import { label, questionFields } from '../internal/question-fields'

export const open = z.strictObject({
  kind: z.literal('open'),
  ...questionFields,
  placeholder: label.default(''),
  /** The length of the trimmed text, in UTF-16 units. */
  minLength: whole(1, 10_000).optional(),
  maxLength: whole(1, 10_000).optional(),
})
