import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The position of an import by a product's API, and the entries that were made of those of the product. */
export const movedEntries: StoreMigration = {
  name: '0040-moved-entries',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('imports').addColumn('cursor', 'text').execute()
    await schema
      .createTable('moved_entries')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('their_id', 'text', (column) => column.notNull())
      .addColumn('our_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('moved_entries_pk', ['project_id', 'kind', 'their_id'])
      .execute()
  },
}
