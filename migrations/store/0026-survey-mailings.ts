import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Letters with a survey, one for each recipient, and who wants no more of them. */
export const surveyMailings: StoreMigration = {
  name: '0026-survey-mailings',
  async up(tables) {
    for (const create of [createMailings, createLetters, createSuppressions]) await create(tables)
  },
}

async function createMailings({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_mailings')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addForeignKeyConstraint(
      'survey_mailings_survey',
      ['project_id', 'survey_id'],
      'surveys',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
}

/** An address gets one letter of a survey. */
async function createLetters({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_letters')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('mailing_id', 'text', (column) =>
      column.notNull().references('survey_mailings.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('distinct_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('sent_at', 'text')
    .addColumn('outcome', 'text')
    .addUniqueConstraint('survey_letters_once', ['project_id', 'survey_id', 'address'])
    .execute()
  await schema
    .createIndex('survey_letters_by_due')
    .on('survey_letters')
    .columns(['state', 'due_at'])
    .execute()
}

async function createSuppressions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_suppressions')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('survey_suppressions_key', ['project_id', 'address'])
    .execute()
}
