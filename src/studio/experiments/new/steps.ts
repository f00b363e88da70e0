import { variantTotal } from '#studio/flags/editor/draft'
import type { ExperimentDraft, ExperimentProblems, NewFlagDraft } from '../editor/draft'

/** The steps of a new experiment, in their order. */
export const newSteps = ['idea', 'variants', 'metrics', 'plan'] as const
export type NewStep = (typeof newSteps)[number]

export const stepLabels: Readonly<Record<NewStep, string>> = {
  idea: 'Idea',
  variants: 'Flag and variants',
  metrics: 'Metrics',
  plan: 'Plan',
}

interface NewExperiment {
  draft: Pick<ExperimentDraft, 'name' | 'flag'>
  newFlag: NewFlagDraft | undefined
}

/** The need of a step that keeps the next one closed. */
function missingIn(step: NewStep, { draft, newFlag }: NewExperiment): string | undefined {
  if (step === 'idea') return draft.name.trim() === '' ? 'Name the experiment first.' : undefined
  if (step !== 'variants') return undefined
  if (!newFlag) return draft.flag === '' ? 'Choose a flag first.' : undefined
  if (newFlag.key.trim() === '') return 'Give the flag a key first.'
  return variantTotal(newFlag.variants) === 100 ? undefined : 'The shares must add up to 100%.'
}

/** Why a step cannot be opened: the first thing that a step before it needs. */
export const whyClosed = (step: NewStep, made: NewExperiment): string | undefined =>
  newSteps
    .slice(0, newSteps.indexOf(step))
    .map((one) => missingIn(one, made))
    .find((missing) => missing !== undefined)

/** The step that an address names, or the last one before it that can be opened. */
export function openStep(named: string | null | undefined, made: NewExperiment): NewStep {
  const wanted = newSteps.findIndex((step) => step === named)
  return newSteps.slice(0, wanted + 1).findLast((step) => whyClosed(step, made) === undefined) ?? 'idea'
}

const fieldsOf: Readonly<Record<NewStep, readonly string[]>> = {
  idea: ['name', 'hypothesis', 'kind', 'bandit', 'rollout'],
  variants: ['flag', 'newFlag', 'control', 'exposure', 'unit', 'entry', 'severalVariants'],
  metrics: ['metrics'],
  plan: ['analysis'],
}

/** The steps whose fields have problems. */
export function stepsWithProblems(problems: ExperimentProblems): NewStep[] {
  const fields = new Set(Object.keys(problems).map((field) => field.split('.')[0]))
  return newSteps.filter((step) => fieldsOf[step].some((field) => fields.has(field)))
}
