import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Posts with their versions, authors and redirects, and the look of sites. */
export const posts: StoreMigration = {
  name: '0012-posts',
  async up(tables) {
    for (const create of steps) await create(tables)
  },
}

const steps: readonly ((tables: Kysely<unknown>) => Promise<void>)[] = [
  createPosts,
  createVersions,
  createAuthors,
  createRedirects,
  createSites,
]

/** An archived post keeps its address, so that it can be restored to it. */
async function createPosts({ schema }: Kysely<unknown>) {
  await schema
    .createTable('posts')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('published_at', 'text')
    .addColumn('archived_at', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('posts_by_address', ['project_id', 'kind', 'slug'])
    .execute()
}

async function createVersions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('post_versions')
    .addColumn('post_id', 'integer', (column) => column.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('published_at', 'text')
    .addColumn('archived_at', 'text')
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addPrimaryKeyConstraint('post_versions_key', ['post_id', 'version'])
    .execute()
}

async function createAuthors({ schema }: Kysely<unknown>) {
  await schema
    .createTable('post_authors')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('post_authors_key', ['project_id', 'slug'])
    .execute()
}

/** Those that came of a changed address lead to the post, wherever it has moved since. */
async function createRedirects({ schema }: Kysely<unknown>) {
  await schema
    .createTable('post_redirects')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('from_path', 'text', (column) => column.notNull())
    .addColumn('to_address', 'text')
    .addColumn('post_id', 'integer', (column) => column.references('posts.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('post_redirects_key', ['project_id', 'from_path'])
    .execute()
}

async function createSites({ schema }: Kysely<unknown>) {
  await schema
    .createTable('sites')
    .addColumn('project_id', 'integer', (column) => column.primaryKey().references('projects.id'))
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .execute()
}
