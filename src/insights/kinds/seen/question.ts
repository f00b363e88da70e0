import { z } from 'zod'
import { asked } from '../../question'

/** How many of those who were served something that varies had a browser that told of it. */
export const seenQuestion = z.object({
  kind: z.literal('seen'),
  ...asked,
  /** Only this flag or trial, by its key. */
  flag: z
    .string()
    .min(1, 'Name a flag by its key.')
    .max(200, 'A flag’s key has at most 200 characters.')
    .optional(),
})
export type SeenQuestion = z.infer<typeof seenQuestion>
