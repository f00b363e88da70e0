import { z } from 'zod'
import { countedEntity } from '../../compile/counted-entity'
import { returnInterval } from '../../calendar/intervals'
import { baseQueryFields, comparison, eventMatcher } from '../../query-fields'

/** The number of days on which people do something. */
export const stickinessQuery = z.object({
  kind: z.literal('stickiness'),
  ...baseQueryFields,
  series: z
    .array(eventMatcher)
    .min(1, 'Choose at least one event.')
    .max(10, 'A chart shows at most 10 series.')
    .prefault([{ event: '$pageview' }]),
  interval: returnInterval.default('day'),
  /** The number of base intervals in one: two days, three hours. */
  every: z
    .number()
    .int()
    .min(1, 'Use at least 1.')
    .max(100, 'Put at most 100 intervals together.')
    .default(1),
  per: countedEntity.default('person'),
  /** Counts persons active in at least so many intervals, instead of exactly so many. */
  cumulative: z.boolean().default(false),
  compare: comparison.optional(),
})
export type StickinessQuery = z.infer<typeof stickinessQuery>
