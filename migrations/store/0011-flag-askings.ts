import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Counts of flag requests by clients that send no events about them. */
export const flagRequestCounts: StoreMigration = {
  name: '0011-flag-askings',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('flag_askings')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('environment', 'text', (column) => column.notNull())
      // empty for requests for all flags at once
      .addColumn('flag_key', 'text', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('times', 'integer', (column) => column.notNull())
      .addColumn('last_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('flag_askings_key', ['project_id', 'environment', 'flag_key', 'client', 'day'])
      .execute()
    await schema.createIndex('flag_askings_by_day').on('flag_askings').column('day').execute()
  },
}
