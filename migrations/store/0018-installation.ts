import type { StoreMigration } from './all'

/** The id that binds this store to its engine, and about how many events the engine has held. */
export const installation: StoreMigration = {
  name: '0018-installation',
  async up({ schema }) {
    await schema
      .createTable('installation')
      .addColumn('one', 'integer', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('events', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
