import { z } from 'zod'
import { questionFields } from '../internal/question-fields'

const isoDate = z.iso.date('Write the date like 2026-11-21.')

export const date = z.strictObject({
  kind: z.literal('date'),
  ...questionFields,
  /** ISO dates, both included. */
  earliest: isoDate.optional(),
  latest: isoDate.optional(),
})
