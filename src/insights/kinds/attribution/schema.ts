import { z } from 'zod'
import { goal } from '#insights/compile/goal'
import { pages } from '#insights/compile/internal/page-addresses'
import { baseQueryFields } from '#insights/query-fields'

/**
 * Attributes the conversions of a goal to the pages that were read before. Each conversion counts for one page, the
 * first or the last that was opened within the days before.
 */
export const attributionQuery = z.object({
  kind: z.literal('attribution'),
  ...baseQueryFields,
  goal,
  /** All pages if absent. */
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
export type AttributionQuery = z.infer<typeof attributionQuery>
