import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The link of a share, encrypted with the key in the data folder, and the member who may copy it again. */
export const shareLinks: StoreMigration = {
  name: '0043-share-links',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('shares').addColumn('sealed_token', 'text').execute()
    await schema.alterTable('shares').addColumn('link_member', 'text').execute()
  },
}
