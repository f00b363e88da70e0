import { z } from 'zod'
import { pages } from '#insights/compile/internal/page-addresses'
import { baseQueryFields } from '#insights/query-fields'

/**
 * The result of each variant of a trial: how many persons saw it in the period, and how many of them opened its pages
 * and read one completely within the days after. Persons count for the variant they saw; persons who saw two count for
 * none.
 */
export const trialQuery = z.object({
  kind: z.literal('trial'),
  ...baseQueryFields,
  flag: z
    .string({ error: 'Name the trial by its key.' })
    .min(1, 'Name the trial by its key.')
    .max(200, 'A trial’s key has at most 200 characters.'),
  variants: z
    .array(z.string().min(1, 'Name each variant.').max(200, 'A variant’s key has at most 200 characters.'), {
      error: 'List the variants.',
    })
    .min(1, 'Name a variant.')
    .max(20, 'Name at most 20 variants.'),
  pages,
  days: z
    .number({ error: 'Say within how many days.' })
    .int('Use whole days.')
    .min(1, 'Use at least one day.')
    .max(90, 'Use at most 90 days.')
    .default(7),
})
export type TrialQuery = z.infer<typeof trialQuery>
