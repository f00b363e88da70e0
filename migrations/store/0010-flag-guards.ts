import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Rollouts that are looked after. */
export const flagGuards: StoreMigration = {
  name: '0010-flag-guards',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('flag_guards')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('flag_id', 'integer', (column) =>
        column.notNull().references('flags.id').onDelete('cascade'),
      )
      .addColumn('environment', 'text', (column) => column.notNull())
      // what was asked for: JSON
      .addColumn('plan', 'text', (column) => column.notNull())
      // what became of it so far: JSON
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('looked_at', 'text')
      .addColumn('ended_at', 'text')
      .execute()
    await schema.createIndex('flag_guards_by_project').on('flag_guards').column('project_id').execute()
    await schema.createIndex('flag_guards_by_state').on('flag_guards').column('state').execute()
  },
}
