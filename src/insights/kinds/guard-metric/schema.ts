import { z } from 'zod'
import { goal } from '#insights/compile/goal'
import { baseQueryFields, eventMatcher } from '#insights/query-fields'

/** The number that is measured for each person. */
const outcome = z.discriminatedUnion('type', [
  /** 1 for persons who reached the goal, 0 for the others. */
  z.object({ type: z.literal('reached'), goal }),
  /** The number of such events that the person has. */
  z.object({ type: z.literal('times'), happening: eventMatcher }),
  /** The 75th percentile of the person's measurements; persons without any do not count. */
  z.object({
    type: z.literal('measured'),
    event: z.string().min(1, 'Name an event.').max(200),
    property: z.string().min(1, 'Name a property.').max(200),
  }),
])

/**
 * Compares persons with a flag to persons who evaluated it and did not get it. A person's value is the one in the
 * period, from a flag event or a property of another event, and they count from that moment on; a person with two
 * values has the last one.
 */
export const guardMetricQuery = z.object({
  kind: z.literal('guard-metric'),
  ...baseQueryFields,
  flag: z
    .string({ error: 'Name a flag by its key.' })
    .min(1, 'Name a flag by its key.')
    .max(200, 'A flag’s key has at most 200 characters.'),
  /** The variant to compare; if absent, every value but "off". */
  variant: z.string().min(1).max(200).optional(),
  /**
   * Only evaluations from this time on count, because SDKs do not report the same decision twice; if absent, from the
   * period's beginning.
   */
  since: z.iso.datetime({ error: 'Write an instant like 2026-03-01T10:00:00Z.' }).optional(),
  outcome,
  /** Counts the persons with more than this. */
  over: z.number().optional(),
})
export type GuardMetricQuery = z.infer<typeof guardMetricQuery>
