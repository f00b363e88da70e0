import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { experimentKinds } from '#experiments/experiment'
import { programmeInput } from '#experiments/programme/programme'
import { type Endpoint, mapOutcome } from './endpoint'

const estimateShape = z.object({ value: z.number(), low: z.number(), high: z.number() })

const shrunkShape = estimateShape.optional().meta({
  description:
    'Drawn towards what all effects have in common, with a 95% interval; absent for fewer than three effects',
})

const metricShape = z.object({
  key: z.string().meta({ description: 'Chooses it as `metric`' }),
  name: z.string(),
  goal: z.enum(['increase', 'decrease']),
  shape: z.enum(['share', 'mean', 'ratio', 'quantile']),
  experiments: z.number().meta({ description: 'How many of the experiments have it' }),
})

const effectShape = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('known'),
    variant: z.string().meta({ description: 'The shipped one, otherwise the one that looks best' }),
    reading: z.string(),
    level: z.number(),
    measured: estimateShape.meta({ description: 'Relative to the control, as in the results' }),
    shrunk: shrunkShape,
  }),
  z.object({
    state: z.literal('unknown'),
    reason: z.string().meta({ description: 'As `no-metric`, `pending` or `too-few-units`' }),
  }),
])

const programmeShape = z
  .object({
    period: z.object({ from: z.date(), until: z.date() }),
    metric: metricShape.optional(),
    metrics: z
      .array(metricShape)
      .meta({ description: 'To choose from; those that most experiments have first' }),
    ended: z.number(),
    outcomes: z.record(z.string(), z.number()),
    winRate: z
      .object({ wins: z.number(), of: z.number(), low: z.number(), high: z.number() })
      .optional()
      .meta({
        description: 'Experiments that shipped another variant than the control, with a 95% interval',
      }),
    shippedEffect: z
      .object({ variants: z.number(), unknown: z.number(), measured: estimateShape, shrunk: shrunkShape })
      .optional()
      .meta({ description: 'The effects of the shipped variants, one on top of the other' }),
    pending: z.number().meta({ description: 'Experiments whose effects are being computed' }),
    experiments: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        flag: z.string(),
        kind: z.enum(experimentKinds),
        hypothesis: z.string(),
        notes: z.string(),
        startedAt: instant,
        endedAt: instant,
        conclusion: z.looseObject({ outcome: z.string(), note: z.string() }),
        effect: effectShape,
      }),
    ),
  })
  .meta({ id: 'ExperimentProgramme' })

export const experimentProgrammeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/experiment-programme',
    summary:
      'The experiments that ended in a period: their effects on one metric, how many won, and what was shipped together',
    right: 'experiments:read',
    query: programmeInput,
    responseSchema: programmeShape,
    handle: async ({ product, viewer, project, query }) =>
      mapOutcome(
        await product.experiments.programme.read(project().id, Object.fromEntries(query), viewer),
        ({ programme }) => programme,
      ),
  },
]
