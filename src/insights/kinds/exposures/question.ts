import { z } from 'zod'
import { asked } from '../../question'

/** Which flags people were given, and when code asked for each the first time and the last. */
export const exposuresQuestion = z.object({
  kind: z.literal('exposures'),
  ...asked,
  /** Only these, by their keys. */
  flags: z
    .array(z.string().min(1, 'Name a flag by its key.').max(200, 'A flag’s key has at most 200 characters.'))
    .max(1000, 'Ask about 1000 flags at most.')
    .optional(),
})
export type ExposuresQuestion = z.infer<typeof exposuresQuestion>
