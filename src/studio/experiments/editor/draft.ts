import type { GivenRecipient } from '#alerts/recipient'
import { givenRecipients } from '#alerts/recipient-key'
import { isSameText } from '#collection/canonical-text'
import type { Variant } from '#flags/flag'
import { defaultBandit } from '#experiments/bandits/bandit'
import type { Experiment, ExperimentKind } from '#experiments/experiment'
import { defaultRollout } from '#experiments/rollouts/rollout'
import type { InputProblem } from '#projects/problems'
import { changedFields } from '#studio/parts/draft-fields'
import { type VariantDraft, newVariant, splitEqually } from '#studio/flags/editor/draft'

/** An experiment as its form changes it. The steps and weights of another kind stay in it until it is saved. */
export type ExperimentDraft = Pick<
  Experiment,
  | 'name'
  | 'kind'
  | 'rollout'
  | 'bandit'
  | 'hypothesis'
  | 'flag'
  | 'control'
  | 'exposure'
  | 'unit'
  | 'entry'
  | 'severalVariants'
  | 'metrics'
  | 'analysis'
> & { recipients: readonly GivenRecipient[] }

/** A flag that is created with the experiment. */
export interface NewFlagDraft {
  key: string
  variants: VariantDraft[]
}

export const usualAnalysis: Experiment['analysis'] = {
  method: 'bayesian',
  decision: { rule: 'any-time' },
  level: 0.95,
  prior: undefined,
  lookbackDays: 14,
  smallestEffect: 0.05,
  power: 0.8,
  minimumUnits: 50,
}

export const emptyDraft = (
  flag: { key: string; variants: readonly Variant[] } | undefined,
): ExperimentDraft => ({
  name: '',
  kind: 'fixed',
  rollout: undefined,
  bandit: undefined,
  hypothesis: '',
  flag: flag?.key ?? '',
  control: flag?.variants[0]?.key ?? '',
  exposure: { by: 'flag' },
  unit: { by: 'person' },
  entry: undefined,
  severalVariants: 'exclude',
  metrics: [],
  analysis: usualAnalysis,
  recipients: [],
})

/** The changes to a draft when its kind changes: a kind without input of its own begins with its defaults. */
export const kindChange = (draft: ExperimentDraft, kind: ExperimentKind): Partial<ExperimentDraft> => ({
  kind,
  ...(kind === 'rollout' && { rollout: draft.rollout ?? defaultRollout }),
  ...(kind === 'bandit' && { bandit: draft.bandit ?? defaultBandit }),
})

/** The saved draft: only its kind's settings, and no secrets of webhooks. A rollout is read every few minutes, so its intervals are sequential. */
const settledDraft = <Draft extends ExperimentDraft>(draft: Draft): Draft => ({
  ...draft,
  rollout: draft.kind === 'rollout' ? draft.rollout : undefined,
  bandit: draft.kind === 'bandit' ? draft.bandit : undefined,
  analysis: settledAnalysis(draft),
  recipients: givenRecipients(draft.recipients),
})

const settledAnalysis = ({ kind, analysis }: ExperimentDraft): Experiment['analysis'] => {
  const method = kind === 'rollout' ? 'sequential' : analysis.method
  const isPlanned = kind === 'fixed' && method !== 'sequential'
  return { ...analysis, method, decision: isPlanned ? analysis.decision : { rule: 'any-time' } }
}

export function newFlagDraft(): NewFlagDraft {
  const control = newVariant([])
  return { key: '', variants: splitEqually([control, newVariant([control])]) }
}

export const draftOf = ({
  name,
  kind,
  rollout,
  bandit,
  hypothesis,
  flag,
  control,
  exposure,
  unit,
  entry,
  severalVariants,
  metrics,
  analysis,
  recipients,
}: ExperimentDraft): ExperimentDraft => ({
  name,
  kind,
  rollout,
  bandit,
  hypothesis,
  flag,
  control,
  exposure,
  unit,
  entry,
  severalVariants,
  metrics,
  analysis,
  recipients: givenRecipients(recipients),
})

/** The input of a new experiment. */
export function inputOf(input: ExperimentDraft) {
  const { entry, analysis, rollout, bandit, ...draft } = settledDraft(input)
  return {
    ...draft,
    ...(bandit && { bandit }),
    ...(rollout && { rollout }),
    ...(entry && { entry }),
    analysis: definedIn(analysis),
  }
}

/** The input of a change: only what differs, and null for what was taken away. The flag never changes. */
export function changeOf(draft: ExperimentDraft, base: ExperimentDraft & { changedAt: Date }) {
  const { flag: _, entry, analysis, ...fields } = settledDraft(draft)
  const changed = {
    ...fields,
    entry: entry ?? null,
    analysis: { ...analysis, prior: analysis.prior ?? null },
  }
  const names = new Set<string>(differingFields(base, draft))
  return {
    ...Object.fromEntries(Object.entries(changed).filter(([name]) => names.has(name))),
    changedAt: base.changedAt.toISOString(),
  }
}

const definedIn = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const fieldLabels = {
  name: 'Name',
  kind: 'Kind',
  rollout: 'Ramp',
  bandit: 'Weights',
  hypothesis: 'Hypothesis',
  flag: 'Flag',
  control: 'Control',
  exposure: 'Exposure',
  unit: 'Unit',
  entry: 'Who may enter',
  severalVariants: 'Several variants',
  metrics: 'Metrics',
  analysis: 'Analysis',
  recipients: 'Recipients',
} satisfies Record<keyof ExperimentDraft, string>

const differingFields = (before: ExperimentDraft, after: ExperimentDraft) =>
  changedFields(fieldLabels, settledDraft(before), settledDraft(after))

/** The fields that differ, by their labels. */
export const differencesOf = (before: ExperimentDraft, after: ExperimentDraft): string[] =>
  differingFields(before, after).map((name) => fieldLabels[name])

/** Whether the primary metrics differ: those that decide. */
export function changesPrimaryMetrics(before: ExperimentDraft, after: ExperimentDraft): boolean {
  const primary = ({ metrics }: ExperimentDraft) =>
    metrics.filter(({ role }) => role === 'primary').map(({ id, goal, measured }) => ({ id, goal, measured }))
  return !isSameText(primary(before), primary(after))
}

/** The first problem of each field; those of no field stand under an empty name. */
export type ExperimentProblems = Readonly<Record<string, string>>

export const fieldProblems = (problems: readonly InputProblem[]): ExperimentProblems =>
  Object.fromEntries(problems.map(({ field = '', message }) => [field, message] as const).toReversed())

/** The problem of a field or of a part of it, as the `error` of a Field. */
export function problemOf(problems: ExperimentProblems, field: string): { error?: string } {
  const name = Object.keys(problems).find((one) => one === field || one.startsWith(`${field}.`))
  const error = name === undefined ? undefined : problems[name]
  return error === undefined ? {} : { error }
}
