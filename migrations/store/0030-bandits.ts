import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The state of each bandit, and every weight that its flag had since its start. */
export const bandits: StoreMigration = {
  name: '0030-bandits',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('bandits')
      .addColumn('experiment_id', 'text', (column) => column.primaryKey().references('experiments.id'))
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('seen_version', 'integer', (column) => column.notNull())
      .addColumn('looked_at', 'text')
      .addColumn('next_at', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('bandit_weights')
      .addColumn('experiment_id', 'text', (column) => column.notNull().references('experiments.id'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('weights', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('bandit_weights_key', ['experiment_id', 'version'])
      .execute()
  },
}
