import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Comments of readers below posts. */
export const postComments: StoreMigration = {
  name: '0014-post-comments',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('post_comments')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      // as `Post` has it: a post may be a file
      .addColumn('post_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('written_at', 'text', (column) => column.notNull())
      .addColumn('decided_by', 'text')
      .execute()
    await schema
      .createIndex('post_comments_by_post')
      .on('post_comments')
      .columns(['project_id', 'state', 'post_id', 'written_at'])
      .execute()
  },
}
