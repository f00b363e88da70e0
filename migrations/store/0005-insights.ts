import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Questions that were kept under a name, and what they said before. */
export const insights: StoreMigration = {
  name: '0005-insights',
  async up(tables) {
    await createInsights(tables)
    await createVersions(tables)
    await createFavourites(tables)
  },
}

async function createInsights({ schema }: Kysely<unknown>) {
  await schema
    .createTable('insights')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('question', 'text', (column) => column.notNull())
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('viewed_at', 'text')
    .addColumn('archived_at', 'text')
    .execute()
  await schema.createIndex('insights_by_project').on('insights').column('project_id').execute()
}

async function createVersions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('insight_versions')
    .addColumn('insight_id', 'text', (column) =>
      column.notNull().references('insights.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('question', 'text', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('insight_versions_key', ['insight_id', 'version'])
    .execute()
}

async function createFavourites({ schema }: Kysely<unknown>) {
  await schema
    .createTable('insight_favourites')
    .addColumn('insight_id', 'text', (column) =>
      column.notNull().references('insights.id').onDelete('cascade'),
    )
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('insight_favourites_key', ['insight_id', 'member_id'])
    .execute()
}
