import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Pages of insights, who outside may see them, and what happened when. */
export const dashboards: StoreMigration = {
  name: '0006-dashboards',
  async up(tables) {
    await createDashboards(tables)
    await createVersions(tables)
    await createHomes(tables)
    await createShares(tables)
    await createAnnotations(tables)
  },
}

async function createDashboards({ schema }: Kysely<unknown>) {
  await schema
    .createTable('dashboards')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('cards', 'text', (column) => column.notNull())
    .addColumn('look', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('archived_at', 'text')
    .execute()
  await schema.createIndex('dashboards_by_project').on('dashboards').column('project_id').execute()
}

async function createVersions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('dashboard_versions')
    .addColumn('dashboard_id', 'text', (column) =>
      column.notNull().references('dashboards.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('cards', 'text', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('dashboard_versions_key', ['dashboard_id', 'version'])
    .execute()
}

async function createHomes({ schema }: Kysely<unknown>) {
  await schema
    .createTable('project_homes')
    .addColumn('project_id', 'integer', (column) => column.primaryKey())
    .addColumn('dashboard_id', 'text', (column) =>
      column.notNull().references('dashboards.id').onDelete('cascade'),
    )
    .execute()
}

async function createShares({ schema }: Kysely<unknown>) {
  await schema
    .createTable('shares')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('subject_name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('may_change_period', 'integer', (column) => column.notNull())
    .addColumn('frame_hosts', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'text')
    .execute()
  await schema.createIndex('shares_by_project').on('shares').column('project_id').execute()
}

async function createAnnotations({ schema }: Kysely<unknown>) {
  await schema
    .createTable('annotations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('annotations_by_time').on('annotations').columns(['project_id', 'at']).execute()
}
