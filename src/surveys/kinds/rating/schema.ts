import { z } from 'zod'
import { flag } from '#surveys/internal/field-schemas'
import { ratingScales } from '../rating-scale'
import { label, questionFields } from '../internal/question-fields'

export const rating = z.strictObject({
  kind: z.literal('rating'),
  ...questionFields,
  display: z.enum(['number', 'emoji', 'stars'], { error: 'Show the rating as number, emoji or stars.' }),
  /** 10 means 0 to 10, the NPS scale; the others begin at 1. 2 is thumbs: 1 is up and 2 is down. */
  scale: z.literal(ratingScales, { error: `The scale is one of ${ratingScales.join(', ')}.` }),
  lowerLabel: label.default(''),
  upperLabel: label.default(''),
  /** A click answers; there is no button. */
  submitsOnClick: flag.default(false),
})
