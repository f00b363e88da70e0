import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Runs that delete old events, and the daily totals that stay of them. */
export const retention: StoreMigration = {
  name: '0019-retention',
  async up(tables) {
    await createDailyTotals(tables)
    await createRetentionRuns(tables)
    await tables.schema.alterTable('audit').addColumn('emptied_at', 'text').execute()
    await tables.schema.alterTable('erasures').addColumn('rows_on_disk', 'integer').execute()
  },
}

async function createDailyTotals({ schema }: Kysely<unknown>) {
  await schema
    .createTable('daily_totals')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('began', 'text', (column) => column.notNull())
    .addColumn('counts', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('daily_totals_key', ['project_id', 'began'])
    .execute()
}

async function createRetentionRuns({ schema }: Kysely<unknown>) {
  await schema
    .createTable('retention_runs')
    .addColumn('project_id', 'integer', (column) => column.primaryKey().references('projects.id'))
    .addColumn('boundary', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('events', 'integer', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .execute()
}
