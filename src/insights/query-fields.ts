import { z } from 'zod'
import { filter, type Filter } from '#filters/filter'
import { comparisonText, intervals, isOpen, type Period, periodOn, periodText } from './calendar/period'
import { traffics } from './compile/event-range'
import type { BaseQuery, QueryScope } from './scope'

/** The name of an event; null stands for any. */
export const eventName = z
  .string({ error: 'Name an event, or null for any.' })
  .min(1, 'Name an event, or null for any.')
  .max(200, 'No event has a name over 200 characters.')
  .nullable()

/** An event name and a filter. */
export const eventMatcher = z.object({
  event: eventName,
  /** The label in this query. */
  label: z.string().max(200).optional(),
  filter: filter.optional(),
})
export type EventMatcher = z.infer<typeof eventMatcher>

/** The number of equally wide ranges for a numeric property. */
const bins = z.number().int().min(2, 'Use at least two ranges.').max(50, 'Use at most 50 ranges.').optional()

/** A breakdown: a property or cohorts by which an answer is split. */
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

/** The fields of every query. */
export const baseQueryFields = {
  period: periodText.default('30d'),
  filter: filter.optional(),
  traffic: z.enum(traffics).default('human'),
  withoutTestAccounts: z.boolean().default(false),
  exact: z.boolean().optional(),
}

export const interval = z.enum(intervals)
export const comparison = comparisonText

/** Combines two optional filters. */
export function bothFilters(one: Filter | undefined, other: Filter | undefined): Filter | undefined {
  return one && other ? { all: [one, other] } : (one ?? other)
}

/** Resolves the period of a query; `all` looks up the first event. */
export async function queryPeriod({ period }: Pick<BaseQuery, 'period'>, scope: QueryScope): Promise<Period> {
  return periodOn(scope.calendar, period, isOpen(period) ? await scope.firstEventAt() : undefined)
}
