import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Properties of persons that imports have set, each with its import. */
export const importedProperties: StoreMigration = {
  name: '0038-imported-properties',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('persons').addColumn('imported', 'text').execute()
  },
}
