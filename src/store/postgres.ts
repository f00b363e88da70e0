import { type Dialect, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'

/** The same tables on a Postgres server, so that several fronts can share one state. */
export function postgresDialect(pool: Pool): Dialect {
  // a connection that breaks while idle is replaced by the pool; unheard, its error would end the process
  pool.on('error', () => {})
  return new PostgresDialect({ pool })
}
