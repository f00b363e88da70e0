import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Saved lists of persons: their filters, order and columns. */
export const personLists: StoreMigration = {
  name: '0031-person-lists',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('person_lists')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('member_id', 'text', (column) => column.references('members.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('question', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await schema.createIndex('person_lists_by_project').on('person_lists').column('project_id').execute()
  },
}
