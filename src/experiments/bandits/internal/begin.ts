import type { Flag } from '#flags/flag'
import type { StoreTransaction } from '#store/store'
import type { Experiment } from '../../experiment'
import { weightChangeOf } from './bandit-flag'
import { addWeights, saveProgress } from './store'

/** Begins the log of weights. `flag` is the version with equal weights. */
export async function beginBandit(
  transaction: StoreTransaction,
  experiment: Experiment,
  { flag, by, at }: { flag: Flag; by: string; at: Date },
): Promise<void> {
  const why = 'The weights are equal at the start.'
  await addWeights(transaction, experiment.id, weightChangeOf(flag, undefined, { at, by, why }))
  await saveProgress(transaction, {
    experimentId: experiment.id,
    projectId: experiment.projectId,
    state: 'running',
    why,
    variants: flag.variants.map(({ key }) => key),
    arms: [],
    seenVersion: flag.version,
    lookedAt: undefined,
    nextAt: at,
  })
}
