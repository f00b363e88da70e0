import type { Flag } from '#flags/flag'
import { versionsOf } from '#flags/store'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import type { TableSource } from '#store/store'
import { type Experiment, statusOf } from '../experiment'
import { usableFlag } from './flag-of-experiment'
import { experimentsOf } from './store'

/** The experiment as it runs on: exposures count from its start, those since its end too. */
export const reopened = (before: Experiment, now: Date): Experiment => ({
  ...before,
  endedAt: undefined,
  conclusion: undefined,
  changedAt: now,
})

/** Says why an experiment cannot run on, whatever its flag is. */
export async function reopeningProblem(
  source: TableSource,
  { id, projectId, flag, kind, endedAt, archivedAt }: Experiment,
): Promise<FailedOutcome | undefined> {
  if (archivedAt) return failedOutcome('The experiment is archived. Restore it first.')
  if (!endedAt) return failedOutcome('The experiment has not ended.')
  // the ramp of a rollout is over, and the weights of a bandit did not follow what happened since
  if (kind !== 'fixed')
    return failedOutcome(
      'Only an experiment with fixed weights can be reopened. Duplicate it, and start the copy.',
    )
  const others = (await experimentsOf(source, projectId)).filter((one) => one.id !== id && one.flag === flag)
  const later = others.find(
    (one) => statusOf(one) === 'running' || (one.endedAt !== undefined && one.endedAt > endedAt),
  )
  return (
    later &&
    failedOutcome(
      `The experiment “${later.name}” has run on this flag since, and its people would count here too. Duplicate this one, and start the copy.`,
    )
  )
}

/** The flag of an ended experiment, if it still has the variants that were compared. */
export async function flagToReopen(
  source: TableSource,
  experiment: Experiment,
): Promise<Flag | FailedOutcome> {
  const { projectId, control, endedAt } = experiment
  const flag = await usableFlag(source, projectId, experiment.flag)
  if ('done' in flag || !endedAt) return flag
  const versions = await versionsOf(source, flag)
  const compared = versions.find(({ at }) => at <= endedAt)?.flag.variants.map(({ key }) => key) ?? [control]
  const lost = compared.find((key) => !flag.variants.some((variant) => variant.key === key))
  return lost === undefined
    ? flag
    : failedOutcome(
        `The flag "${flag.key}" has no variant "${lost}" any more, which was compared. Add it again first.`,
        'flag',
      )
}

/** Says why the ship of a variant cannot be taken back. `version` is that of the flag which would go back. */
export async function takingBackProblem(
  source: TableSource,
  experiment: Experiment,
  { flag, version }: { flag: Flag; version: number },
): Promise<FailedOutcome | undefined> {
  const refused = await reopeningProblem(source, experiment)
  if (refused) return refused
  const { outcome, flagVersion } = experiment.conclusion ?? {}
  if (outcome !== 'shipped') return failedOutcome('No variant was shipped. Reopen the experiment instead.')
  if (flagVersion === version) return undefined
  const since = flagVersion === undefined ? [] : await versionsOf(source, flag, { after: flagVersion })
  const why = since.at(-1)?.by ?? 'Someone'
  return failedOutcome(
    `${why} has changed the flag since. Reopen the experiment, and change the flag by hand.`,
  )
}
