import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The parts of an experiment's report that a share shows; null shows the usual ones. */
export const reportParts: StoreMigration = {
  name: '0047-report-parts',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('shares').addColumn('parts', 'text').execute()
  },
}
