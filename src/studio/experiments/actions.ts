'use server'

import type { Experiment } from '#experiments/experiment'
import type { ExperimentPlan } from '#experiments/planning/plan'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, failedWith, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { catchRefusals, runProjectChange, tryEngine } from '#studio/parts/refusals'

/** Creates a draft; with `flag`, on a flag of this key and these variants, which is created with it. */
export async function createExperiment(
  slug: unknown,
  input: unknown,
  flag?: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    flag === undefined
      ? experiments.create(projectId, input, viewer)
      : experiments.createWithFlag(projectId, { flag, experiment: input }, viewer),
  )
  return mapOutcome(answer, ({ experiment }) => ({ id: experiment.id }))
}

export async function changeExperiment(
  slug: unknown,
  id: unknown,
  input: unknown,
): Promise<ActionResult<{ experiment: Experiment }>> {
  return await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.change(projectId, asText(id), input, viewer),
  )
}

/** Loads the current experiment after a conflict with another change. */
export async function reloadExperiment(
  slug: unknown,
  id: unknown,
): Promise<ActionResult<{ experiment: Experiment }>> {
  const viewer = await requireViewer()
  const { projects, experiments } = getProduct()
  return await catchRefusals(async () => {
    const { id: projectId } = projects.find(asText(slug), viewer)
    const experiment = await experiments.find(projectId, asText(id), viewer)
    return experiment
      ? { done: true, experiment }
      : failedWith('There is no such experiment in this project.')
  })
}

/** Plans a draft that is not created yet, as its form has it. */
export async function planDraft(
  slug: unknown,
  input: unknown,
): Promise<ActionResult<{ plan: ExperimentPlan; sentences: string[] }>> {
  const viewer = await requireViewer()
  const { projects, experiments } = getProduct()
  return await tryEngine(() =>
    experiments.planning.planDraft(projects.find(asText(slug), viewer).id, input, viewer),
  )
}

/** Has a newer result computed in the background. */
export async function renewResult(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.results.renew(projectId, asText(id), viewer),
  )
}

/** Starts now, or at the past instant that `input.at` names; with `input.turnsFlagOn`, turns the flag on as well. */
export async function startExperiment(slug: unknown, id: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.start(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function endExperiment(slug: unknown, id: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.end(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Keeps a rollout at its step. */
export async function pauseRollout(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(
    slug,
    ({ experiments: { rollouts: experimentRollouts } }, projectId, viewer) =>
      experimentRollouts.pause(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function resumeRollout(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(
    slug,
    ({ experiments: { rollouts: experimentRollouts } }, projectId, viewer) =>
      experimentRollouts.resume(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Keeps the weights of a bandit as they are, or moves them again. */
export async function pauseBandit(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments: { bandits } }, projectId, viewer) =>
    bandits.pause(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function resumeBandit(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments: { bandits } }, projectId, viewer) =>
    bandits.resume(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function shipVariant(slug: unknown, id: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.ship(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function takeBackVariant(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.takeBack(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function reopenExperiment(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.reopen(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function archiveExperiment(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.archive(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function restoreExperiment(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.restore(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function duplicateExperiment(slug: unknown, id: unknown): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ experiments }, projectId, viewer) =>
    experiments.duplicate(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, ({ experiment }) => ({ id: experiment.id }))
}

/** Begins to divide the project’s history at random; the page shows how far it is. */
export async function beginAaCheck(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ experiments: { aaChecks } }, projectId, viewer) =>
    aaChecks.begin(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** Creates a saved metric, or changes the one with this id. */
export async function saveMetric(slug: unknown, id: unknown, input: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(
    slug,
    ({ experiments: { metrics: savedMetrics } }, projectId, viewer) =>
      id === undefined
        ? savedMetrics.create(projectId, input, viewer)
        : savedMetrics.change(projectId, asText(id), input, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function removeSavedMetric(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(
    slug,
    ({ experiments: { metrics: savedMetrics } }, projectId, viewer) =>
      savedMetrics.remove(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}
