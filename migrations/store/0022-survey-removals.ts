import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Submissions that members took out of a survey's results, such as their own tests. The events stay. */
export const surveyRemovals: StoreMigration = {
  name: '0022-survey-removals',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('survey_removals')
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('survey_id', 'text', (column) => column.notNull())
      .addColumn('submission', 'text', (column) => column.notNull())
      .addColumn('removed_by', 'text', (column) => column.notNull())
      .addColumn('removed_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('survey_removals_key', ['project_id', 'survey_id', 'submission'])
      .addForeignKeyConstraint(
        'survey_removals_survey',
        ['project_id', 'survey_id'],
        'surveys',
        ['project_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
  },
}
