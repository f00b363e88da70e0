import { z } from 'zod'
import { baseQuestionFields } from '../../question'

const nodeName = z
  .string()
  .trim()
  .min(1, 'Name a page, a screen or an event.')
  .max(500, 'Use at most 500 characters.')

/** What people do one after the other, from a point on or up to one. */
export const pathsQuestion = z.object({
  kind: z.literal('paths'),
  ...baseQuestionFields,
  /** Pages and screens go by where they are, events by their names. */
  of: z.enum(['pages', 'screens', 'events']).default('pages'),
  /** Only these events, where paths are of events. */
  events: z.array(z.string().min(1).max(200)).min(1).max(50, 'Name at most 50 events.').optional(),
  /** Paths begin where this is first reached. */
  start: nodeName.optional(),
  /** Paths lead to where this is first reached. */
  end: nodeName.optional(),
  steps: z
    .number()
    .int()
    .min(2, 'A path has two steps at least.')
    .max(10, 'Show at most 10 steps.')
    .default(5),
  per: z.enum(['session', 'person']).default('session'),
  /** Per person, a pause longer than this ends a path. */
  windowMinutes: z
    .number()
    .int()
    .min(1, 'A minute is the least.')
    .max(43_200, 'Thirty days are the longest pause.')
    .default(30),
  /** Whether addresses that differ by ids, dates and the like are one; of pages alone. */
  clean: z.boolean().default(true),
  /** Names to be one, the first that fits: "/blog/*". */
  groups: z
    .array(z.object({ pattern: nodeName, name: nodeName.optional() }))
    .max(50, 'Use at most 50 patterns.')
    .default([]),
  /** Whether the same one several times in a row counts once. */
  collapse: z.boolean().default(true),
  /** How many are told apart at each step; all beyond are the others. */
  top: z.number().int().min(1, 'One is the least.').max(50, 'Show at most 50 at each step.').default(10),
})
export type PathsQuestion = z.infer<typeof pathsQuestion>

/** Where only an end is named, paths are followed back from there. */
export const leadsBack = ({ start, end }: PathsQuestion): boolean => end !== undefined && start === undefined
