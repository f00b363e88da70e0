import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connectTimeoutMs } from './internal/connect-timeout'

interface StoreAddress {
  dataFolder: string
  storeUrl: string | undefined
}

/**
 * Runs one statement on the store without opening it, for checks that must change nothing: no lock, no migration.
 * A store that does not exist yet has no rows.
 */
export async function readStore(
  { dataFolder, storeUrl }: StoreAddress,
  statement: string,
): Promise<Record<string, unknown>[]> {
  return storeUrl
    ? await readPostgres(storeUrl, statement)
    : await readFile(join(dataFolder, 'store.db'), statement)
}

async function readFile(file: string, statement: string): Promise<Record<string, unknown>[]> {
  if (!existsSync(file)) return []
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(statement).all()
  } finally {
    database.close()
  }
}

async function readPostgres(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs(url) })
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
