import { z } from 'zod'
import { changeOf } from '#collection/change-of'
import { metricRoles } from './experiment'
import {
  analysisSettings,
  banditSettings,
  editableExperiment,
  experimentMetric,
  experimentSchema,
  key,
} from './internal/experiment-schema'
import { rolloutSettings } from './rollouts/internal/rollout-input'

const metric = experimentMetric.partial({ id: true })
export type MetricInput = z.infer<typeof metric>

const metrics = z
  .array(metric)
  .max(30, 'An experiment has at most 30 metrics.')
  .refine(
    (all) =>
      new Set(all.flatMap(({ id }) => id ?? [])).size === all.filter(({ id }) => id !== undefined).length,
    'Two metrics have the same id.',
  )

const { flag, bandit, rollout } = experimentSchema.shape

export const newExperiment = editableExperiment.extend({
  flag,
  bandit,
  rollout,
  control: key.optional().meta({ description: 'The flag’s first variant, if it is left out' }),
  metrics: metrics.default([]),
  analysis: analysisSettings
    .extend({
      method: analysisSettings.shape.method
        .optional()
        .meta({ description: 'A rollout is sequential, and others are Bayesian if it is left out' }),
    })
    .prefault({}),
})

const basis = z.iso.datetime().optional().meta({
  description: 'Of the experiment that the change is based on; it is refused if that changed since',
})

export const experimentChange = changeOf(editableExperiment).extend({
  metrics: metrics.optional(),
  bandit: changeOf(banditSettings).optional(),
  rollout: changeOf(rolloutSettings).optional(),
  analysis: changeOf(analysisSettings).optional(),
  changedAt: basis,
})

/** Saved metrics by id, or all of a group. */
export const savedMetricsInput = z.union(
  [
    z.strictObject({
      ids: z.array(z.string().max(100)).min(1).max(30),
      role: z.enum(metricRoles).default('secondary'),
    }),
    z.strictObject({ tag: z.string().min(1).max(50), role: z.enum(metricRoles).default('secondary') }),
  ],
  { error: 'Name saved metrics by their ids, or a group by its tag.' },
)

const moment = z.iso.datetime({ error: 'Write an instant like 2026-03-01T10:00:00Z.' })

export const startInput = z.strictObject({
  /** Exposures from this time on count; otherwise from now. */
  at: moment.optional(),
  turnsFlagOn: z
    .boolean({ error: 'Say true or false.' })
    .default(false)
    .meta({ description: 'Turns the flag on in production with the start, for which it must be on' }),
  changedAt: basis,
})

/** When an experiment ran in another product. */
export const pastRunInput = z.strictObject({
  from: moment,
  until: moment,
  note: z.string().trim().max(5000).default(''),
})

export const endInput = z.strictObject({
  at: moment.optional().meta({ description: 'Exposures until this time count; otherwise until now' }),
  outcome: z.enum(['stopped', 'undecided']).default('stopped'),
  note: z.string().trim().max(5000).default(''),
  rollsBack: z.boolean().default(false).meta({
    description: 'Whether the flag of a rollout returns to what it was before the ramp',
  }),
  changedAt: basis,
})

export const shipInput = z.strictObject({
  variant: key,
  note: z.string().trim().max(5000).default(''),
  changedAt: basis,
})
