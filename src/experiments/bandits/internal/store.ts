import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { BanditProgress, WeightChange } from '../progress'

interface BanditTables {
  bandits: RowsOf<Omit<BanditProgress, keyof StoredProgress> & { progress: StoredProgress }>
  banditWeights: Pick<WeightChange, 'version' | 'at' | 'weights'> & {
    experimentId: string
    reason: StoredReason
  }
}

const open = openTables<BanditTables>({ json: ['progress', 'weights', 'reason'] })
const columns = ['experimentId', 'projectId', 'state', 'seenVersion', 'lookedAt', 'nextAt'] as const

type StoredProgress = Pick<BanditProgress, 'why' | 'variants' | 'arms'>
type StoredReason = Pick<WeightChange, 'by' | 'why' | 'movedPercent' | 'chances' | 'units'>

export async function progressOf(
  store: TableSource,
  experimentId: string,
): Promise<BanditProgress | undefined> {
  const found = await open(store)
    .selectFrom('bandits')
    .selectAll()
    .where('experimentId', '=', experimentId)
    .executeTakeFirst()
  if (!found) return undefined
  const { progress, ...row } = found
  return { ...progress, ...row }
}

export async function saveProgress(store: TableSource, progress: BanditProgress): Promise<void> {
  const { why, variants, arms } = progress
  const row = { ...rowOf(columns, progress), progress: { why, variants, arms } }
  await open(store)
    .insertInto('bandits')
    .values(row)
    .onConflict((conflict) => conflict.column('experimentId').doUpdateSet(row))
    .execute()
}

/** The weights of a bandit's flag since its start, the oldest first. */
export async function weightsOf(store: TableSource, experimentId: string): Promise<WeightChange[]> {
  const rows = await open(store)
    .selectFrom('banditWeights')
    .select(['reason', 'weights', 'version', 'at'])
    .where('experimentId', '=', experimentId)
    .orderBy('version')
    .execute()
  return rows.map(({ reason, ...change }) => ({ ...reason, ...change }))
}

export async function countWeights(store: TableSource, experimentId: string): Promise<number> {
  const { count } = await open(store)
    .selectFrom('banditWeights')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('experimentId', '=', experimentId)
    .executeTakeFirstOrThrow()
  return count
}

export async function addWeights(
  store: TableSource,
  experimentId: string,
  { version, at, weights, by, why, movedPercent, chances, units }: WeightChange,
): Promise<void> {
  const reason = { by, why, movedPercent, chances, units }
  await open(store)
    .insertInto('banditWeights')
    .values({ experimentId, version, at, weights, reason })
    .execute()
}
