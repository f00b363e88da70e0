import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

const open = openTables<{ experimentNotices: { experimentId: string; about: string; at: Date } }>()

/** Notes that something of an experiment is told. Returns false if it was told before. */
export async function noteTold(
  source: TableSource,
  notice: { experimentId: string; about: string; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await open(source)
    .insertInto('experimentNotices')
    .values(notice)
    .onConflict((conflict) => conflict.columns(['experimentId', 'about']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Forgets what was told of an experiment that runs on: it may become known again. */
export async function forgetTold(source: TableSource, experimentId: string): Promise<void> {
  await open(source).deleteFrom('experimentNotices').where('experimentId', '=', experimentId).execute()
}
