import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Files that members sent to be imported, and how far they are. */
export const importUploads: StoreMigration = {
  name: '0039-import-uploads',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('import_uploads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('files', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('until', 'text')
      .addColumn('rows_read', 'bigint', (column) => column.notNull())
      .addColumn('preview', 'text')
      .addColumn('problem', 'text')
      .addColumn('import_id', 'text')
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('import_uploads_by_project')
      .on('import_uploads')
      .columns(['project_id', 'state'])
      .execute()
  },
}
