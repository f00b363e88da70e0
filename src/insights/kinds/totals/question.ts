import { z } from 'zod'
import { goal } from '../../compile/goal'
import { baseQuestionFields, comparison, interval } from '../../question'

/** The figures at the top of web analytics, and their time series. */
export const totalsQuestion = z.object({
  kind: z.literal('totals'),
  ...baseQuestionFields,
  goal: goal.optional(),
  compare: comparison.optional(),
  interval: interval.optional(),
})
export type TotalsQuestion = z.infer<typeof totalsQuestion>
