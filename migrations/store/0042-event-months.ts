import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The number of events by month that the engine has to hold, and the changes of it that are under way. */
export const eventMonths: StoreMigration = {
  name: '0042-event-months',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('event_months')
      .addColumn('month', 'integer', (column) => column.primaryKey())
      .addColumn('added', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('removed', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('unsure_added', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('unsure_removed', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .createTable('event_changes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('months', 'text', (column) => column.notNull())
      .addColumn('added_before', 'text', (column) => column.notNull())
      .addColumn('begun_at', 'text', (column) => column.notNull())
      .execute()
    await schema.alterTable('installation').addColumn('counted_since', 'text').execute()
  },
}
