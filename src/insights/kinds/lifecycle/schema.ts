import { z } from 'zod'
import { returnInterval } from '../../calendar/intervals'
import { baseQueryFields, eventMatcher } from '../../query-fields'

/** The state of a person in an interval, from their activity in it and before. */
const lifecycleStates = {
  new: { label: 'New', about: 'Active for the first time ever.' },
  returning: { label: 'Returning', about: 'Active in the previous interval too.' },
  resurrecting: { label: 'Resurrecting', about: 'Active again after a pause.' },
  dormant: { label: 'Dormant', about: 'Active in the previous interval, not in this one.' },
} as const
export type LifecycleState = keyof typeof lifecycleStates

/** The number of active persons who are new, returning or resurrecting, and of those who became dormant. */
export const lifecycleQuery = z.object({
  kind: z.literal('lifecycle'),
  ...baseQueryFields,
  /** The activity. A person is new when they do it for the first time, whatever else they did before. */
  happening: eventMatcher.prefault({ event: '$pageview' }),
  interval: returnInterval.default('day'),
})
export type LifecycleQuery = z.infer<typeof lifecycleQuery>
