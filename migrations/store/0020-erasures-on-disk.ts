import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The share of files on disk that could not be searched for rows of the erased person. */
export const erasuresOnDisk: StoreMigration = {
  name: '0020-erasures-on-disk',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('erasures').addColumn('unsearched_bytes', 'bigint').execute()
  },
}
