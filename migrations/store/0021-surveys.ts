import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Surveys, every version of their content, and the links by which one recipient each may answer. */
export const surveys: StoreMigration = {
  name: '0021-surveys',
  async up(tables) {
    for (const create of steps) await create(tables)
  },
}

const steps: readonly ((tables: Kysely<unknown>) => Promise<void>)[] = [
  createSurveys,
  createVersions,
  createLinks,
]

/** An imported survey keeps its id, so two projects may have the same one. */
async function createSurveys({ schema }: Kysely<unknown>) {
  await schema
    .createTable('surveys')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('starts_at', 'text')
    .addColumn('ends_at', 'text')
    .addColumn('archived_at', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('surveys_key', ['project_id', 'id'])
    .execute()
}

async function createVersions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_versions')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('survey_versions_key', ['project_id', 'survey_id', 'version'])
    .addForeignKeyConstraint(
      'survey_versions_survey',
      ['project_id', 'survey_id'],
      'surveys',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
}

async function createLinks({ schema }: Kysely<unknown>) {
  await schema
    .createTable('survey_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('survey_id', 'text', (column) => column.notNull())
    .addColumn('distinct_id', 'text')
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('used_at', 'text')
    .addColumn('submission_id', 'text')
    .addForeignKeyConstraint(
      'survey_links_survey',
      ['project_id', 'survey_id'],
      'surveys',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await schema
    .createIndex('survey_links_of_survey')
    .on('survey_links')
    .columns(['project_id', 'survey_id', 'created_at'])
    .execute()
}
