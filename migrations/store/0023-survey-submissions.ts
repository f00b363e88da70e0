import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The number of submissions of surveys with a response limit, and the submissions that began lately. */
export const surveySubmissions: StoreMigration = {
  name: '0023-survey-submissions',
  async up(tables) {
    await createSubmissions(tables)
    await createCounts(tables)
  },
}

async function createSubmissions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_submissions')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('submission', 'text', (column) => column.notNull())
    .addColumn('begun_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('survey_submissions_key', ['project_id', 'survey_id', 'submission'])
    .addForeignKeyConstraint(
      'survey_submissions_survey',
      ['project_id', 'survey_id'],
      'surveys',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await schema.createIndex('survey_submissions_by_time').on('survey_submissions').column('begun_at').execute()
}

/** `counted_at` is empty until the stored events of the survey are in its count. */
async function createCounts({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_counts')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('submissions', 'integer', (column) => column.notNull())
    .addColumn('counted_at', 'text')
    .addPrimaryKeyConstraint('survey_counts_key', ['project_id', 'survey_id'])
    .addForeignKeyConstraint(
      'survey_counts_survey',
      ['project_id', 'survey_id'],
      'surveys',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
}
