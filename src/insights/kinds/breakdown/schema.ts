import { z } from 'zod'
import { dimensionNames } from '../../text/dimension-words'
import { goal } from '../../compile/goal'
import { baseQueryFields, comparison, interval } from '../../query-fields'

/** The numbers by which rows can be sorted, and the value itself. */
const sortableBy = [
  'value',
  'visitors',
  'events',
  'visits',
  'views',
  'bounceRate',
  'duration',
  'scroll',
  'revenue',
  'conversionRate',
] as const
export type SortableBy = (typeof sortableBy)[number]

const sort = z.object({
  by: z.enum(sortableBy),
  direction: z.enum(['ascending', 'descending']).default('descending'),
})
export type RowSort = z.infer<typeof sort>

/** The query of web analytics panels; several dimensions share one scan. */
export const breakdownQuery = z.object({
  kind: z.literal('breakdown'),
  ...baseQueryFields,
  dimensions: z
    .array(z.enum(dimensionNames))
    .min(1, 'Name a dimension.')
    .max(12, 'Ask about 12 dimensions at once.'),
  goal: goal.optional(),
  compare: comparison.optional(),
  interval: interval.optional(),
  /** The most visitors first if absent. Unknown numbers are last. */
  sort: sort.optional(),
  /** Only values that contain this text. */
  search: z.string().max(200).optional(),
  limit: z.number().int().min(1).max(1000).default(10),
  offset: z.number().int().min(0).max(100_000).default(0),
  /** Includes reading time, scroll depth and bounce rate, which need further scans. */
  details: z.boolean().default(false),
  /** Whether pages that differ by ids are one, by the groups of the project's settings. */
  groupPages: z.boolean().default(true),
  /** Includes the figures of all visits, which need further scans. */
  totals: z.boolean().default(true),
})
export type BreakdownQuery = z.infer<typeof breakdownQuery>
