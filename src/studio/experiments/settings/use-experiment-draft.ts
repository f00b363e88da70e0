'use client'

import type { Experiment } from '#experiments/experiment'
import { useEditedDraft } from '#studio/parts/use-edited-draft'
import { changeExperiment, reloadExperiment } from '../actions'
import { changeOf, differencesOf, draftOf, type ExperimentDraft, fieldProblems } from '../editor/draft'

/** An experiment as it was opened, the draft of it, and the state that another member saved meanwhile. */
export const useExperimentDraft = (slug: string, experiment: Experiment) =>
  useEditedDraft<Experiment, ExperimentDraft>(experiment, {
    draftOf,
    differencesOf,
    isNewer: (one, other) => one.changedAt.getTime() > other.changedAt.getTime(),
    save: async (draft, base) => subjectOf(await changeExperiment(slug, base.id, changeOf(draft, base))),
    reload: async ({ id }) => subjectOf(await reloadExperiment(slug, id)),
    problemsIn: fieldProblems,
  })

const subjectOf = (answer: Awaited<ReturnType<typeof changeExperiment>>) =>
  answer.done ? { done: true as const, subject: answer.experiment } : answer
