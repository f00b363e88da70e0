import { type Kysely, sql } from 'kysely'
import type { StoreMigration } from './all'

/** Facts that fronts share through their store: which visitor is in which session, and pictures of posts. */
export const sharedByFronts: StoreMigration = {
  name: '0016-shared-by-fronts',
  async up(tables, form) {
    if (form === 'sqlite') return
    await createSessions(tables)
    await createPictures(tables)
  },
}

/** Unlogged: written with every batch and of use for a day. After a crash of the server, visitors begin a new session. */
async function createSessions(tables: Kysely<unknown>) {
  await sql`
    create unlogged table visitor_sessions (
      project_id integer not null,
      distinct_id text not null,
      id text not null,
      started_at bigint not null,
      ended_at bigint not null,
      primary key (project_id, distinct_id, id)
    )`.execute(tables)
  await sql`create index visitor_sessions_by_end on visitor_sessions (ended_at)`.execute(tables)
}

async function createPictures({ schema }: Kysely<unknown>) {
  await schema
    .createTable('picture_files')
    .addColumn('file', 'text', (column) => column.primaryKey())
    .addColumn('bytes', 'bytea', (column) => column.notNull())
    .execute()
}
