import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The mail server that an owner set up in the studio; at most one row. */
export const mailServer: StoreMigration = {
  name: '0054-mail-server',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('mail_server')
      // "installation"
      .addColumn('scope', 'text', (column) => column.primaryKey())
      // the password in it is encrypted
      .addColumn('settings', 'text', (column) => column.notNull())
      .execute()
  },
}
