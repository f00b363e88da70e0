import { z } from 'zod'
import {
  exposureDimensions,
  severalVariantsCauses,
  unitStates,
} from '#insights/kinds/experiment-exposures/answer'
import { metricRoles } from '../experiment'
import { segmentInput } from './segments'

/** The unit of a metric’s values, and of the absolute differences between them. */
export const metricUnit = z.strictObject({
  /** The kind of value: a share, a mean for each unit, a ratio of two, or a quantile of events. */
  shape: z.enum(['share', 'mean', 'ratio', 'quantile']),
  currency: z
    .string()
    .optional()
    .meta({ description: 'The currency of the project, where the values are money' }),
})

const effectEstimate = z.strictObject({
  value: z.number(),
  standardError: z.number(),
  low: z.number(),
  high: z.number(),
  /** The p-value at this look. */
  p: z.number().optional(),
  /** The p-value after the correction for several comparisons: below 1 minus the level where the interval excludes 0. */
  adjustedP: z.number().optional(),
  /** The probability of an improvement, and the expected loss of the variant, for the Bayesian method. */
  chance: z.number().optional(),
  loss: z.number().optional(),
})

/** Why there is no number yet. */
const noEstimateReason = z.enum(['too-few-units', 'too-few-conversions', 'no-variance', 'zero-denominator'])

/** `better` and `worse` where the interval excludes 0; a guardrail is `safe` if it cannot be worse than its margin. */
const effectReading = z.enum(['better', 'worse', 'unclear', 'safe', 'violated'])

const estimates = z.strictObject({
  /** Undefined where the control’s value is 0, or cannot be told from it. */
  relative: effectEstimate.optional(),
  absolute: effectEstimate,
})

const estimatedComparison = z.strictObject({
  variant: z.string(),
  state: z.literal('estimated'),
  ...estimates.shape,
  /** The estimates with behaviour before the exposure taken into account, and the variance that this removes. */
  adjusted: estimates.extend({ varianceReduction: z.number() }).optional(),
  reading: effectReading,
})

const missingComparison = z.strictObject({
  variant: z.string(),
  state: z.literal('no-estimate'),
  reason: noEstimateReason,
})

const metricValue = z.strictObject({
  variant: z.string(),
  units: z.number(),
  /** Null without units. */
  value: z.number().nullable(),
  /** For a funnel, the share of all exposed units at each step. */
  steps: z.array(z.number()),
})

export const metricReport = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(metricRoles),
  goal: z.enum(['increase', 'decrease']),
  ...metricUnit.shape,
  margin: z.number(),
  /** In the order of the variants. */
  values: z.array(metricValue),
  /** One for each variant but the control. */
  comparisons: z.array(z.discriminatedUnion('state', [estimatedComparison, missingComparison])),
  /** The bounds of the values of one unit, where values are bounded. */
  limits: z.array(z.strictObject({ low: z.number().nullable(), high: z.number().nullable() })),
})

const unitsByVariant = z.record(z.string(), z.number())

/** The units against the weights of the variants. */
const sampleRatio = z.strictObject({
  /** The probability of a split at least as far from the weights. */
  p: z.number(),
  statistic: z.number(),
  /** Whether each arm expects enough units for the approximation by a chi-square distribution. */
  isTestable: z.boolean(),
  arms: z.array(z.strictObject({ expected: z.number(), observed: z.number(), part: z.number() })).readonly(),
  largestDeviation: z.number(),
})

/** Everything that is said about an experiment, computed from its sufficient statistics. */
export const experimentReport = z.strictObject({
  control: z.string(),
  /** Each with its share of all units that count. */
  variants: z.array(z.strictObject({ key: z.string(), units: z.number(), share: z.number() })),
  phases: z.array(
    z.strictObject({
      startedAt: z.date(),
      weights: unitsByVariant,
      units: unitsByVariant,
      /** Undefined where a condition fixes variants, so that no split is expected, and for a bandit. */
      ratio: sampleRatio.optional(),
    }),
  ),
  /** A bandit's split, in place of each phase's ratio; undefined where too few exposures name the flag's version. */
  weightedSplit: z
    .strictObject({ p: z.number(), statistic: z.number(), largestDeviation: z.number(), units: z.number() })
    .optional(),
  /** Units that were exposed and do not count. */
  excluded: z.strictObject({
    severalVariants: z.array(z.strictObject({ variants: z.array(z.string()), units: z.number() })),
    /** The flag was off, or the unit was held out, or the value is no variant. */
    otherValues: z.number(),
    previews: z.number(),
  }),
  metrics: z.array(metricReport),
})

