import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Backups that were asked for: the command and the running Tilth talk by these rows, and they are the history. */
export const backups: StoreMigration = {
  name: '0017-backups',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('backups')
      .addColumn('id', 'text', (column) => column.primaryKey())
      // whose point is wanted: several fronts may share a store, and each has a journal of its own
      .addColumn('journal', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('process', 'integer', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'text', (column) => column.notNull())
      .addColumn('ended_at', 'text')
      .addColumn('snapshot', 'text')
      .addColumn('trouble', 'text')
      .addColumn('bytes', 'bigint')
      .addColumn('bytes_added', 'bigint')
      .addColumn('took_ms', 'integer')
      .execute()
    await schema.createIndex('backups_by_time').on('backups').columns(['journal', 'asked_at']).execute()
  },
}
