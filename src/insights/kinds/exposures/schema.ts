import { z } from 'zod'
import { baseQueryFields } from '#insights/query-fields'

/** The flags that were evaluated, with their values and the first and last evaluation. */
export const exposuresQuery = z.object({
  kind: z.literal('exposures'),
  ...baseQueryFields,
  /** Only flags with these keys. */
  flags: z
    .array(z.string().min(1, 'Name a flag by its key.').max(200, 'A flag’s key has at most 200 characters.'))
    .max(1000, 'Ask about 1000 flags at most.')
    .optional(),
})
export type ExposuresQuery = z.infer<typeof exposuresQuery>
