import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The last revalidation of each tag and path of the pages of a site. */
export const siteCacheTags: StoreMigration = {
  name: '0048-site-cache-tags',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('site_cache_tags')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('tag', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('revalidated_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('site_cache_tags_key', ['project_id', 'tag'])
      .execute()
  },
}
