import { z } from 'zod'
import { metricRoles } from '../experiment'
import { metricUnit } from '../results/report-schema'
import { checkSeverities, readinessCheckNames } from './readiness'

/** `exposures` are those of the flag; `event` is one that the plan's reader named; `activity` is any event. */
const planSource = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('exposures') }),
  z.strictObject({ by: z.literal('event'), event: z.string(), path: z.string().optional() }),
  z.strictObject({ by: z.literal('activity') }),
])

const metricPlan = z.strictObject({
  ...metricUnit.shape,
  id: z.string(),
  name: z.string(),
  role: z.enum(metricRoles),
  /** Why there is no plan for the metric; null if there is one. */
  missing: z.enum(['no-units', 'no-value', 'no-variance']).nullable(),
  /** The value over all units, and the variance of one unit, before any adjustment. */
  mean: z.number().nullable(),
  variance: z.number().nullable(),
  /** The share of the variance that behaviour before the exposure explains (CUPED); null where it is not used. */
  varianceReduction: z.number().nullable(),
  /** With the configured power. */
  detectable: z
    .array(z.number().nullable())
    .meta({ description: 'The smallest relative effect that is found by the end of each week' }),
  /** For the smallest effect that matters. */
  unitsNeeded: z.number().nullable().meta({ description: 'In each variant' }),
  /** The same for an experiment that decides once, at a planned size. */
  plannedSize: z.number().nullable(),
  days: z.number().nullable(),
  /** The smallest relative effect that is found at the planned decision. */
  atEnd: z.number().nullable(),
})

/** The time that an experiment would take, by the project's own history. */
export const experimentPlan = z.strictObject({
  /** The events that stood for exposures in the history. */
  source: planSource,
  history: z.strictObject({ from: z.date(), until: z.date(), units: z.number() }),
  /** The percentage of these units that the flag lets in. */
  trafficPercent: z.number(),
  arms: z.array(z.strictObject({ variant: z.string(), percentage: z.number() })),
  /** The number of units of all variants together at the end of each week. */
  unitsByWeek: z.array(z.number()),
  metrics: z.array(metricPlan),
  /** The days until every primary metric and guardrail has enough units; null also without a primary metric. */
  days: z
    .number()
    .nullable()
    .meta({ description: 'Until the primary metrics have enough units; null if more than a year' }),
  plannedSize: z
    .number()
    .nullable()
    .meta({ description: 'The units that each variant needs to decide once, at a planned size' }),
  /** Undefined for a decision at any time. The days are from the start. */
  decision: z
    .strictObject({ days: z.number().nullable(), effect: z.number().nullable() })
    .optional()
    .meta({ description: 'Of a planned decision: its day, and the smallest effect that is found by then' }),
})

/** One line of the checklist before a start. Only errors keep an experiment from starting. */
export const readinessCheck = z.strictObject({
  name: z.enum(readinessCheckNames),
  severity: z.enum(checkSeverities),
  sentence: z.string(),
  /** The field of the experiment that it is about. */
  field: z.string().optional(),
})

export const overlappingExperiment = z.strictObject({
  id: z.string(),
  name: z.string(),
  flag: z.string(),
  /** The readers of both flags in the last 30 days. */
  persons: z.number(),
  /** The share of the persons of this experiment’s flag; null if no one has read it. */
  share: z.number().nullable(),
  /** Whether slices of one layer keep the visitors of both flags apart; then no one gets variants of both. */
  isSeparated: z.boolean(),
})

const measuredRate = z.strictObject({
  count: z.number(),
  rate: z.number(),
  low: z.number(),
  high: z.number(),
})

const checkedMetric = { id: z.string(), name: z.string(), units: z.number() }

const aaMetricResult = z.discriminatedUnion('state', [
  z.strictObject({
    ...checkedMetric,
    state: z.literal('checked'),
    falsePositives: measuredRate,
    /** The rate without the adjustment by behaviour before the exposure; null where it is not used. */
    unadjusted: measuredRate.nullable(),
    /** The rate at which an effect of the smallest size that matters is found, with as many units. */
    power: measuredRate,
    /** The power that the planner expects. */
    plannedPower: z.number().nullable(),
    varianceReduction: z.number().nullable(),
    /** `too-many`: false positives beyond the promise by more than chance explains. */
    /** `perhaps-more`: beyond the interval of what was promised, and not yet beyond chance. */
    finding: z.enum(['as-promised', 'perhaps-more', 'too-many']),
  }),
  z.strictObject({
    ...checkedMetric,
    state: z.literal('not-checked'),
    /** A quantile is of events, which cannot be divided like units. */
    reason: z.enum(['quantile', 'too-few-units', 'no-value', 'no-variance']),
  }),
])

export const aaCheckResult = z.strictObject({
  times: z.number(),
  /** The promised rate of false positives. */
  promised: z.number(),
  metrics: z.array(aaMetricResult),
})

export const aaCheckState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('none') }),
  z.strictObject({ state: z.literal('running'), progress: z.number() }),
  z.strictObject({
    state: z.literal('done'),
    at: z.date(),
    tookMs: z.number(),
    result: aaCheckResult,
    sentences: z.array(z.string()),
  }),
  z.strictObject({ state: z.literal('failed'), sentence: z.string() }),
])
