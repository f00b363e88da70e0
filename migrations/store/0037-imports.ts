import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Histories that were brought from other products, with how far each got. */
export const imports: StoreMigration = {
  name: '0037-imports',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('imports')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('until', 'text')
      .addColumn('counts', 'text', (column) => column.notNull())
      .addColumn('rows_read', 'bigint', (column) => column.notNull())
      .addColumn('kept', 'bigint', (column) => column.notNull())
      .addColumn('stored', 'bigint')
      .addColumn('first_at', 'text')
      .addColumn('last_at', 'text')
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .execute()
    await schema.createIndex('imports_by_project').on('imports').columns(['project_id', 'state']).execute()
  },
}