/** A variant and a metric, and the comparison that decides. */
const decidingComparison = z.strictObject({
  variant: z.string(),
  metric: z.string(),
  unit: metricUnit,
  comparison: estimatedComparison,
})

/** `planned`: nothing is decided before the planned end. `no-values`: many were exposed, and the primary metrics have nothing to compare. `ended`: there is nothing to wait for. */
const waitReason = z.enum([
  'no-units',
  'too-few-units',
  'no-values',
  'unclear',
  'planned',
  'guardrail-unclear',
  'ended',
])

/** The state of knowledge, and the advice that follows from it. */
export const verdictSchema = z.discriminatedUnion('advice', [
  z.strictObject({ advice: z.literal('not-started') }),
  /** A decision would follow, and events that may change it are not stored yet. */
  z.strictObject({ advice: z.literal('storing'), events: z.number() }),
  /** The split is not the configured one: no result can be trusted before the cause is known. */
  z.strictObject({
    advice: z.literal('check-split'),
    phase: z.number(),
    p: z.number(),
    largestDeviation: z.number(),
  }),
  z.strictObject({ advice: z.literal('no-metric') }),
  /** A rollout without primary metrics: the guardrails that are not known to be within their margins, or are beyond. */
  z.strictObject({
    advice: z.literal('roll-out'),
    unclear: z.array(z.string()),
    harmed: z.array(z.string()),
  }),
  /** A bandit: its best variant, which is not sure enough to be shipped, or is. */
  z.strictObject({ advice: z.literal('keep-going'), variant: z.string(), chance: z.number() }),
  z.strictObject({
    advice: z.literal('ship-best'),
    variant: z.string(),
    chance: z.number(),
    isEnded: z.boolean(),
  }),
  z.strictObject({ advice: z.literal('wait'), reason: waitReason, days: z.number().optional() }),
  decidingComparison.extend({
    advice: z.literal('ship'),
    /** The number of guardrails, all of which are within their margins. */
    guardrails: z.number(),
    isEnded: z.boolean(),
  }),
  decidingComparison.extend({ advice: z.literal('stop'), reason: z.enum(['guardrail', 'worse']) }),
  /** Every interval lies within the smallest effect that matters. */
  z.strictObject({ advice: z.literal('no-difference'), smallestEffect: z.number() }),
  /** The planned size is reached, and an effect of the size that matters is neither shown nor excluded. */
  z.strictObject({ advice: z.literal('cannot-tell'), smallestEffect: z.number(), power: z.number() }),
])

/** The estimates of a metric as they were known at the end of each day. */
export const metricCourse = metricReport
  .pick({ id: true, name: true, role: true, goal: true, shape: true, currency: true })
  .extend({
    /** One for each variant but the control. */
    variants: z.array(
      z.strictObject({
        variant: z.string(),
        points: z.array(
          z.strictObject({
            day: z.string().meta({ description: 'In the project’s time zone' }),
            /** The units that counted by then. */
            units: z.strictObject({ control: z.number(), variant: z.number() }),
            values: z.strictObject({ control: z.number().nullable(), variant: z.number().nullable() }),
            /** Relative where that is possible, and adjusted. */
            estimate: effectEstimate
              .optional()
              .meta({ description: 'Absent where there were too few units or conversions' }),
            isRelative: z.boolean(),
            reason: noEstimateReason.optional(),
          }),
        ),
      }),
    ),
  })

