import { z } from 'zod'
import { baseQueryFields } from '#insights/query-fields'

/** The share of persons with a variant whose browser reported it. */
export const clientCoverageQuery = z.object({
  kind: z.literal('client-coverage'),
  ...baseQueryFields,
  /** Only this flag or trial, by its key. */
  flag: z
    .string()
    .min(1, 'Name a flag by its key.')
    .max(200, 'A flag’s key has at most 200 characters.')
    .optional(),
})
export type ClientCoverageQuery = z.infer<typeof clientCoverageQuery>
