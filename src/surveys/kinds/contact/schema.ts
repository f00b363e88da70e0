import { z } from 'zod'
import { flag } from '#surveys/internal/field-schemas'
import { contactFields } from '../contact-fields'
import { questionFields } from '../internal/question-fields'

export const contact = z.strictObject({
  kind: z.literal('contact'),
  ...questionFields,
  fields: z
    .array(
      z.strictObject({
        field: z.enum(contactFields, { error: `A contact has the fields ${contactFields.join(', ')}.` }),
        isRequired: flag.default(false),
      }),
      { error: 'Give the fields as a list.' },
    )
    .min(1, 'Ask for at least one field.')
    .refine((fields) => new Set(fields.map(({ field }) => field)).size === fields.length, {
      error: 'A field is there twice.',
    }),
})
