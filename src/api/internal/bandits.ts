import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import type { BanditReport } from '#experiments/bandits/bandits'
import { requireRight } from '#projects/access'
import { type Endpoint, mapOutcome } from './endpoint'

const percentages = z.record(z.string(), z.number())

const weightsShape = z
  .object({
    state: z.enum(['running', 'paused']),
    why: z.string().meta({ description: 'Why the weights are as they are, or why it is paused' }),
    arms: z
      .array(
        z.object({
          variant: z.string(),
          units: z.number(),
          mean: z.number(),
          chance: z.number().meta({ description: 'The probability of being the best variant' }),
        }),
      )
      .meta({ description: 'As read the last time; empty before' }),
    lookedAt: instant.optional(),
    nextAt: instant.meta({ description: 'When the weights are looked at again' }),
    changes: z
      .array(
        z.object({
          version: z.number().meta({ description: 'Of the flag; exposures name it' }),
          at: instant,
          weights: percentages,
          by: z.string(),
          why: z.string(),
          movedPercent: z
            .number()
            .meta({ description: 'The percentage of people who would get another variant than before' }),
          chances: percentages.optional(),
          units: percentages.optional(),
        }),
      )
      .meta({ description: 'Every weight since the start, the latest first' }),
  })
  .meta({ id: 'BanditWeights' })

const path = '/projects/{project}/experiments/{experiment}/weights'

function weightsBody({ progress, changes }: BanditReport) {
  const { state, why, arms, lookedAt, nextAt } = progress
  return { state, why, arms, lookedAt, nextAt, changes }
}

/** Pauses or resumes a bandit, and answers what it has become. */
const verb = (name: 'pause' | 'resume', summary: string): Endpoint => ({
  method: 'POST',
  path: `${path}/${name}`,
  summary,
  right: 'experiments:write',
  alsoRights: ['flags:write', 'experiments:read'],
  responseSchema: weightsShape,
  handle: async ({ product, viewer, project, pathParameter }) => {
    const id = pathParameter('experiment')
    // nothing is changed for a key that may not read what it has become
    requireRight('experiments:read', project().id, viewer)
    const outcome = await product.experiments.bandits[name](project().id, id, viewer)
    if (!outcome.done) return outcome
    return mapOutcome(await product.experiments.bandits.report(project().id, id, viewer), ({ report }) =>
      weightsBody(report),
    )
  },
})

export const banditEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path,
    summary:
      'Where a bandit stands, and the log of its weights, by which each assignment has its probability',
    right: 'experiments:read',
    responseSchema: weightsShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.experiments.bandits.report(project().id, pathParameter('experiment'), viewer),
        ({ report }) => weightsBody(report),
      ),
  },
  verb('pause', 'Keep the weights of a bandit as they are'),
  verb('resume', 'Move the weights of a bandit again, from those that its flag has'),
]
