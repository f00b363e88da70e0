import type { Selectable } from 'kysely'
import { dateOrUndefined, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { BanditProgress, WeightChange } from './progress'

interface BanditTables {
  bandits: {
    experiment_id: string
    project_id: number
    state: string
    progress: string
    seen_version: number
    looked_at: string | null
    next_at: string
  }
  bandit_weights: {
    experiment_id: string
    version: number
    at: string
    weights: string
    reason: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<BanditTables>()

type StoredProgress = Pick<BanditProgress, 'why' | 'variants' | 'arms'>
type StoredReason = Pick<WeightChange, 'by' | 'why' | 'movedPercent' | 'chances' | 'units'>

function toProgress(row: Selectable<BanditTables['bandits']>): BanditProgress {
  // only `saveProgress` writes it
  const progress = JSON.parse(row.progress) as StoredProgress
  return {
    ...progress,
    experimentId: row.experiment_id,
    projectId: row.project_id,
    // only `saveProgress` writes it
    state: row.state as BanditProgress['state'],
    seenVersion: row.seen_version,
    lookedAt: dateOrUndefined(row.looked_at),
    nextAt: new Date(row.next_at),
  }
}

export async function progressOf(
  store: StoreOrTransaction,
  experimentId: string,
): Promise<BanditProgress | undefined> {
  const row = await open(store)
    .selectFrom('bandits')
    .selectAll()
    .where('experiment_id', '=', experimentId)
    .executeTakeFirst()
  return row && toProgress(row)
}

export async function saveProgress(store: StoreOrTransaction, progress: BanditProgress): Promise<void> {
  const { why, variants, arms } = progress
  const stored: StoredProgress = { why, variants, arms }
  const columns = {
    state: progress.state,
    progress: JSON.stringify(stored),
    seen_version: progress.seenVersion,
    looked_at: isoOrNull(progress.lookedAt),
    next_at: progress.nextAt.toISOString(),
  }
  await open(store)
    .insertInto('bandits')
    .values({ experiment_id: progress.experimentId, project_id: progress.projectId, ...columns })
    .onConflict((conflict) => conflict.column('experiment_id').doUpdateSet(columns))
    .execute()
}

/** The weights of a bandit's flag since its start, the oldest first. */
export async function weightsOf(store: StoreOrTransaction, experimentId: string): Promise<WeightChange[]> {
  const rows = await open(store)
    .selectFrom('bandit_weights')
    .selectAll()
    .where('experiment_id', '=', experimentId)
    .orderBy('version')
    .execute()
  return rows.map((row) => ({
    // only `addWeights` writes both
    ...(JSON.parse(row.reason) as StoredReason),
    weights: JSON.parse(row.weights) as WeightChange['weights'],
    version: row.version,
    at: new Date(row.at),
  }))
}

export async function countWeights(store: StoreOrTransaction, experimentId: string): Promise<number> {
  const { count } = await open(store)
    .selectFrom('bandit_weights')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('experiment_id', '=', experimentId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function addWeights(
  store: StoreOrTransaction,
  experimentId: string,
  { version, at, weights, ...change }: WeightChange,
): Promise<void> {
  const { by, why, movedPercent, chances, units } = change
  const reason: StoredReason = {
    by,
    why,
    movedPercent,
    ...(chances && { chances }),
    ...(units && { units }),
  }
  await open(store)
    .insertInto('bandit_weights')
    .values({
      experiment_id: experimentId,
      version,
      at: at.toISOString(),
      weights: JSON.stringify(weights),
      reason: JSON.stringify(reason),
    })
    .execute()
}
