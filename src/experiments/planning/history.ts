import { z } from 'zod'
import { exposureSource } from '#insights/kinds/experiment/exposure-source'
import type { EventMatcher } from '#insights/query-fields'
import type { Experiment } from '../experiment'
import { newExperiment } from '../experiment-input'
import type { PlanSource } from './plan'

/** The input of a plan: the project’s own history, and how much of it the flag will let in. */
export const planInput = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(7, 'Use at least 7 days of history.')
    .max(90, 'Use at most 90 days of history.')
    .default(28)
    .meta({ description: 'Days of history' }),
  event: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The event at which people meet the experiment; otherwise what exposes them' }),
  path: z
    .string()
    .startsWith('/', 'Write a path like /pricing.')
    .max(1000)
    .optional()
    .meta({ description: 'Only page views of this path, in place of an event' }),
  traffic: z.coerce
    .number()
    .gt(0, 'Use a percentage above 0.')
    .max(100, 'Use a percentage up to 100.')
    .optional()
    .meta({ description: 'The percentage that the flag lets in; otherwise that of its conditions' }),
})
export type PlanRequest = z.infer<typeof planInput>

/** The input of a plan of an experiment that is not created yet. */
export const draftPlanInput = z.strictObject({
  experiment: newExperiment,
  /** Of the flag that is created with the experiment; left out for a flag that exists. */
  variants: z.array(z.strictObject({ key: z.string(), percentage: z.number().min(0).max(100) })).optional(),
  history: planInput.prefault({}),
})

/** The parts of an experiment that its plan follows from. */
export type PlannedExperiment = Pick<
  Experiment,
  'flag' | 'control' | 'exposure' | 'unit' | 'entry' | 'metrics' | 'analysis' | 'startedAt'
>

/** Returns the source of the history: the one that the reader named, or the experiment’s own rule. */
export function sourceOf({ event, path }: PlanRequest): PlanSource {
  if (path !== undefined) return { by: 'event', event: event ?? '$pageview', path }
  return event === undefined ? { by: 'exposures' } : { by: 'event', event, path: undefined }
}

/** The events of a source; the first of a unit stands for its exposure. */
export function matcherOf(source: PlanSource, { exposure, flag }: PlannedExperiment): EventMatcher {
  if (source.by === 'activity') return { event: null }
  if (source.by === 'event')
    return {
      event: source.event,
      ...(source.path !== undefined && {
        filter: { type: 'event', key: '$pathname', operator: 'exact', value: [source.path] },
      }),
    }
  const { event, filter } = exposureSource({ exposure, flag })
  return { event, ...(filter && { filter }) }
}

/** A query about the history from a time until now. It begins with a day, so that its answer is cached. */
export const historyQuery = (
  { flag, control, exposure, unit, entry, metrics, analysis }: PlannedExperiment,
  { matcher, from }: { matcher: EventMatcher; from: Date },
) => ({
  kind: 'experiment' as const,
  flag,
  // every unit counts, whatever it was given; an experiment has at least two variants
  variants: [control, `not ${control}`.slice(0, 200)],
  exposure,
  unit,
  ...(entry && { entry }),
  severalVariants: 'first',
  phases: [from.toISOString()],
  history: matcher,
  metrics: metrics.map(({ measured }) => measured),
  lookbackDays: analysis.lookbackDays,
})

const dayMs = 86_400_000

export const historyStart = (now: Date, days: number): Date =>
  new Date(Math.floor(now.getTime() / dayMs - days) * dayMs)
