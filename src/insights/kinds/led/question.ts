import { z } from 'zod'
import { goal } from '../../goal'
import { pages } from '../../pages'
import { asked } from '../../question'

/**
 * What reading led to: who reached a goal in the period, and which page they had read before. Each time it is reached
 * counts for one page, the first or the last that was opened within the days before.
 */
export const ledQuestion = z.object({
  kind: z.literal('led'),
  ...asked,
  goal,
  /** Every page there is when absent. */
  pages: pages.optional(),
  attribution: z.enum(['first', 'last'], { error: 'Choose one of first, last.' }).default('last'),
  days: z
    .number({ error: 'Say within how many days.' })
    .int('Use whole days.')
    .min(1, 'Use at least one day.')
    .max(365, 'Use at most 365 days.')
    .default(30),
  limit: z.number().int().min(1).max(10_000).default(10),
})
export type LedQuestion = z.infer<typeof ledQuestion>
