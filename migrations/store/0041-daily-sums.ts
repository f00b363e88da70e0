import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Daily counts of other products, in total and by the values of dimensions. */
export const dailySums: StoreMigration = {
  name: '0041-daily-sums',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('imports')
      .addColumn('sums', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .createTable('daily_sums')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('dimension', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('import_id', 'text', (column) => column.notNull().references('imports.id'))
      .addColumn('visitors', 'bigint', (column) => column.notNull())
      .addColumn('visits', 'bigint', (column) => column.notNull())
      .addColumn('views', 'bigint', (column) => column.notNull())
      .addColumn('bounces', 'bigint', (column) => column.notNull())
      .addColumn('seconds', 'bigint', (column) => column.notNull())
      .addColumn('events', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('daily_sums_pk', ['project_id', 'day', 'dimension', 'value'])
      .execute()
    await schema
      .createIndex('daily_sums_by_dimension')
      .on('daily_sums')
      .columns(['project_id', 'dimension', 'day'])
      .execute()
    await schema.createIndex('daily_sums_by_import').on('daily_sums').column('import_id').execute()
  },
}
