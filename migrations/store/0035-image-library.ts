import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Alternative texts of pictures, and removed files: every front that shares the store deletes its own copy. */
export const imageLibrary: StoreMigration = {
  name: '0035-image-library',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('post_images')
      .addColumn('alt', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await schema
      .createTable('removed_images')
      .addColumn('file', 'text', (column) => column.primaryKey())
      .execute()
  },
}
