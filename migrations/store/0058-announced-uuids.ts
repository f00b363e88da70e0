import { type Kysely, sql } from 'kysely'
import type { StoreMigration } from './all'

/** The uuids that each front announces before it inserts their events, so that the others recognise them. */
export const announcedUuids: StoreMigration = {
  name: '0058-announced-uuids',
  async up(tables, form) {
    await addColumn(tables)
    if (form === 'sqlite') return
    await keepOlderFrontsFromInserting(tables)
    await createAnnouncements(tables)
  },
}

async function createAnnouncements(tables: Kysely<unknown>) {
  await sql`
    create table announced_uuids (
      number bigserial primary key,
      -- the process that announced them
      owner text not null,
      -- 16 bytes each, in base64
      uuids text not null,
      -- milliseconds by the server's clock
      announced_at bigint not null
    )`.execute(tables)
  await sql`create index announced_uuids_by_time on announced_uuids (announced_at)`.execute(tables)
}

const addColumn = ({ schema }: Kysely<unknown>) =>
  schema
    .alterTable('event_changes')
    .addColumn('announces_uuids', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()

/**
 * A front of an earlier Tilth that still runs announces no uuids. Without this column it can announce no insert, so that
 * its events stay in its journal until it is replaced.
 */
async function keepOlderFrontsFromInserting({ schema }: Kysely<unknown>) {
  await schema
    .alterTable('event_changes')
    .alterColumn('announces_uuids', (column) => column.dropDefault())
    .execute()
}
