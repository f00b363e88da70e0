import { z } from 'zod'
import { dimensionNames } from '../../dimension-words'
import { goal } from '../../goal'
import { asked, comparison, interval } from '../../question'

/** The table behind every panel of web analytics; several panels at once read the same rows once. */
export const breakdownQuestion = z.object({
  kind: z.literal('breakdown'),
  ...asked,
  dimensions: z
    .array(z.enum(dimensionNames))
    .min(1, 'Name a dimension.')
    .max(12, 'Ask about 12 dimensions at once.'),
  goal: goal.optional(),
  compare: comparison.optional(),
  interval: interval.optional(),
  /** Only values that contain this. */
  search: z.string().max(200).optional(),
  limit: z.number().int().min(1).max(1000).default(10),
  offset: z.number().int().min(0).max(100_000).default(0),
  /** With what takes further looks at the events: how long and how far pages were read, and who left at once. */
  details: z.boolean().default(false),
  /** With the figures of all visits beside the rows. Dimensions of sessions bring them anyway. */
  totals: z.boolean().default(true),
})
export type BreakdownQuestion = z.infer<typeof breakdownQuestion>
