import { z } from 'zod'
import { goal } from '../../goal'
import { asked, happening } from '../../question'

/** What is one number for each person. */
const outcome = z.discriminatedUnion('type', [
  /** 1 for whoever reached it, 0 for the others. */
  z.object({ type: z.literal('reached'), goal }),
  /** How often it happened to them. */
  z.object({ type: z.literal('times'), happening }),
  /** What three of four of their measurements were at most; who has none does not count. */
  z.object({
    type: z.literal('measured'),
    event: z.string().min(1, 'Name an event.').max(200),
    property: z.string().min(1, 'Name a property.').max(200),
  }),
])

/**
 * How those fared who got a flag, beside those who asked for it and did not. What somebody got is what they were told in
 * the period, by an answer or by what their events carry along, and they count from that moment on; who was told two
 * things is where they were told last.
 */
export const sidesQuestion = z.object({
  kind: z.literal('sides'),
  ...asked,
  flag: z
    .string({ error: 'Name a flag by its key.' })
    .min(1, 'Name a flag by its key.')
    .max(200, 'A flag’s key has at most 200 characters.'),
  /** Those who got this one; without it, those who got anything but "off". */
  variant: z.string().min(1).max(200).optional(),
  /** Only who asked from then on counts, as SDKs do not tell the same answer twice; since the period begins when absent. */
  since: z.iso.datetime({ error: 'Write an instant like 2026-03-01T10:00:00Z.' }).optional(),
  outcome,
  /** Counts those who have more than that. */
  over: z.number().optional(),
})
export type SidesQuestion = z.infer<typeof sidesQuestion>
