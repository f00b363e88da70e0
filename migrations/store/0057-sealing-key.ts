import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The fingerprint of the key that encrypts secrets in this store; at most one row. */
export const sealingKey: StoreMigration = {
  name: '0057-sealing-key',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('sealing_key')
      // "installation"
      .addColumn('scope', 'text', (column) => column.primaryKey())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .execute()
  },
}
