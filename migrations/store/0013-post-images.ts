import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Pictures of projects. Their content is in files. */
export const postImages: StoreMigration = {
  name: '0013-post-images',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('post_images')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('post_images_key', ['project_id', 'id'])
      .execute()
  },
}
