import { z } from 'zod'
import { requiredText } from '#surveys/internal/field-schemas'
import { questionFields } from '../internal/question-fields'

export const consent = z.strictObject({
  kind: z.literal('consent'),
  ...questionFields,
  /** The text beside the box. */
  label: requiredText('Write what is consented to.'),
})
