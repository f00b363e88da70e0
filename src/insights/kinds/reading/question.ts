import { z } from 'zod'
import { pages } from '../../compile/page-addresses'
import { baseQuestionFields, interval } from '../../question'

/** How pages were read, by how many, and where those came from. */
export const readingQuestion = z.object({
  kind: z.literal('reading'),
  ...baseQuestionFields,
  /** Every page there is when absent. */
  pages: pages.optional(),
  interval: interval.optional(),
  /** With the course of time, sources and channels, which takes further looks at the events. */
  details: z.boolean().default(true),
  limit: z.number().int().min(1).max(10_000).default(10),
})
export type ReadingQuestion = z.infer<typeof readingQuestion>
