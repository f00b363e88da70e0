import { z } from 'zod'

/** The unit of a metric’s values, and of the absolute differences between them. */
export const metricUnit = z.strictObject({
  /** The kind of value: a share, a mean for each unit, a ratio of two, or a quantile of events. */
  shape: z.enum(['share', 'mean', 'ratio', 'quantile']),
  currency: z
    .string()
    .optional()
    .meta({ description: 'The currency of the project, where the values are money' }),
})
