import { z } from 'zod'
import { pages } from '#insights/compile/internal/page-addresses'
import { baseQueryFields, interval } from '#insights/query-fields'

/** The reading of pages: how far, by how many persons, and from which sources they came. */
export const readingQuery = z.object({
  kind: z.literal('reading'),
  ...baseQueryFields,
  /** All pages if absent. */
  pages: pages.optional(),
  interval: interval.optional(),
  /** Whether to add the time series, sources and channels, which need further scans. */
  details: z.boolean().default(true),
  limit: z.number().int().min(1).max(10_000).default(10),
})
export type ReadingQuery = z.infer<typeof readingQuery>
