import { z } from 'zod'
import { baseQuestionFields } from '../../question'

/** The share of persons with a variant whose browser reported it. */
export const clientCoverageQuestion = z.object({
  kind: z.literal('client-coverage'),
  ...baseQuestionFields,
  /** Only this flag or trial, by its key. */
  flag: z
    .string()
    .min(1, 'Name a flag by its key.')
    .max(200, 'A flag’s key has at most 200 characters.')
    .optional(),
})
export type ClientCoverageQuestion = z.infer<typeof clientCoverageQuestion>
