import { z } from 'zod'
import { goal } from '../../compile/goal'
import { baseQueryFields, comparison, interval } from '../../query-fields'

/** Asks for the visitors who reach each of several goals. */
export const goalsQuery = z.object({
  kind: z.literal('goals'),
  ...baseQueryFields,
  goals: z.array(goal).min(1, 'Name a goal.').max(200, 'Ask about 200 goals at once.'),
  compare: comparison.optional(),
  interval: interval.optional(),
})
export type GoalsQuery = z.infer<typeof goalsQuery>
