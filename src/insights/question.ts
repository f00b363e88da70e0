import { z } from 'zod'
import { filter, type Filter } from '../filters/filter'
import { comparisonText, intervals, isOpen, type Period, periodOn, periodText } from './period'
import { traffics } from './reach'
import type { Asked, Scope } from './scope'

/** The name of an event; null stands for any. */
export const eventName = z
  .string({ error: 'Name an event, or null for any.' })
  .min(1, 'Name an event, or null for any.')
  .max(200, 'No event has a name over 200 characters.')
  .nullable()

/** An event, and which of them. */
export const happening = z.object({
  event: eventName,
  /** What people call it here. */
  label: z.string().max(200).optional(),
  filter: filter.optional(),
})
export type Happening = z.infer<typeof happening>

/** Into how many equally wide ranges the numbers of a property are put. */
const bins = z.number().int().min(2, 'Use at least two ranges.').max(50, 'Use at most 50 ranges.').optional()

/** By what an answer is cut into pieces. */
export const breakdown = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['event', 'person', 'session']), key: z.string().min(1).max(200), bins }),
  z.object({
    type: z.literal('group'),
    group: z.string().min(1).max(200),
    key: z.string().min(1).max(200),
    bins,
  }),
  z.object({ type: z.literal('cohort'), cohorts: z.array(z.string().max(100)).min(1).max(20) }),
])
export type Breakdown = z.infer<typeof breakdown>

/** What every question says, whatever its kind. */
export const asked = {
  period: periodText.default('30d'),
  filter: filter.optional(),
  traffic: z.enum(traffics).default('human'),
  withoutTestAccounts: z.boolean().default(false),
}

export const interval = z.enum(intervals)
export const comparison = comparisonText

/** Both, where there are both. */
export function both(one: Filter | undefined, other: Filter | undefined): Filter | undefined {
  return one && other ? { all: [one, other] } : (one ?? other)
}

/** What stands for "this property was not there" in a breakdown. */
export const noValue = null
/** What stands for everything beyond the largest in a breakdown. */
export const others = Symbol.for('tilth.others')

/** The instants a question is about; where it begins with the first event, that is looked up. */
export async function periodAsked({ period }: Pick<Asked, 'period'>, scope: Scope): Promise<Period> {
  return periodOn(scope.calendar, period, isOpen(period) ? await scope.firstEventAt() : undefined)
}
