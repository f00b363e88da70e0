import { z } from 'zod'
import { goal } from '../../compile/goal'
import { baseQueryFields, comparison, interval } from '../../query-fields'

/** The figures at the top of web analytics, and their time series. */
export const totalsQuery = z.object({
  kind: z.literal('totals'),
  ...baseQueryFields,
  goal: goal.optional(),
  compare: comparison.optional(),
  interval: interval.optional(),
})
export type TotalsQuery = z.infer<typeof totalsQuery>
