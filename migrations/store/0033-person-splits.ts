import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Distinct ids that became persons of their own again, until all their events say so. */
export const personSplits: StoreMigration = {
  name: '0033-person-splits',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('person_splits')
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('distinct_id', 'text', (column) => column.notNull())
      .addColumn('from_person_id', 'text', (column) => column.notNull())
      .addColumn('to_person_id', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('person_splits_key', ['project_id', 'distinct_id'])
      .execute()
  },
}
