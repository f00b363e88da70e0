import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ErasureRecord, Manifest } from '../manifest'

/** The manifest's entries about the store. */
export interface StoreCopy {
  store: Manifest['store']
  erasures: ErasureRecord[]
  /** Damage in the store, one sentence each. */
  damage: string[]
}

export const storeFile = 'store.db'

const waitForWriterMs = 10_000

/**
 * Searches `store.db` for damage: broken pages, and indexes that contradict their rows. SQLite keeps no checksums, so a
 * changed letter inside of a value goes unnoticed.
 */
export function damageOfSqlite(dataFolder: string): string[] {
  const database = new DatabaseSync(join(dataFolder, storeFile), {
    readOnly: true,
    timeout: waitForWriterMs,
  })
  try {
    const rows = database.prepare('pragma integrity_check(20)').all()
    const found = rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok')
    return found.map((line) => `${storeFile} is damaged: ${line}.`)
  } catch (problem) {
    return [`${storeFile} is damaged: ${problem instanceof Error ? problem.message : String(problem)}.`]
  } finally {
    database.close()
  }
}

/** Copies one moment of the store, without what was deleted from it. Writers go on meanwhile. */
export function copySqlite(dataFolder: string, tree: string): Omit<StoreCopy, 'damage'> {
  const copy = join(tree, storeFile)
  const database = new DatabaseSync(join(dataFolder, storeFile), { timeout: waitForWriterMs })
  try {
    database.prepare('vacuum into ?').run(copy)
  } finally {
    database.close()
  }
  return describeSqlite(copy)
}

/** Reads a copy of any age, so only what every version has is taken for granted. */
function describeSqlite(file: string): Omit<StoreCopy, 'damage'> {
  const database = new DatabaseSync(file)
  try {
    const tables = tablesOf(database)
    // a backup that is under way here is none where this copy is opened
    if (tables.includes('backups')) database.exec('delete from backups where ended_at is null')
    const steps = database.prepare('select name from migrations order by name').all()
    return {
      store: { form: 'sqlite', steps: steps.map(({ name }) => String(name)), rows: rowsIn(database, tables) },
      erasures: tables.includes('erasures') ? erasuresIn(database) : [],
    }
  } finally {
    database.close()
  }
}

/** Returns the differences between the store and the manifest, one sentence each. */
export function compareSqlite(folder: string, { rows }: Manifest['store']): string[] {
  const file = join(folder, storeFile)
  if (!existsSync(file)) return [`${storeFile} is missing.`]
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const verdict = database.prepare('pragma integrity_check(1)').get()?.['integrity_check']
    if (verdict !== 'ok') return [`${storeFile} is damaged: ${String(verdict)}`]
    const now = rowsIn(database, tablesOf(database))
    return Object.entries(rows).flatMap(([table, recorded]) =>
      now[table] === recorded ? [] : [`${table} has ${now[table] ?? 'no'} rows instead of ${recorded}.`],
    )
  } finally {
    database.close()
  }
}

export const tablesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`)
    .all()
    .map(({ name }) => String(name))

function rowsIn(database: DatabaseSync, tables: readonly string[]): Record<string, number> {
  const count = (table: string): number =>
    Number(database.prepare(`select count(*) as rows from "${table}"`).get()?.['rows'])
  return Object.fromEntries(tables.map((table) => [table, count(table)]))
}

function erasuresIn(database: DatabaseSync): ErasureRecord[] {
  const rows = database.prepare('select project_id, person_ids, asked_at from erasures').all()
  return rows.map(({ project_id, person_ids, asked_at }) => ({
    projectId: Number(project_id),
    numbers: JSON.parse(String(person_ids)) as string[], // written by persons/erasures alone
    askedAt: String(asked_at),
  }))
}
