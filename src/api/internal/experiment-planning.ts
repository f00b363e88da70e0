import { z } from 'zod'
import { shownAs } from '#collection/entry-shape'
import { planInput } from '#experiments/planning/history'
import {
  aaCheckState,
  experimentPlan,
  overlappingExperiment,
  readinessCheck,
} from '#experiments/planning/plan-schema'
import { type Endpoint, mapOutcome } from './endpoint'

const shownPlan = shownAs(
  'ExperimentPlan',
  z.strictObject({
    sentences: z.array(z.string()).meta({ description: 'The plan in words' }),
    plan: experimentPlan,
  }),
)

const shownReadiness = shownAs(
  'ExperimentReadiness',
  z.strictObject({
    canStart: z.boolean().meta({ description: 'Whether there is no error' }),
    checks: z.array(readinessCheck),
    overlaps: z
      .array(overlappingExperiment)
      .meta({ description: 'Other running experiments, with the persons who read both flags' }),
  }),
)

const aaCheckShape = aaCheckState.meta({ id: 'AaCheck' })

export const experimentPlanningEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/plan',
    summary: 'How long an experiment takes, by the project’s own history',
    right: 'experiments:read',
    query: planInput,
    responseSchema: shownPlan.shape,
    handle: async ({ product, viewer, project, query, pathParameter }) =>
      mapOutcome(
        await product.experiments.planning.plan(
          project().id,
          pathParameter('experiment'),
          Object.fromEntries(query),
          viewer,
        ),
        ({ plan, sentences }) => shownPlan.show({ sentences, plan }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/readiness',
    summary: 'The checklist before a start: errors keep an experiment from starting',
    right: 'experiments:read',
    responseSchema: shownReadiness.shape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.experiments.planning.readiness(project().id, pathParameter('experiment'), viewer),
        ({ readiness }) => shownReadiness.show(readiness),
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
