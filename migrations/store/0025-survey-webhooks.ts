import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The address that each submission of a survey is sent to, and the deliveries. */
export const surveyWebhooks: StoreMigration = {
  name: '0025-survey-webhooks',
  async up(tables) {
    await createWebhooks(tables)
    await createDeliveries(tables)
  },
}

async function createWebhooks({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_webhooks')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('survey_webhooks_key', ['project_id', 'survey_id'])
    .addForeignKeyConstraint(
      'survey_webhooks_survey',
      ['project_id', 'survey_id'],
      'surveys',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
}

/** `content` is empty once nothing more is sent. */
async function createDeliveries({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('submission', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addUniqueConstraint('survey_deliveries_once', ['project_id', 'survey_id', 'submission'])
    .addForeignKeyConstraint(
      'survey_deliveries_survey',
      ['project_id', 'survey_id'],
      'surveys',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await schema
    .createIndex('survey_deliveries_by_due')
    .on('survey_deliveries')
    .columns(['state', 'due_at'])
    .execute()
}
