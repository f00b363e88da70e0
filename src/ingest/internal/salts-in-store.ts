import type { TableSource } from '#store/store'
import type { SaltStorage } from '../salts'

interface Tables {
  visitor_salts: { day: number; salt: string }
}

/** The format in which `Salts` writes them. */
type StoredSalts = { day: number; salt: string }[]

/**
 * Salts shared by several fronts, in a table of Postgres that is excluded from archives and replicas. A manual copy of
 * the database must exclude it too: a salt in a backup would never be destroyed.
 */
export function sharedSaltStorage(store: TableSource): SaltStorage {
  const tables = store.tables<Tables>()
  return {
    isShared: true,
    load: async () => JSON.stringify(await tables.selectFrom('visitor_salts').selectAll().execute()),
    async save(text) {
      // only `Salts` writes this text
      const kept = JSON.parse(text) as StoredSalts
      await tables
        .insertInto('visitor_salts')
        .values(kept)
        .onConflict((conflict) => conflict.column('day').doNothing())
        .execute()
      const oldest = Math.min(...kept.map(({ day }) => day))
      await tables.deleteFrom('visitor_salts').where('day', '<', oldest).execute()
    },
  }
}
