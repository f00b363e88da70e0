import { z } from 'zod'
import { link as address } from '#surveys/internal/field-schemas'
import { questionFields } from '../internal/question-fields'

export const link = z.strictObject({
  kind: z.literal('link'),
  ...questionFields,
  /** https or mailto. */
  link: address,
})
