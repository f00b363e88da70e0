import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Experiments. Their flags have the weights, and the versions of a flag the phases. */
export const experiments: StoreMigration = {
  name: '0027-experiments',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('experiments')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('flag', 'text', (column) => column.notNull())
      .addColumn('definition', 'text', (column) => column.notNull())
      .addColumn('started_at', 'text')
      .addColumn('ended_at', 'text')
      .addColumn('archived_at', 'text')
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .execute()
    await schema.createIndex('experiments_of_project').on('experiments').column('project_id').execute()
  },
}
