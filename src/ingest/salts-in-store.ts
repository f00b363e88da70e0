import type { Store } from '../store/store'
import type { SaltKeeper } from './salts'

interface Tables {
  visitor_salts: { day: number; salt: string }
}

/** As `Salts` writes them. */
type Kept = { day: number; salt: string }[]

/**
 * Salts that several fronts share, in a table of Postgres that neither its archives nor its replicas see. Whoever makes a
 * copy of the database is to leave the table out: a salt in a backup would never be destroyed.
 */
export function saltsInStore(store: Pick<Store, 'tables'>): SaltKeeper {
  const tables = store.tables<Tables>()
  return {
    isShared: true,
    load: async () => JSON.stringify(await tables.selectFrom('visitor_salts').selectAll().execute()),
    async save(text) {
      // `Salts` wrote it a moment ago
      const kept = JSON.parse(text) as Kept
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
