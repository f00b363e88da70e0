import { type Kysely, sql } from 'kysely'
import type { StoreMigration } from './all'

/** The merges that are written into events, and the secrets that several fronts share. */
export const squashAndSalts: StoreMigration = {
  name: '0003-squash-and-salts',
  async up(tables, form) {
    await addSquashed(tables)
    if (form === 'postgres') await createSalts(tables)
  },
}

async function addSquashed({ schema }: Kysely<unknown>) {
  await schema
    .alterTable('person_overrides')
    // 1 once the events themselves say so; the row stays, since its version must go on counting up
    .addColumn('squashed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('person_overrides_to_squash')
    .on('person_overrides')
    .column('squashed')
    .where('squashed', '=', 0)
    .execute()
}

/** Unlogged: neither the server's archives nor its replicas ever see a salt, and after its crash there is none left. */
async function createSalts(tables: Kysely<unknown>) {
  await sql`create unlogged table visitor_salts (day integer primary key, salt text not null)`.execute(tables)
}
