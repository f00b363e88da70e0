import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The number of persons and groups that an import has restored. */
export const importedProfiles: StoreMigration = {
  name: '0055-imported-profiles',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('imports')
      .addColumn('profiles', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
