import { z } from 'zod'
import { countedEntity } from '../../compile/counted-entity'
import { type ReturnInterval, returnInterval } from '../../calendar/intervals'
import { periodText } from '../../calendar/period'
import { baseQueryFields, breakdown, eventMatcher } from '../../query-fields'

export const mostIntervals = 31

/** The default periods. */
const usualPeriods: Record<ReturnInterval, string> = { hour: '24h', day: '11d', week: '12w', month: '12mo' }

/** The number of persons who did one thing and, so many intervals later, another. */
export const retentionQuery = z
  .object({
    kind: z.literal('retention'),
    ...baseQueryFields,
    /** Each interval that it overlaps is a cohort and counts completely. */
    period: periodText.optional(),
    /** The event that puts a person into a cohort. */
    target: eventMatcher.prefault({ event: '$pageview' }),
    /** The event that counts as a return; by default the target. */
    returning: eventMatcher.optional(),
    mode: z.enum(['first-ever', 'first-in-period', 'recurring']).default('recurring'),
    /** Also counts later returns: in that interval or after it, up to the end of the period. */
    rolling: z.boolean().default(false),
    interval: returnInterval.default('day'),
    /** The number of events within an interval that count as a return. */
    minimum: z.number().int().min(1, 'Use at least 1.').max(1000, 'Ask for at most 1,000 times.').default(1),
    per: countedEntity.default('person'),
    /** A property of the event that put the person into the cohort. */
    breakdown: breakdown.optional(),
    limit: z.number().int().min(1).max(100, 'Show at most 100 values of a breakdown.').default(10),
  })
  .superRefine(({ breakdown: cut }, context) => {
    if (cut?.type === 'cohort')
      context.addIssue({
        code: 'custom',
        path: ['breakdown'],
        message: 'Retention has cohorts of its own. Filter by yours, or break down by a property.',
      })
    else if (cut?.bins !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['breakdown', 'bins'],
        message: 'Retention breaks down by the values of a property, not by ranges of them.',
      })
  })
  .transform((query) => ({ ...query, period: query.period ?? usualPeriods[query.interval] }))
export type RetentionQuery = z.infer<typeof retentionQuery>
