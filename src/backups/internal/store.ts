import type { Store, TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { World } from '#world/world'

/** The progress of a backup. `held`: the command is about to copy the store, and no write happens until it has. */
export type BackupState = 'asked' | 'held' | 'store-copied' | 'taken' | 'done' | 'failed'

/** A requested backup and its outcome. */
export interface BackupRecord {
  id: string
  /** Names the front whose journal it covers. */
  journal: string
  state: BackupState
  /** The number of the process that writes it, on the machine of the data folder. */
  process: number
  target: string
  askedAt: Date
  endedAt: Date | undefined
  snapshot: string | undefined
  trouble: string | undefined
  /** The size of the snapshot, and of the part of it that was new on the target. */
  bytes: number | undefined
  bytesAdded: number | undefined
  tookMs: number | undefined
}

const open = openTables<{ backups: RowsOf<BackupRecord> }>()

const mostKept = 200

export async function addBackup(
  store: Store,
  { id, journal, process, target, askedAt }: Omit<BackupRecord, 'state'>,
): Promise<void> {
  await store.transaction(async (transaction) => {
    await open(transaction)
      .insertInto('backups')
      .values({ id, journal, state: 'asked', process, target, askedAt })
      .execute()
    await deleteOld(transaction, journal)
    await transaction.announce('backups')
  })
}

export async function setBackupState(store: Store, id: string, state: BackupState): Promise<void> {
  await open(store).updateTable('backups').set({ state }).where('id', '=', id).execute()
}

export async function endBackup(
  store: Store,
  id: string,
  {
    at,
    ...end
  }: Pick<BackupRecord, 'snapshot' | 'trouble' | 'bytes' | 'bytesAdded' | 'tookMs'> & { at: Date },
): Promise<void> {
  await store.transaction(async (transaction) => {
    await open(transaction)
      .updateTable('backups')
      .set({
        // a snapshot of damaged data is done, and in trouble
        state: end.snapshot === undefined ? 'failed' : 'done',
        endedAt: at,
        ...rowOf(['snapshot', 'trouble', 'bytes', 'bytesAdded', 'tookMs'], end),
      })
      .where('id', '=', id)
      .execute()
    await transaction.announce('backups')
  })
}

/** Removes what is no backup, but a point that was taken for a move. */
export async function forgetBackup(store: Store, id: string): Promise<void> {
  await store.transaction(async (transaction) => {
    await open(transaction).deleteFrom('backups').where('id', '=', id).execute()
    await transaction.announce('backups')
  })
}

const moveTargetPrefix = 'move to '

/** The destination in the history while a move reads a point. */
export const moveTargetOf = (folder: string): string => `${moveTargetPrefix}${folder}`

export const isOfMove = ({ target }: Pick<BackupRecord, 'target'>): boolean =>
  target.startsWith(moveTargetPrefix)

export const findBackup = async (source: TableSource, id: string): Promise<BackupRecord | undefined> =>
  await open(source).selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()

/** The latest first. */
export const listBackups = async (source: TableSource, journal: string, most = 50): Promise<BackupRecord[]> =>
  await open(source)
    .selectFrom('backups')
    .selectAll()
    .where('journal', '=', journal)
    .orderBy('askedAt', 'desc')
    .limit(most)
    .execute()

/** Returns the backups of every front, the latest first. */
export const everyBackup = async (source: TableSource, most = 50): Promise<BackupRecord[]> =>
  await open(source).selectFrom('backups').selectAll().orderBy('askedAt', 'desc').limit(most).execute()

async function deleteOld(source: TableSource, journal: string): Promise<void> {
  const oldest = await open(source)
    .selectFrom('backups')
    .select('askedAt')
    .where('journal', '=', journal)
    .orderBy('askedAt', 'desc')
    .offset(mostKept)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await open(source)
    .deleteFrom('backups')
    .where('journal', '=', journal)
    .where('askedAt', '<=', oldest.askedAt)
    .execute()
}

/** Records an attempt that failed before it could request a backup. */
export async function noteFailedBackup(
  source: TableSource,
  world: World,
  { journal, target, at, trouble }: Pick<BackupRecord, 'journal' | 'target'> & { at: Date; trouble: string },
): Promise<void> {
  await open(source)
    .insertInto('backups')
    .values({
      id: Buffer.from(world.random(9)).toString('hex'),
      journal,
      state: 'failed',
      process: process.pid,
      target,
      askedAt: at,
      endedAt: world.now(),
      trouble,
    })
    .execute()
}
