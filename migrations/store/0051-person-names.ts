import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The id that a person's coined name is made of, if it is another one than their own. */
export const personNames: StoreMigration = {
  name: '0051-person-names',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('persons').addColumn('name_id', 'text').execute()
  },
}
