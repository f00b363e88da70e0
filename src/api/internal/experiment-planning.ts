import { z } from 'zod'
import { planInput } from '#experiments/planning/history'
import { checkSeverities, readinessCheckNames } from '#experiments/planning/readiness'
import { type Endpoint, mapOutcome } from './endpoint'

const planShape = z
  .object({
    sentences: z.array(z.string()).meta({ description: 'The plan in words' }),
    plan: z.looseObject({
      days: z
        .number()
        .nullable()
        .meta({ description: 'Until the primary metrics have enough units; null if more than a year' }),
      plannedSize: z
        .number()
        .nullable()
        .meta({ description: 'The units that each variant needs to decide once, at a planned size' }),
      decision: z
        .looseObject({ days: z.number().nullable(), effect: z.number().nullable() })
        .optional()
        .meta({
          description: 'Of a planned decision: its day, and the smallest effect that is found by then',
        }),
      unitsByWeek: z.array(z.number()),
      metrics: z.array(
        z.looseObject({
          id: z.string(),
          unitsNeeded: z.number().nullable().meta({ description: 'In each variant' }),
          detectable: z
            .array(z.number().nullable())
            .meta({ description: 'The smallest relative effect that is found by the end of each week' }),
        }),
      ),
    }),
  })
  .meta({ id: 'ExperimentPlan' })

const readinessShape = z
  .object({
    canStart: z.boolean().meta({ description: 'Whether there is no error' }),
    checks: z.array(
      z.looseObject({
        name: z.enum(readinessCheckNames),
        severity: z.enum(checkSeverities),
        sentence: z.string(),
      }),
    ),
    overlaps: z
      .array(z.looseObject({ id: z.string(), persons: z.number() }))
      .meta({ description: 'Other running experiments, with the persons who read both flags' }),
  })
  .meta({ id: 'ExperimentReadiness' })

const aaCheckShape = z
  .looseObject({ state: z.enum(['none', 'running', 'done', 'failed']) })
  .meta({ id: 'AaCheck' })

export const experimentPlanningEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/plan',
    summary: 'How long an experiment takes, by the project’s own history',
    right: 'experiments:read',
    query: planInput,
    responseSchema: planShape,
    handle: async ({ product, viewer, project, query, pathParameter }) =>
      mapOutcome(
        await product.experiments.planning.plan(
          project().id,
          pathParameter('experiment'),
          Object.fromEntries(query),
          viewer,
        ),
        ({ plan, sentences }) => ({ sentences, plan }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/readiness',
    summary: 'The checklist before a start: errors keep an experiment from starting',
    right: 'experiments:read',
    responseSchema: readinessShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.experiments.planning.readiness(project().id, pathParameter('experiment'), viewer),
        ({ readiness }) => readiness,
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/aa-check',
    summary: 'How far the A/A check is, and what it found',
    right: 'experiments:read',
    responseSchema: aaCheckShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.experiments.aaChecks.state(project().id, pathParameter('experiment'), viewer),
        ({ check }) => check,
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/experiments/{experiment}/aa-check',
    summary: 'Divide the project’s history at random, and count what the analysis finds in it',
    right: 'experiments:write',
    responseSchema: aaCheckShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.experiments.aaChecks.begin(project().id, pathParameter('experiment'), viewer),
        ({ check }) => check,
      ),
  },
]
