import type { Guard } from '#flags/guard'
import type { Finding } from '../finding'
import { pageAddress } from './addresses'
import type { FindingRule } from './rule'

/** Rollouts that their guard took back in the last whole week or since. */
export const rolledBack: FindingRule = {
  id: 'rolled-back',
  needs: ['project:read'],
  async find({ projectId, viewer, flags, weeks }) {
    const guards = await flags.guards.list(projectId, viewer)
    return rolledBackSince(guards, weeks.from)
  },
}

/** The latest first, and one of each flag: a rollout that began again since has its own state. */
export function rolledBackSince(
  guards: readonly Pick<Guard, 'flagKey' | 'state' | 'endedAt' | 'why' | 'experiment' | 'createdAt'>[],
  from: Date,
): Finding[] {
  const latest = [...Map.groupBy(guards, ({ flagKey }) => flagKey).values()].flatMap((ofFlag) =>
    ofFlag.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime()).slice(0, 1),
  )
  return latest
    .filter(({ state, endedAt }) => state === 'rolled-back' && endedAt !== undefined && endedAt >= from)
    .toSorted((one, other) => (other.endedAt?.getTime() ?? 0) - (one.endedAt?.getTime() ?? 0))
    .map(({ flagKey, why, experiment }) => ({
      rule: rolledBack.id,
      urgency: 'harm',
      headline: ['The rollout of ', { name: flagKey }, ' was rolled back: find the cause'],
      reason: why,
      action:
        experiment === undefined
          ? { label: 'Open the flag', path: pageAddress.flag(flagKey) }
          : { label: 'Open the experiment', path: pageAddress.experiment(experiment) },
    }))
}
