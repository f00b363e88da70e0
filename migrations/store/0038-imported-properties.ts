import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Which properties of a person an import has set, and which import it was. */
export const importedProperties: StoreMigration = {
  name: '0038-imported-properties',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('persons').addColumn('imported', 'text').execute()
  },
}
