import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Words that members sort the responses to a survey by. */
export const surveyTags: StoreMigration = {
  name: '0044-survey-tags',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('survey_response_tags')
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('survey_id', 'text', (column) => column.notNull())
      .addColumn('submission', 'text', (column) => column.notNull())
      .addColumn('tag', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('survey_response_tags_key', ['project_id', 'survey_id', 'submission', 'tag'])
      .addForeignKeyConstraint(
        'survey_response_tags_survey',
        ['project_id', 'survey_id'],
        'surveys',
        ['project_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
  },
}
