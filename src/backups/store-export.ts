import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import type { ErasureRecord } from './manifest'
import { RowsChecksum } from './internal/rows-checksum'
import type { StoreCopy } from './internal/store-copy'

/** The folder in a tree: one file a table, one row a line. */
export const exportFolder = 'store'

export const exportFile = (tree: string, table: string): string => join(tree, exportFolder, `${table}.jsonl`)

/** Salts are never kept, the lock of migrations belongs to one database, and announcements to the fronts that run. */
export const neverExported: ReadonlySet<string> = new Set([
  'visitor_salts',
  'migrations_lock',
  'announced_uuids',
])

/** A backup that is under way in the exported store is not under way where the export is loaded. */
const conditions = new Map([['backups', 'where ended_at is not null']])

const rowsAtOnce = 1000

/** Exports one moment of the store from a Postgres server, table by table, in one transaction that sees no later change. */
export async function copyPostgres(url: string, tree: string): Promise<StoreCopy> {
  await mkdir(join(tree, exportFolder), { recursive: true, mode: 0o700 })
  const client = new Client({ connectionString: url })
  // a lost connection rejects the query under way as well
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const rows: Record<string, number> = {}
    const checksums: Record<string, string> = {}
    for (const table of await tablesOf(client)) {
      const sum = await exportTable(client, table, exportFile(tree, table))
      rows[table] = sum.rows
      checksums[table] = sum.text
    }
    const steps = await client.query<{ name: string }>('select name from migrations order by name')
    const erasures = 'erasures' in rows ? await erasuresIn(client) : []
    await client.query('commit')
    const names = steps.rows.map(({ name }) => name)
    return { store: { form: 'postgres', steps: names, rows, checksums }, erasures, damage: [] }
  } finally {
    await client.end()
  }
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by name`,
  )
  return rows.map(({ name }) => name).filter((name) => !neverExported.has(name))
}

/** Postgres writes the rows as JSON itself, so that it reads back every type exactly, large integers and bytes included. */
async function exportTable(client: Client, table: string, path: string): Promise<RowsChecksum> {
  const file = createWriteStream(path, { mode: 0o600 })
  const sum = new RowsChecksum()
  const name = client.escapeIdentifier(table)
  const condition = conditions.get(table) ?? ''
  await client.query(
    `declare exported cursor for select row_to_json(${name})::text as line from ${name} ${condition}`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${rowsAtOnce} from exported`)
    if (rows.length === 0) break
    for (const { line } of rows) sum.add(line)
    const isWritable = file.write(rows.map(({ line }) => `${line}\n`).join(''))
    if (!isWritable) await once(file, 'drain')
  }
  await client.query('close exported')
  await finished(file.end())
  return sum
}

async function erasuresIn(client: Client): Promise<ErasureRecord[]> {
  const { rows } = await client.query<{ project_id: number; person_ids: string; asked_at: string }>(
    'select project_id, person_ids, asked_at from erasures',
  )
  return rows.map(({ project_id, person_ids, asked_at }) => ({
    projectId: project_id,
    numbers: JSON.parse(person_ids) as string[], // written by persons/erasures alone
    askedAt: asked_at,
  }))
}
