import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Descriptions by members of the events and properties that a project sends. */
export const definitions: StoreMigration = {
  name: '0032-definitions',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('definitions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('is_hidden', 'integer', (column) => column.notNull())
      .addColumn('is_verified', 'integer', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('definitions_by_name', ['project_id', 'type', 'name'])
      .execute()
  },
}
