import { z } from 'zod'
import { filter } from '#filters/filter'
import { experimentUnit, exposureRule, measuredMetric } from '#insights/kinds/experiment/question'
import { nameFor } from '#projects/name'
import { banditIntervals, defaultBandit } from './bandits/bandit'
import { analysisMethods, experimentKinds, metricRoles } from './experiment'
import { newRollout, rolloutChange } from './rollouts/rollout-input'
import { webVariants } from './web/web-variants'

const name = nameFor('Name the experiment after what it changes.')
const key = z.string().min(1).max(200)

const metric = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Use small letters, digits and hyphens for a metric’s id.')
    .optional(),
  name: nameFor('Name the metric.'),
  role: z.enum(metricRoles).default('primary'),
  goal: z.enum(['increase', 'decrease']).default('increase'),
  margin: z
    .number()
    .min(0)
    .max(100)
    .default(5)
    .meta({ description: 'Percent that a guardrail may be worse' }),
  measured: measuredMetric,
  savedMetric: z.string().max(100).optional().meta({
    description: 'The id of a saved metric whose name, goal and definition replace these at the start',
  }),
})
export type MetricInput = z.infer<typeof metric>

const metrics = z
  .array(metric)
  .max(30, 'An experiment has at most 30 metrics.')
  .refine(
    (all) =>
      new Set(all.flatMap(({ id }) => id ?? [])).size === all.filter(({ id }) => id !== undefined).length,
    'Two metrics have the same id.',
  )

const prior = z.strictObject({
  mean: z.number().min(-1).max(1),
  standardDeviation: z.number().positive('The prior’s standard deviation is above 0.').max(10),
})

const analysisFields = {
  method: z.enum(analysisMethods),
  level: z.number().min(0.5, 'Use a level from 0.5 to 0.999.').max(0.999, 'Use a level from 0.5 to 0.999.'),
  prior: prior.optional(),
  lookbackDays: z.number().int().min(0).max(90),
  smallestEffect: z.number().gt(0, 'The smallest effect that matters is above 0.').max(10),
  power: z.number().min(0.5).max(0.99),
  minimumUnits: z.number().int().min(5, 'Results need at least 5 units in each variant.').max(1_000_000),
}

/** Bayesian, 95%, adjusted by 14 days of behaviour, looking for 5% with a power of 80%. */
const analysis = z.strictObject({
  ...analysisFields,
  method: analysisFields.method
    .optional()
    .meta({ description: 'A rollout is sequential, and others are Bayesian if it is left out' }),
  level: analysisFields.level.default(0.95),
  lookbackDays: analysisFields.lookbackDays.default(14),
  smallestEffect: analysisFields.smallestEffect.default(0.05),
  power: analysisFields.power.default(0.8),
  minimumUnits: analysisFields.minimumUnits.default(50),
})

const banditFields = {
  smallestPercent: z
    .number()
    .int('Weights are whole percentages.')
    .min(1, 'Every variant of a bandit keeps a share of at least 1%.')
    .max(49, 'The smallest weight is below 50%.')
    .meta({ description: 'The percentage that every variant keeps' }),
  burnInUnits: z
    .number()
    .int()
    .min(20, 'Weights move once each variant has at least 20 units.')
    .max(1_000_000)
    .meta({ description: 'The weights stay equal until each variant has as many exposed units' }),
  interval: z.enum(banditIntervals).meta({ description: 'Weights move at most once in it' }),
}

const fields = {
  name,
  kind: z.enum(experimentKinds).meta({ description: 'Fixed once the experiment has started' }),
  hypothesis: z.string().trim().max(5000),
  control: key,
  exposure: exposureRule,
  unit: experimentUnit,
  severalVariants: z.enum(['exclude', 'first']),
  metrics,
  notes: z.string().max(20_000),
}

export const newExperiment = z.strictObject({
  ...fields,
  kind: fields.kind.default('fixed'),
  flag: key.meta({ description: 'The key of a flag with two to ten variants' }),
  bandit: z
    .strictObject({
      smallestPercent: banditFields.smallestPercent.default(defaultBandit.smallestPercent),
      burnInUnits: banditFields.burnInUnits.default(defaultBandit.burnInUnits),
      interval: banditFields.interval.default(defaultBandit.interval),
    })
    .optional()
    .meta({ description: 'Of a bandit: how its weights move' }),
  rollout: newRollout.optional().meta({ description: 'Of a rollout: its ramp, and what follows it' }),
  hypothesis: fields.hypothesis.default(''),
  control: fields.control.optional().meta({ description: 'The flag’s first variant, if it is left out' }),
  exposure: fields.exposure.default({ by: 'flag' }),
  unit: fields.unit.default({ by: 'person' }),
  entry: filter.optional(),
  severalVariants: fields.severalVariants.default('exclude'),
  metrics: metrics.default([]),
  analysis: analysis.prefault({}),
  web: webVariants.optional(),
  notes: fields.notes.default(''),
})

export const experimentChange = z
  .strictObject({
    ...fields,
    entry: filter.nullable(),
    web: webVariants.nullable(),
    bandit: z.strictObject(banditFields).partial(),
    rollout: rolloutChange,
    /** Null takes the prior away. */
    analysis: z.strictObject({ ...analysisFields, prior: prior.nullable() }).partial(),
    changedAt: z.iso.datetime().meta({
      description: 'Of the experiment that the change is based on; it is refused if that changed since',
    }),
  })
  .partial()

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

export const startInput = z.strictObject({
  /** Exposures from this time on count; otherwise from now. */
  at: z.iso.datetime({ error: 'Write an instant like 2026-03-01T10:00:00Z.' }).optional(),
  turnsFlagOn: z
    .boolean({ error: 'Say true or false.' })
    .default(false)
    .meta({ description: 'Turns the flag on in production with the start, for which it must be on' }),
})

const moment = z.iso.datetime({ error: 'Write an instant like 2026-03-01T10:00:00Z.' })

/** When an experiment ran in another product. */
export const pastRunInput = z.strictObject({
  from: moment,
  until: moment,
  note: z.string().trim().max(5000).default(''),
})

export const endInput = z.strictObject({
  outcome: z.enum(['stopped', 'undecided']).default('stopped'),
  note: z.string().trim().max(5000).default(''),
  rollsBack: z.boolean().default(false).meta({
    description: 'Whether the flag of a rollout returns to what it was before the ramp',
  }),
})

export const shipInput = z.strictObject({
  variant: key,
  note: z.string().trim().max(5000).default(''),
})
