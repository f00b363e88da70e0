import { z } from 'zod'
import { goal } from '../../goal'
import { asked, comparison, interval } from '../../question'

/** How many came, how long they stayed, what came of it: the figures at the top of web analytics, and their course. */
export const totalsQuestion = z.object({
  kind: z.literal('totals'),
  ...asked,
  goal: goal.optional(),
  compare: comparison.optional(),
  interval: interval.optional(),
})
export type TotalsQuestion = z.infer<typeof totalsQuestion>
