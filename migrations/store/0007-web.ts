import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Goals of a project, and the segments of visitors that members save. */
export const web: StoreMigration = {
  name: '0007-web',
  async up(tables) {
    await createGoals(tables)
    await createSegments(tables)
  },
}

async function createGoals({ schema }: Kysely<unknown>) {
  await schema
    .createTable('goals')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('goal', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('goals_by_project').on('goals').column('project_id').execute()
}

async function createSegments({ schema }: Kysely<unknown>) {
  await schema
    .createTable('segments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('member_id', 'text', (column) => column.references('members.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('filter', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('segments_by_project').on('segments').column('project_id').execute()
}
