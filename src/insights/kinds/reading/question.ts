import { z } from 'zod'
import { pages } from '../../compile/page-addresses'
import { baseQuestionFields, interval } from '../../question'

/** How pages were read, by how many persons, and where they came from. */
export const readingQuestion = z.object({
  kind: z.literal('reading'),
  ...baseQuestionFields,
  /** All pages if absent. */
  pages: pages.optional(),
  interval: interval.optional(),
  /** Whether to add the time series, sources and channels, which need further scans. */
  details: z.boolean().default(true),
  limit: z.number().int().min(1).max(10_000).default(10),
})
export type ReadingQuestion = z.infer<typeof readingQuestion>
