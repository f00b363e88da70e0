import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { openStore } from '#store/open'
import { BackupRefusedError } from './backup-refused'
import { RowsChecksum } from './internal/rows-checksum'
import { storeFile, tablesOf } from './internal/store-copy'
import type { Manifest } from './manifest'
import { exportFile, exportFolder, neverExported } from './store-export'
import {
  differencesOf,
  linesOf,
  migrationsTable,
  refuseUnknownTables,
  rowBatches,
  stepsOf,
} from './store-import'

type StoreDescription = Manifest['store']

/** Sessions of the moment, which a single front knows without a table. */
const sessionsTable = 'visitor_sessions'
/** A single front has these in `uploads`. */
const picturesTable = 'picture_files'

/**
 * Writes a restored `store.db` as the export that a Postgres store with the same rows would have, into the folder of exports
 * beside it. Returns the description that belongs to this export.
 */
export async function exportSqlite(folder: string, { steps }: StoreDescription): Promise<StoreDescription> {
  await mkdir(join(folder, exportFolder), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(folder, storeFile), { readOnly: true })
  try {
    const rows: Record<string, number> = {}
    const checksums: Record<string, string> = {}
    for (const table of tablesOf(database).filter((name) => !neverExported.has(name))) {
      const sum = await exportTable(database, table, exportFile(folder, table))
      rows[table] = sum.rows
      checksums[table] = sum.text
    }
    return { form: 'postgres', steps, rows, checksums }
  } finally {
    database.close()
  }
}

/**
 * Creates `store.db` as the migrations of the snapshot's time made it, and loads every row of an export from Postgres.
 * Returns the differences from what the manifest recorded.
 */
export async function importSqlite(folder: string, store: StoreDescription): Promise<string[]> {
  await (await openStore({ folder }, stepsOf(store))).close()
  const database = new DatabaseSync(join(folder, storeFile))
  try {
    const names = tablesOf(database).filter((name) => name !== migrationsTable && name in store.rows)
    refuseUnknownTables([...names, sessionsTable, picturesTable], store)
    // a table may be loaded before those that it refers to
    database.exec('pragma foreign_keys = off; begin')
    const differences: string[] = []
    for (const name of names) {
      // a step may have written rows, which the snapshot has as well
      database.exec(`delete from "${name}"`)
      await loadTable(database, name, exportFile(folder, name))
      differences.push(...differencesOf(name, sumOf(database, name), store))
    }
    for (const { table } of database.prepare('select distinct "table" from pragma_foreign_key_check').all())
      differences.push(`${String(table)} refers to rows that are not there.`)
    database.exec('commit')
    if (picturesTable in store.rows) differences.push(...(await savePictures(folder, store)))
    return differences
  } finally {
    database.close()
  }
}

async function exportTable(database: DatabaseSync, table: string, path: string): Promise<RowsChecksum> {
  const sum = new RowsChecksum()
  const lines = function* () {
    for (const line of rowsOf(database, table)) {
      sum.add(line)
      yield `${line}\n`
    }
  }
  await pipeline(lines, createWriteStream(path, { mode: 0o600 }))
  return sum
}

function sumOf(database: DatabaseSync, table: string): RowsChecksum {
  const sum = new RowsChecksum()
  for (const line of rowsOf(database, table)) sum.add(line)
  return sum
}

/** Each row in the words of Postgres's `row_to_json`, so that the checksums of both forms are of the same texts. */
function* rowsOf(database: DatabaseSync, table: string): Generator<string> {
  const statement = database.prepare(`select * from "${table}"`)
  statement.setReadBigInts(true)
  for (const row of statement.iterate()) {
    const fields = Object.entries(row).map(
      ([name, value]) => `${JSON.stringify(name)}:${jsonOf(value, table)}`,
    )
    yield `{${fields.join(',')}}`
  }
}

function jsonOf(value: SQLOutputValue, table: string): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return floatText(value)
  if (typeof value !== 'string') return JSON.stringify(`\\x${Buffer.from(value).toString('hex')}`)
  if (!value.includes('\0')) return JSON.stringify(value)
  throw new BackupRefusedError(
    `A text in the table ${table} has the character NUL, which Postgres cannot store. Restore without --store and TILTH_STORE.`,
  )
}

/** Postgres writes an exponent from 1e-5 down and from 1e15 up, with two digits or more. */
function floatText(value: number): string {
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e15)) return String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`
}

/** SQLite reads the JSON itself, so that integers beyond JavaScript's stay what they are. */
async function loadTable(database: DatabaseSync, table: string, file: string): Promise<void> {
  const columns = database.prepare('select name from pragma_table_info(?)').all(table)
  const names = columns.map(({ name }) => `"${String(name)}"`)
  const values = columns.map(({ name }) => `value ->> '$."${String(name)}"'`)
  const insert = database.prepare(
    `insert into "${table}" (${names.join(', ')}) select ${values.join(', ')} from json_each(?)`,
  )
  for await (const rows of rowBatches(file)) insert.run(rows)
}

/** A single front serves pictures from its folder. */
async function savePictures(folder: string, store: StoreDescription): Promise<string[]> {
  const uploads = join(folder, 'uploads')
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  const sum = new RowsChecksum()
  for await (const line of linesOf(exportFile(folder, picturesTable))) {
    sum.add(line)
    const { file, bytes } = JSON.parse(line) as { file: string; bytes: string } // Postgres wrote it
    if (basename(file) !== file || file.startsWith('.'))
      throw new BackupRefusedError(`The snapshot has a picture that is called ${file}. Nothing was restored.`)
    await writeFile(join(uploads, file), Buffer.from(bytes.slice(2), 'hex'), { mode: 0o600 })
  }
  return differencesOf(picturesTable, sum, store)
}