export const exploredMetric = metricReport
  .pick({ id: true, name: true, role: true, goal: true, shape: true, currency: true, values: true })
  .extend({
    /** Variants without an estimate are missing: there are too few units. */
    comparisons: z.array(
      z.strictObject({
        variant: z.string(),
        estimate: effectEstimate,
        isRelative: z.boolean(),
        /** Corrected for the number of parts, metrics and variants by Benjamini and Hochberg’s method. */
        adjustedP: z.number(),
        reading: effectReading.extract(['better', 'worse', 'unclear']),
      }),
    ),
  })

/** The results of each segment. They are an exploration: what is found needs an experiment of its own. */
export const segmentReportSchema = z.strictObject({
  property: segmentInput,
  isExploration: z.literal(true),
  segments: z.array(
    z.strictObject({
      /** Empty if the exposure does not have the property. */
      value: z.string(),
      variants: z.array(z.strictObject({ variant: z.string(), units: z.number() })),
      metrics: z.array(exploredMetric),
    }),
  ),
  /** Units of the values that are not shown. */
  unitsInOthers: z.number(),
})

/** A metric by the values of a property of its event. Each part is still of all exposed units. */
export const decompositionReportSchema = z.strictObject({
  key: z.string(),
  isExploration: z.literal(true),
  whole: exploredMetric,
  parts: z.array(
    z.strictObject({ value: z.string().nullable(), isOthers: z.boolean(), metric: exploredMetric }),
  ),
})

const variantExposures = z.strictObject({
  variant: z.string(),
  /** Units that count. */
  units: z.number(),
  served: z.number(),
  viewed: z.number(),
  converted: z.number(),
})

/** A chi-square test of the split, summed over the phases. */
const splitTest = z.strictObject({ statistic: z.number(), p: z.number() })

const dimension = z.enum(exposureDimensions)
const leftOutState = z.enum(unitStates).exclude(['counted'])

const mismatchCause = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('group'),
    dimension,
    value: z.string(),
    units: z.number(),
    p: z.number(),
  }),
  /** Units that are left out: together with them the split would be the configured one. */
  z.strictObject({ by: z.literal('left-out'), state: leftOutState, units: z.number(), p: z.number() }),
  z.strictObject({ by: z.literal('unknown') }),
])

/** The units with one value of a dimension. */
const exposureGroup = z.strictObject({
  dimension,
  value: z.string(),
  variants: z.array(variantExposures),
  units: z.number(),
  leftOut: z.number(),
  /** The split of this group alone. */
  split: splitTest,
  without: splitTest.nullable().meta({ description: 'The split of all other units, if there are any' }),
  /** The decrease of the whole's statistic without the group. */
  contribution: z.number(),
})

/** The exposures to each variant, the groups whose split differs from the weights, and the explanation of that. */
export const exposureReportSchema = z.strictObject({
  variants: z.array(z.string()),
  totals: z.array(variantExposures),
  /** Units that do not count, with the variant that they were given. */
  leftOut: z.array(z.strictObject({ state: leftOutState, variant: z.string(), units: z.number() })),
  mismatch: splitTest.meta({ description: 'The split of all units against the weights of each phase' }),
  /** The split of a bandit is tested in its results, by the version that exposures name. */
  isSplitTested: z
    .boolean()
    .meta({ description: 'False for a bandit: see the weightedSplit of its results' }),
  sentence: z.string().optional().meta({ description: 'The likeliest cause of a mismatch' }),
  cause: mismatchCause.optional(),
  /** The values of each dimension with the most units. */
  groups: z.array(exposureGroup),
  groupsLeftOut: z.array(z.strictObject({ dimension, values: z.number(), units: z.number() })).meta({
    description: 'Of a dimension with more than 50 values: how many more there are, and their units',
  }),
  severalVariants: z.array(
    z.strictObject({ seen: z.array(z.string()), cause: z.enum(severalVariantsCauses), units: z.number() }),
  ),
  differences: z
    .array(
      z.strictObject({
        reason: z.enum([
          'robot',
          'preview',
          'several',
          'entry',
          'other',
          'not-exposed',
          'before-exposure',
          'outside-window',
        ]),
        units: z.number(),
        sentence: z.string(),
      }),
    )
    .meta({ description: 'Why an insight over the same people counts others' }),
})
