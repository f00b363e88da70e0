import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The fields that clients of PostHog's API sent of an entry, as far as Tilth keeps it in another form or has no place for it. */
export const posthogForms: StoreMigration = {
  name: '0056-posthog-forms',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('posthog_forms')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      // "insight", "dashboard" or "action"
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('entry_id', 'text', (column) => column.notNull())
      .addColumn('form', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('posthog_forms_pk', ['project_id', 'kind', 'entry_id'])
      .execute()
  },
}
