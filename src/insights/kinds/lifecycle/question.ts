import { z } from 'zod'
import { returnInterval } from '../../intervals'
import { asked, happening } from '../../question'

/** In which state somebody is in an interval, as told by what they did in it and before. */
export const lifecycleStates = {
  new: { label: 'New', about: 'Did it for the first time ever.' },
  returning: { label: 'Returning', about: 'Did it in the interval before as well.' },
  resurrecting: { label: 'Resurrecting', about: 'Did it once, not in the interval before, and now again.' },
  dormant: { label: 'Dormant', about: 'Did it in the interval before, and not in this one.' },
} as const
export type LifecycleState = keyof typeof lifecycleStates

/** Of whom the active are made: who is new, who stays, who comes back, and who was lost. */
export const lifecycleQuestion = z.object({
  kind: z.literal('lifecycle'),
  ...asked,
  /** What being active means. New is who does this for the first time, whatever else they did before. */
  happening: happening.prefault({ event: '$pageview' }),
  interval: returnInterval.default('day'),
})
export type LifecycleQuestion = z.infer<typeof lifecycleQuestion>
