import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Links by which one recipient each answers a survey once. No link was made before: the table of 0021 is empty. */
export const surveyLinks: StoreMigration = {
  name: '0024-survey-links',
  async up({ schema }: Kysely<unknown>) {
    await schema.dropTable('survey_links').execute()
    await schema
      .createTable('survey_links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('survey_id', 'text', (column) => column.notNull())
      .addColumn('distinct_id', 'text')
      .addColumn('email', 'text')
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addColumn('revoked_at', 'text')
      .addColumn('submission_id', 'text')
      .addColumn('begun_at', 'text')
      .addColumn('answered_at', 'text')
      .addForeignKeyConstraint(
        'survey_links_survey',
        ['project_id', 'survey_id'],
        'surveys',
        ['project_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    await schema
      .createIndex('survey_links_by_survey')
      .on('survey_links')
      .columns(['project_id', 'survey_id', 'created_at'])
      .execute()
  },
}
