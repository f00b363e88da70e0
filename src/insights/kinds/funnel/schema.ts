import { z } from 'zod'
import { countedEntity } from '../../compile/counted-entity'
import { baseQueryFields, breakdown, comparison, eventMatcher, interval } from '../../query-fields'

export const mostSteps = 20

const funnelStep = eventMatcher.extend({
  /** An optional step can be skipped; it counts if it was done between its neighbours. */
  optional: z.boolean().default(false),
})
export type FunnelStep = z.infer<typeof funnelStep>

const funnelOrders = ['ordered', 'strict', 'unordered'] as const

/** Elapsed time: a change of the clocks shortens no window, and a month is 30 days. */
export const windowSeconds = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
} as const
const windowUnits = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const

const longestSeconds = 2 * 366 * 86_400

const funnelWindow = z
  .object({
    amount: z.number().int('Say a whole number.').min(1, 'The conversion window is longer than 0.'),
    unit: z.enum(windowUnits),
  })
  .refine(({ amount, unit }) => amount * windowSeconds[unit] <= longestSeconds, {
    error: 'The conversion window is at most two years.',
  })
export type FunnelWindow = z.infer<typeof funnelWindow>

/** Steps are counted from 0 on. */
const stepIndex = z.number().int().min(0)

const exclusion = eventMatcher.extend({ from: stepIndex, to: stepIndex })
export type FunnelExclusion = z.infer<typeof exclusion>

/** The parts that define a funnel in every kind of query. */
export const funnelShape = {
  ...baseQueryFields,
  steps: z
    .array(funnelStep)
    .min(2, 'A funnel has at least two steps.')
    .max(mostSteps, `A funnel has at most ${mostSteps} steps.`),
  order: z.enum(funnelOrders).default('ordered'),
  window: funnelWindow.default({ amount: 14, unit: 'day' }),
  exclusions: z.array(exclusion).max(10, 'A funnel has at most 10 exclusions.').default([]),
}

/** The step whose value counts if the steps of one person have several. */
const funnelAttribution = z.union([z.enum(['first', 'last', 'all steps']), z.object({ step: stepIndex })], {
  error: 'Choose "first", "last", "all steps" or the place of a step.',
})
export type FunnelAttribution = z.infer<typeof funnelAttribution>

export const mostBreakdownValues = 100

/** The number of persons who complete all steps of those who begin, and the steps at which the others stop. */
export const funnelQuery = z
  .object({
    kind: z.literal('funnel'),
    ...funnelShape,
    per: z.union([countedEntity, z.literal('session')]).default('person'),
    breakdown: breakdown.optional(),
    attribution: funnelAttribution.default('first'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(mostBreakdownValues, `Show at most ${mostBreakdownValues} values of a breakdown.`)
      .default(10),
    view: z.enum(['steps', 'trend', 'time']).default('steps'),
    interval: interval.optional(),
    /** The steps between which the time is shown; from the first to the last if absent. */
    between: z.object({ from: stepIndex, to: stepIndex }).optional(),
    compare: comparison.optional(),
  })
  .superRefine((query, context) => {
    for (const { path, message } of funnelProblemsIn(query))
      context.addIssue({ code: 'custom', path, message })
  })
export type FunnelQuery = z.infer<typeof funnelQuery>
export type FunnelShape = Pick<FunnelQuery, 'steps' | 'order' | 'window' | 'exclusions'>

interface FunnelProblem {
  path: (string | number)[]
  message: string
}

/** Problems between parts that are valid individually. */
function funnelProblemsIn(query: FunnelQuery): FunnelProblem[] {
  const { steps, attribution, between } = query
  const { length } = steps
  return [
    ...shapeProblems(query),
    ...(typeof attribution === 'object' && attribution.step >= length
      ? [{ path: ['attribution'], message: `The funnel has no step ${attribution.step + 1}.` }]
      : []),
    ...(between && (between.from >= between.to || between.to >= length)
      ? [{ path: ['between'], message: `Choose two of the ${length} steps, the earlier one first.` }]
      : []),
  ]
}

export const shapeProblems = (shape: FunnelShape): FunnelProblem[] => [
  ...optionalStepProblems(shape),
  ...exclusionProblems(shape),
  ...repeatedSteps(shape),
]

function optionalStepProblems({ steps, order }: FunnelShape): FunnelProblem[] {
  const here = steps.findIndex(({ optional }) => optional)
  if (here === -1) return []
  const path = ['steps', here, 'optional']
  if (order !== 'ordered')
    return [{ path, message: 'Only a funnel whose steps are in order can have optional ones.' }]
  if (here === 0 || steps.at(-1)?.optional)
    return [{ path, message: 'The first and the last step cannot be optional.' }]
  return []
}

function exclusionProblems(shape: FunnelShape): FunnelProblem[] {
  return shape.exclusions.flatMap((one, i) => {
    const message = exclusionProblem(one, shape)
    return message ? [{ path: ['exclusions', i], message }] : []
  })
}

function exclusionProblem(one: FunnelExclusion, { steps, order }: FunnelShape): string | undefined {
  const last = steps.length - 1
  if (order === 'strict')
    return 'In a strict funnel everything between the steps ends it; leave the exclusions out.'
  if (one.from >= one.to) return 'An exclusion begins at an earlier step than it ends at.'
  if (one.to > last) return `The exclusion ends at step ${one.to + 1}, but the funnel has ${steps.length}.`
  if (order === 'unordered' && (one.from > 0 || one.to < last))
    return 'In a funnel without order an exclusion goes from the first to the last step.'
  if (steps[one.from]?.optional || steps[one.to]?.optional)
    return 'An exclusion begins and ends at steps that are not optional.'
  if (steps.some((step) => isSame(step, one)))
    return 'What is a step of the funnel cannot be excluded from it as well.'
  return undefined
}

/** Finds steps that the same event would match. */
function repeatedSteps({ steps, order }: FunnelShape): FunnelProblem[] {
  if (order !== 'unordered') return []
  const again = steps.findIndex((step, i) => steps.some((other, j) => j < i && isSame(step, other)))
  return again === -1
    ? []
    : [{ path: ['steps', again], message: 'In a funnel without order each step must be another one.' }]
}

type MatchedEvent = Pick<FunnelStep, 'event' | 'filter'>
const isSame = (one: MatchedEvent, other: MatchedEvent): boolean =>
  JSON.stringify([one.event, one.filter]) === JSON.stringify([other.event, other.filter])
