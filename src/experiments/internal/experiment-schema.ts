import { z } from 'zod'
import { anyRecipients, recipient } from '#alerts/recipient'
import { filter } from '#filters/filter'
import { definedMetric, experimentUnit, exposureRule } from '#insights/kinds/experiment/schema'
import { nameFor } from '#projects/name'
import { banditIntervals, defaultBandit } from '../bandits/bandit'
import { analysisMethods, experimentKinds, metricRoles } from '../experiment'
import { rolloutSettings } from '../rollouts/internal/rollout-input'
import { webVariants } from '../web/web-variants'

/** The key of a flag or of a variant. */
export const key = z.string().min(1).max(200)

export const experimentMetric = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'Use small letters, digits and hyphens for a metric’s id.'),
  name: nameFor('Name the metric.'),
  role: z.enum(metricRoles).default('primary'),
  /** The direction of an improvement. */
  goal: z.enum(['increase', 'decrease']).default('increase'),
  margin: z
    .number()
    .min(0)
    .max(100)
    .default(5)
    .meta({ description: 'Percent that a guardrail may be worse' }),
  measured: definedMetric,
  savedMetric: z.string().max(100).optional().meta({
    description: 'The id of a saved metric whose name, goal and definition replace these at the start',
  }),
})

/** When a result decides; before it there is only a reading. Chosen before the start. */
export const decisionRule = z.discriminatedUnion(
  'rule',
  [
    z.strictObject({ rule: z.literal('any-time') }).meta({
      description: 'At any look, by intervals that hold at all of them',
    }),
    z
      .strictObject({
        rule: z.literal('planned-size'),
        units: z
          .number({ error: 'Say how many units each variant is to have.' })
          .int('Units are whole.')
          .min(50, 'A planned size has at least 50 units in each variant.')
          .max(1_000_000_000, 'A planned size has at most a billion units.'),
      })
      .meta({ description: 'Once, when every variant has so many units' }),
    z
      .strictObject({
        rule: z.literal('whole-weeks'),
        weeks: z
          .number({ error: 'Say how many weeks the experiment is to run.' })
          .int('Weeks are whole, so that every day of the week counts as often.')
          .min(1, 'An experiment runs for at least a week.')
          .max(52, 'An experiment runs for at most 52 weeks.'),
      })
      .meta({ description: 'Once, after so many weeks' }),
  ],
  { error: 'A decision has the rule any-time, planned-size or whole-weeks.' },
)

/** Bayesian, 95%, adjusted by 14 days of behaviour, looking for 5% with a power of 80%. */
export const analysisSettings = z.strictObject({
  method: z.enum(analysisMethods),
  decision: decisionRule.default({ rule: 'any-time' }),
  /** The probability with which an interval contains the truth. */
  level: z
    .number()
    .min(0.5, 'Use a level from 0.5 to 0.999.')
    .max(0.999, 'Use a level from 0.5 to 0.999.')
    .default(0.95),
  /** The distribution of relative effects assumed beforehand; every effect is as likely where it is left out. */
  prior: z
    .strictObject({
      mean: z.number().min(-1).max(1),
      standardDeviation: z.number().positive('The prior’s standard deviation is above 0.').max(10),
    })
    .optional(),
  /** Days before the exposure whose behaviour adjusts the estimates (CUPED); 0 for none. */
  lookbackDays: z.number().int().min(0).max(90).default(14),
  /** The smallest relative effect that matters. */
  smallestEffect: z.number().gt(0, 'The smallest effect that matters is above 0.').max(10).default(0.05),
  /** The probability of finding that effect. */
  power: z.number().min(0.5).max(0.99).default(0.8),
  /** Fewer units in a variant show no results. */
  minimumUnits: z
    .number()
    .int()
    .min(5, 'Results need at least 5 units in each variant.')
    .max(1_000_000)
    .default(50),
})

/** The settings by which a bandit's weights move. */
export const banditSettings = z.strictObject({
  smallestPercent: z
    .number()
    .int('Weights are whole percentages.')
    .min(1, 'Every variant of a bandit keeps a share of at least 1%.')
    .max(49, 'The smallest weight is below 50%.')
    .default(defaultBandit.smallestPercent)
    .meta({ description: 'The percentage that every variant keeps' }),
  burnInUnits: z
    .number()
    .int()
    .min(20, 'Weights move once each variant has at least 20 units.')
    .max(1_000_000)
    .default(defaultBandit.burnInUnits)
    .meta({ description: 'The weights stay equal until each variant has as many exposed units' }),
  interval: z
    .enum(banditIntervals)
    .default(defaultBandit.interval)
    .meta({ description: 'Weights move at most once in it' }),
})

export const conclusion = z.strictObject({
  outcome: z.enum(['shipped', 'stopped', 'undecided', 'rolled-back']),
  /** The variant that everyone gets from then on, if it was shipped. */
  variant: z.string().optional(),
  note: z.string(),
  by: z.string(),
  at: z.date(),
  flagVersion: z
    .number()
    .optional()
    .meta({ description: 'The version of the flag that gives everyone the shipped variant' }),
})

/** The part of an experiment that members edit, without what depends on its kind. */
export const editableExperiment = z.strictObject({
  name: nameFor('Name the experiment after what it changes.'),
  kind: z
    .enum(experimentKinds)
    .default('fixed')
    .meta({ description: 'Fixed once the experiment has started' }),
  hypothesis: z.string().trim().max(5000).default(''),
  /** The variant that the others are compared with. */
  control: key,
  exposure: exposureRule.default({ by: 'flag' }),
  unit: experimentUnit.default({ by: 'person' }),
  /** Exposures must meet it. */
  entry: filter.optional(),
  severalVariants: z.enum(['exclude', 'first']).default('exclude'),
  /** Changes that posthog-js makes in the team’s own pages; absent where the pages do it themselves. */
  web: webVariants.optional(),
  /** Findings, for the next experiment. */
  notes: z.string().max(20_000).default(''),
  recipients: anyRecipients.default([]).meta({
    description: 'Its notices go to them, or to the recipients of the project’s alerts if there are none',
  }),
})

/** A flag with a hypothesis: which variants are compared, by what, and how. */
export const experimentSchema = z.strictObject({
  id: z.string(),
  projectId: z.number(),
  ...editableExperiment.shape,
  recipients: z.array(recipient),
  flag: key.meta({ description: 'The key of a flag with two to ten variants' }),
  bandit: banditSettings.optional().meta({ description: 'Of a bandit: how its weights move' }),
  rollout: rolloutSettings.optional().meta({ description: 'Of a rollout: its ramp, and what follows it' }),
  metrics: z.array(experimentMetric),
  analysis: analysisSettings,
  startedAt: z.date().optional(),
  endedAt: z.date().optional(),
  sizeReachedAt: z.date().optional().meta({
    description: 'When its planned size was first seen: by what was known then it is decided',
  }),
  conclusion: conclusion.optional(),
  archivedAt: z.date().optional(),
  createdBy: z.string(),
  createdAt: z.date(),
  changedAt: z.date(),
})
