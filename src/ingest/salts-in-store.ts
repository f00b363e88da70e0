import type { Store } from '#store/store'
import type { SaltStorage } from './salts'

interface Tables {
  visitor_salts: { day: number; salt: string }
}

/** As `Salts` writes them. */
type StoredSalts = { day: number; salt: string }[]

/**
 * Salts that several fronts share, in a table of Postgres that neither its archives nor its replicas see. A manual copy
 * of the database must leave the table out: a salt in a backup would never be destroyed.
 */
export function sharedSaltStorage(store: Pick<Store, 'tables'>): SaltStorage {
  const tables = store.tables<Tables>()
  return {
    isShared: true,
    load: async () => JSON.stringify(await tables.selectFrom('visitor_salts').selectAll().execute()),
    async save(text) {
      // `Salts` wrote it a moment ago
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
