import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Changes of published posts that readers do not see yet, and which versions were saved that way. */
export const unpublishedChanges: StoreMigration = {
  name: '0036-unpublished-changes',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('posts').addColumn('unpublished', 'text').execute()
    await schema
      .alterTable('post_versions')
      .addColumn('is_unpublished', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
