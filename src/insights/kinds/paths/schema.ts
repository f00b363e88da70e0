import { z } from 'zod'
import { baseQueryFields } from '../../query-fields'

const nodeName = z
  .string()
  .trim()
  .min(1, 'Name a page, a screen or an event.')
  .max(500, 'Use at most 500 characters.')

/** The order in which people do things, from a start or up to an end. */
export const pathsQuery = z.object({
  kind: z.literal('paths'),
  ...baseQueryFields,
  /** Pages and screens are identified by their addresses or names, events by their names. */
  of: z.enum(['pages', 'screens', 'events']).default('pages'),
  /** Only these events, for paths of events. */
  events: z.array(z.string().min(1).max(200)).min(1).max(50, 'Name at most 50 events.').optional(),
  /** The node where paths begin, at its first visit. */
  start: nodeName.optional(),
  /** The node where paths end, at its first visit. */
  end: nodeName.optional(),
  steps: z
    .number()
    .int()
    .min(2, 'A path has at least two steps.')
    .max(10, 'Show at most 10 steps.')
    .default(5),
  per: z.enum(['session', 'person']).default('session'),
  /** For persons, a longer pause ends a path. */
  windowMinutes: z
    .number()
    .int()
    .min(1, 'Use at least a minute.')
    .max(43_200, 'Use at most thirty days.')
    .default(30),
  /** Whether addresses that differ only by ids, dates and the like are merged; for pages only. */
  clean: z.boolean().default(true),
  /** Patterns of names that are merged, the first match counts: "/blog/*". */
  groups: z
    .array(z.object({ pattern: nodeName, name: nodeName.optional() }))
    .max(50, 'Use at most 50 patterns.')
    .default([]),
  /** Whether repeated visits in a row count once. */
  collapse: z.boolean().default(true),
  /** The number of nodes at each step; all further ones are merged as others. */
  top: z.number().int().min(1, 'Use at least 1.').max(50, 'Show at most 50 at each step.').default(10),
})
export type PathsQuery = z.infer<typeof pathsQuery>

/** Whether paths lead to an end: if only an end is set. */
export const leadsBack = ({ start, end }: PathsQuery): boolean => end !== undefined && start === undefined
