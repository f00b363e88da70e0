import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { World } from '#world/world'

/** How far a backup is. `held`: nothing is stored until the command has copied the store. */
export type BackupState = 'asked' | 'held' | 'store-copied' | 'taken' | 'done' | 'failed'

interface Tables {
  backups: {
    id: string
    journal: string
    state: BackupState
    process: number
    target: string
    asked_at: string
    ended_at: string | null
    snapshot: string | null
    trouble: string | null
    bytes: number | null
    bytes_added: number | null
    took_ms: number | null
  }
}

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
  /** What the snapshot holds, and what of it was new on the target. */
  bytes: number | undefined
  bytesAdded: number | undefined
  tookMs: number | undefined
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const mostKept = 200

export async function addBackup(
  store: Store,
  { id, journal, process, target, askedAt }: Omit<BackupRecord, 'state'>,
): Promise<void> {
  const asked_at = askedAt.toISOString()
  await store.transaction(async (transaction) => {
    await open(transaction)
      .insertInto('backups')
      .values({
        id,
        journal,
        state: 'asked',
        process,
        target,
        asked_at,
        ended_at: null,
        snapshot: null,
        trouble: null,
        bytes: null,
        bytes_added: null,
        took_ms: null,
      })
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
  end: Pick<BackupRecord, 'snapshot' | 'trouble' | 'bytes' | 'bytesAdded' | 'tookMs'> & { at: Date },
): Promise<void> {
  await store.transaction(async (transaction) => {
    await open(transaction)
      .updateTable('backups')
      .set({
        // a snapshot of damaged data is done, and in trouble
        state: end.snapshot === undefined ? 'failed' : 'done',
        ended_at: end.at.toISOString(),
        snapshot: end.snapshot ?? null,
        trouble: end.trouble ?? null,
        bytes: end.bytes ?? null,
        bytes_added: end.bytesAdded ?? null,
        took_ms: end.tookMs ?? null,
      })
      .where('id', '=', id)
      .execute()
    await transaction.announce('backups')
  })
}

export async function findBackup(source: TableSource, id: string): Promise<BackupRecord | undefined> {
  const row = await open(source).selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRecord(row)
}

/** The latest first. */
export async function listBackups(source: TableSource, journal: string, most = 50): Promise<BackupRecord[]> {
  const rows = await open(source)
    .selectFrom('backups')
    .selectAll()
    .where('journal', '=', journal)
    .orderBy('asked_at', 'desc')
    .limit(most)
    .execute()
  return rows.map(toRecord)
}

/** Of every front, the latest first. */
export async function everyBackup(source: TableSource, most = 50): Promise<BackupRecord[]> {
  const all = open(source).selectFrom('backups').selectAll()
  const rows = await all.orderBy('asked_at', 'desc').limit(most).execute()
  return rows.map(toRecord)
}

async function deleteOld(source: TableSource, journal: string): Promise<void> {
  const oldest = await open(source)
    .selectFrom('backups')
    .select('asked_at')
    .where('journal', '=', journal)
    .orderBy('asked_at', 'desc')
    .offset(mostKept)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await open(source)
    .deleteFrom('backups')
    .where('journal', '=', journal)
    .where('asked_at', '<=', oldest.asked_at)
    .execute()
}

const toRecord = (row: Selectable<Tables['backups']>): BackupRecord => ({
  id: row.id,
  journal: row.journal,
  state: row.state,
  process: row.process,
  target: row.target,
  askedAt: new Date(row.asked_at),
  endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
  snapshot: row.snapshot ?? undefined,
  trouble: row.trouble ?? undefined,
  bytes: toNumber(row.bytes),
  bytesAdded: toNumber(row.bytes_added),
  tookMs: toNumber(row.took_ms),
})

/** Postgres answers large integers as text. */
const toNumber = (value: number | string | null): number | undefined =>
  value === null ? undefined : Number(value)

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
      asked_at: at.toISOString(),
      ended_at: world.now().toISOString(),
      snapshot: null,
      trouble,
      bytes: null,
      bytes_added: null,
      took_ms: null,
    })
    .execute()
}
