import { z } from 'zod'
import { countedEntity } from '../../compile/counted-entity'
import { type ReturnInterval, returnInterval } from '../../calendar/intervals'
import { periodText } from '../../calendar/period'
import { baseQuestionFields, breakdown, eventMatcher } from '../../question'

/** Who starts when. */
export const retentionModes = {
  'first-ever': {
    label: 'First time ever',
    about: 'Counted once, where they did it for the first time of all.',
  },
  'first-in-period': {
    label: 'First time in the period',
    about: 'Counted once, where they first did it here.',
  },
  recurring: { label: 'Every time', about: 'Counted in each interval in which they did it.' },
} as const

export const mostIntervals = 31

/** The default periods. */
const usualPeriods: Record<ReturnInterval, string> = { hour: '24h', day: '11d', week: '12w', month: '12mo' }

/** Who comes back: of those who did one thing, how many did another, so many intervals later. */
export const retentionQuestion = z
  .object({
    kind: z.literal('retention'),
    ...baseQuestionFields,
    /** Each interval it touches is a cohort and counts wholly. */
    period: periodText.optional(),
    /** The event that puts a person into a cohort. */
    target: eventMatcher.prefault({ event: '$pageview' }),
    /** What counts as coming back; the same as the target, where it is not said. */
    returning: eventMatcher.optional(),
    mode: z.enum(['first-ever', 'first-in-period', 'recurring']).default('recurring'),
    /** Also counts later returns: in that interval or after it, up to the end of the period. */
    rolling: z.boolean().default(false),
    interval: returnInterval.default('day'),
    /** How often within an interval it takes to have come back. */
    minimum: z
      .number()
      .int()
      .min(1, 'Once is the least.')
      .max(1000, 'Ask for at most 1,000 times.')
      .default(1),
    per: countedEntity.default('person'),
    /** By what was true of the event that made them one of the cohort. */
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
  .transform((question) => ({ ...question, period: question.period ?? usualPeriods[question.interval] }))
export type RetentionQuestion = z.infer<typeof retentionQuestion>
