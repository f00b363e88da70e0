import { z } from 'zod'
import { baseQueryFields } from '#insights/query-fields'
import { vitalNames } from '#insights/compile/web-vitals'

/** The time in which pages load, respond and become stable for three of four visitors. */
export const vitalsQuery = z.object({
  kind: z.literal('vitals'),
  ...baseQueryFields,
  /** The vital that is shown for each page. */
  vital: z.enum(vitalNames).default('LCP'),
  /** Whether pages that differ by ids are one, by the groups of the project's settings. */
  groupPages: z.boolean().default(true),
  limit: z.number().int().min(1).max(1000).default(10),
})
export type VitalsQuery = z.infer<typeof vitalsQuery>
