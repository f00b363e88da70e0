import { type ConditionSet, type Flag, mainEnvironment } from '#flags/flag'
import { saveNextVersion } from '#flags/next-version'
import { flagNamed } from '#flags/store'
import type { Right, Viewer } from '#projects/access'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import type { StoreTransaction, TableSource } from '#store/store'
import { type Experiment, statusOf } from '../experiment'

/** A change of an experiment that changes its flag, or decides how it changes from then on, asks for both rights. */
export const flagRights: readonly Right[] = ['experiments:write', 'flags:write']

/** Saves the flag of an experiment as a new version that SDKs are told of. */
export async function markFlag(
  transaction: StoreTransaction,
  flag: Flag,
  hasExperiment: boolean,
  { note, viewer, now }: { note: string; viewer: Viewer; now: Date },
): Promise<Flag> {
  return await saveNextVersion(
    transaction,
    { ...flag, hasExperiment },
    { note, after: { note }, viewer, now },
  )
}

/**
 * The input of a flag that is created with an experiment: off everywhere, and decided by the unit that the experiment
 * counts. Persons and their sessions get variants by person, as flags decide by default.
 */
export function ownFlagInput(
  flag: unknown,
  { unit }: Pick<Experiment, 'unit'>,
  environments: readonly string[],
): Record<string, unknown> {
  const off = { isOn: false, conditions: [{ percentage: 100 }] }
  return {
    ...Object(flag),
    kind: 'variants',
    ...((unit.by === 'device' || unit.by === 'group') && { bucketBy: unit }),
    environments: Object.fromEntries(environments.map((name) => [name, off])),
  }
}

/** Names the problems of the flag that an experiment brings along. */
export const ofNewFlag = ({ problems }: FailedOutcome): FailedOutcome => ({
  done: false,
  problems: problems.map(({ field, message }) => ({
    field: field === undefined ? 'newFlag' : `newFlag.${field}`,
    message,
  })),
})

export function turnedOn(flag: Flag): Flag {
  const setting = flag.environments[mainEnvironment] ?? {
    conditions: [everyoneIn('')],
    holdout: undefined,
    payloads: {},
  }
  return {
    ...flag,
    environments: { ...flag.environments, [mainEnvironment]: { ...setting, isOn: true } },
  }
}

const everyoneIn = (description: string, variant?: string): ConditionSet => ({
  description,
  conditions: [],
  percentage: 100,
  variant,
  isLast: false,
})

/** Gives the flag one condition set, which everyone meets. A holdout stays; the slice of a layer is freed. */
export function shippedFlag(flag: Flag, variant: string, experiment: string): Flag {
  const everyone = everyoneIn(`Shipped by the experiment “${experiment}”`.slice(0, 200), variant)
  const setting = flag.environments[mainEnvironment] ?? { payloads: {} }
  return {
    ...flag,
    environments: {
      ...flag.environments,
      [mainEnvironment]: { ...setting, isOn: true, conditions: [everyone], layer: undefined },
    },
  }
}

/** The flag that an experiment can divide people by. */
export async function usableFlag(
  source: TableSource,
  projectId: number,
  key: string,
): Promise<Flag | FailedOutcome> {
  const flag = await flagNamed(source, projectId, key)
  if (!flag || flag.keptBySurvey !== undefined)
    return failedOutcome(`There is no flag "${key}" in this project. Make it first.`, 'flag')
  if (flag.archivedAt) return failedOutcome(`The flag "${key}" is archived. Restore it first.`, 'flag')
  if (flag.kind !== 'variants')
    return failedOutcome(
      `The flag "${key}" has no variants. An experiment compares two to ten of them.`,
      'flag',
    )
  if (flag.variants.length > 10) return failedOutcome('An experiment compares ten variants at most.', 'flag')
  return flag
}

/** Says in front of the verdict on a running experiment that its flag gives no variants. */
export async function withFlagState(
  source: TableSource,
  experiment: Experiment,
  verdict: string,
): Promise<string> {
  if (statusOf(experiment) !== 'running') return verdict
  const flag = await flagNamed(source, experiment.projectId, experiment.flag)
  if (flag?.archivedAt) return `The flag is archived: no one gets a variant until it is restored. ${verdict}`
  return flag?.environments[mainEnvironment]?.isOn
    ? verdict
    : `The flag is off in ${mainEnvironment}: no one gets a variant until it is on again. ${verdict}`
}

export function controlProblem({ key, variants }: Flag, control: string): FailedOutcome | undefined {
  if (variants.some((variant) => variant.key === control)) return undefined
  const names = variants.map((variant) => `"${variant.key}"`).join(', ')
  return failedOutcome(`The flag "${key}" has no variant "${control}". It has ${names}.`, 'control')
}
