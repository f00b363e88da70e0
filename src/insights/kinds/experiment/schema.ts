import { z } from 'zod'
import { filter } from '#filters/filter'
import { baseQueryFields, type EventMatcher, eventMatcher } from '../../query-fields'
import { contradictionsIn } from './internal/contradictions'

const instant = z.iso.datetime({ error: 'Write an instant like 2026-03-01T10:00:00Z.' })
const key = z.string().min(1).max(200)

/** The bound of a metric’s values: a number, or a percentile over the units of all variants together. */
const bound = z.union([
  z.object({ value: z.number() }),
  z.object({
    percentile: z.number().gt(0, 'Use a percentile above 0.').lt(100, 'Use a percentile below 100.'),
  }),
])
export type ValueBound = z.infer<typeof bound>

/** The way in which the events of one unit become a number. */
const amount = z.object({
  happening: eventMatcher,
  /** The number that is summed; without it, events are counted. */
  property: key.optional(),
})
export type MetricAmount = z.infer<typeof amount>

const common = {
  /** Events count for so long after the exposure; without it, until the end. */
  windowHours: z
    .number()
    .positive()
    .max(24 * 400)
    .optional(),
  /** Events count only so long after the exposure. */
  delayHours: z
    .number()
    .min(0)
    .max(24 * 400)
    .default(0),
  /** Units whose window is not over yet do not count. */
  onlyComplete: z.boolean().default(false),
}
/** Values beyond the bounds are replaced by them (winsorizing). */
const bounds = { atLeast: bound.optional(), atMost: bound.optional() }

/** The measurement of each unit after its first exposure. */
export const measuredMetric = z.discriminatedUnion('type', [
  /** Whether the unit had such an event. */
  z.object({ type: z.literal('conversion'), happening: eventMatcher, ...common }),
  /** The number of such events, or the sum of a property. */
  z.object({ type: z.literal('total'), amount, ...bounds, ...common }),
  /** The mean, smallest or largest value of a property, for units that have one. */
  z.object({
    type: z.literal('value'),
    of: z.enum(['mean', 'min', 'max']),
    happening: eventMatcher,
    property: key,
    ...bounds,
    ...common,
  }),
  /** One total divided by another. */
  z.object({
    type: z.literal('ratio'),
    numerator: amount.extend(bounds),
    denominator: amount.extend(bounds),
    ...common,
  }),
  /** Whether the unit went through the steps in their order; each step is a share of all exposed units. */
  z.object({
    type: z.literal('funnel'),
    steps: z.array(eventMatcher).min(2, 'A funnel has at least two steps.').max(10),
    ...common,
  }),
  /** A quantile of a property over all of the variant’s events. */
  z.object({
    type: z.literal('quantile'),
    happening: eventMatcher,
    property: key,
    level: z.number().min(0.01).max(0.999),
    ...common,
  }),
])
export type MeasuredMetric = z.infer<typeof measuredMetric>

/** A metric as members define it. Queries take any: one that was stored before a rule existed still has an answer. */
export const definedMetric = measuredMetric.superRefine((metric, context) => {
  for (const { path, message } of contradictionsIn(metric))
    context.addIssue({ code: 'custom', path, message })
})

/** The events that a metric measures. */
export function matchersOf(metric: MeasuredMetric): EventMatcher[] {
  if (metric.type === 'funnel') return metric.steps
  if (metric.type === 'ratio') return [metric.numerator.happening, metric.denominator.happening]
  return [metric.type === 'total' ? metric.amount.happening : metric.happening]
}

/** The events that expose a unit. */
export const exposureRule = z.discriminatedUnion('by', [
  /** The event that SDKs and our pages send when they use the flag. */
  z.object({ by: z.literal('flag') }),
  /** The event that a browser sends once the variant is in view. */
  z.object({ by: z.literal('view') }),
  /** Any other event whose property names the variant. */
  z.object({ by: z.literal('event'), event: key, property: key, filter: filter.optional() }),
])
export type ExposureRule = z.infer<typeof exposureRule>

/** The unit that is exposed, and counted once. */
export const experimentUnit = z.discriminatedUnion('by', [
  z.object({ by: z.literal('person') }),
  z.object({ by: z.literal('session') }),
  z.object({ by: z.literal('device') }),
  z.object({ by: z.literal('group'), group: key }),
])

/** The fields by which the units of an experiment are found. */
export const exposureFields = {
  flag: z.string({ error: 'Name a flag by its key.' }).min(1, 'Name a flag by its key.').max(200),
  /** The control comes first. */
  variants: z.array(key).min(2, 'An experiment has at least two variants.').max(10),
  exposure: exposureRule.default({ by: 'flag' }),
  unit: experimentUnit.default({ by: 'person' }),
  /** Exposures must meet it. */
  entry: filter.optional(),
  /** The treatment of units that were exposed to several variants. */
  severalVariants: z.enum(['exclude', 'first']).default('exclude'),
  /** The beginnings of the phases; the first is that of the experiment. */
  phases: z.array(instant).min(1, 'An experiment has at least one phase.').max(2000),
  /** The end of the experiment; without it, now. */
  until: instant.optional(),
}

/**
 * The sufficient statistics of an experiment: for each variant and phase, the number of exposed units, and for each metric
 * the moments of the units’ values. A unit belongs to the variant and the phase of its first exposure.
 */
export const experimentQuery = z
  .object({
    kind: z.literal('experiment'),
    ...baseQueryFields,
    ...exposureFields,
    /**
     * The versions of the flag with which the phases begin. An exposure that names its version belongs to the phase of that
     * version, whenever it was reported: clients may decide by an earlier version for a while.
     */
    versions: z.array(z.number().int().min(1)).max(2000).optional(),
    metrics: z.array(measuredMetric).max(30, 'Use at most 30 metrics.').default([]),
    /** Behaviour in so many days before the exposure is measured too, for the adjustment (CUPED). */
    lookbackDays: z.number().int().min(0).max(90).default(0),
    /** A property of the exposure, its session or its person by which units are divided. */
    segment: z.object({ type: z.enum(['event', 'session', 'person']), key }).optional(),
    /** Units are divided by the day of their exposure. */
    byDay: z.boolean().default(false),
    /** The moments as they were known at the end of each day, in place of the day of the exposure. */
    course: z.boolean().default(false),
    /**
     * For a plan: units are exposed by their first event of this kind, whatever they were given, and are all of one
     * variant without a name.
     */
    history: eventMatcher.optional(),
  })
  .superRefine(({ phases, versions, variants, byDay, course }, context) => {
    if (versions && versions.length !== phases.length)
      context.addIssue({
        code: 'custom',
        path: ['versions'],
        message: 'Name one version of the flag for each phase.',
      })
    if (byDay && course)
      context.addIssue({
        code: 'custom',
        path: ['course'],
        message: 'Choose either the day of exposure or the course.',
      })
    if (phases.some((start, i) => i > 0 && Date.parse(start) <= Date.parse(phases[i - 1] ?? '')))
      context.addIssue({
        code: 'custom',
        path: ['phases'],
        message: 'Each phase begins after the one before.',
      })
    if (new Set(variants).size < variants.length)
      context.addIssue({ code: 'custom', path: ['variants'], message: 'Name each variant once.' })
  })
export type ExperimentQuery = z.infer<typeof experimentQuery>
