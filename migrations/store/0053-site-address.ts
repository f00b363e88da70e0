import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The address of the site that a project measures; empty where there is none. */
export const siteAddress: StoreMigration = {
  name: '0053-site-address',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('projects')
      .addColumn('site_address', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
