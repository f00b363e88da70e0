import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Metrics that several experiments use. */
export const savedMetrics: StoreMigration = {
  name: '0029-saved-metrics',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('saved_metrics')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('definition', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await schema.createIndex('saved_metrics_of_project').on('saved_metrics').column('project_id').execute()
  },
}
