import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { describeOnPostgres } from '#test/outside/postgres'
import { aFolder } from '#test/product/fixture'
import { openStore } from '#store/open'
import { copySqlite } from './internal/store-copy'
import type { Manifest } from './manifest'
import { exportSqlite, importSqlite } from './store-crossing'
import { copyPostgres } from './store-export'
import { finishPostgres, importPostgres } from './store-import'

/** A reader of JSON in JavaScript would round it. */
const largeNumber = 9007199254740993n
const awkwardText = 'Acme\nline feed, \u2028 separator, \u0001 control, "quotes", \\ backslash, ü, 🌱'

/** Columns that are read as more than a text when a snapshot is taken. */
const readAsJson = new Set(['erasures.person_ids'])

const fractions = [0.1, 1e-5, 123456.789, 1e21]

interface Column {
  name: string
  type: string
  isInKey: boolean
}

/** Fills every table with rows that differ in every column, and refer to one another as its foreign keys want. */
function fillEveryTable(folder: string): string[] {
  const database = new DatabaseSync(join(folder, 'store.db'))
  const all = (query: string) => database.prepare(query).all()
  const tables = all(`select name from sqlite_schema where type = 'table' order by name`)
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('migrations') && !name.startsWith('sqlite_'))
  database.exec('pragma foreign_keys = off')
  const valueOf = (table: string, { name, type, isInKey }: Column, n: number) => {
    if (readAsJson.has(`${table}.${name}`)) return '[]'
    if (type === 'double precision') return fractions[n] ?? 0
    if (type === 'bigint' && !isInKey) return largeNumber + BigInt(n)
    return /int/.test(type) ? n + 1 : `${awkwardText} ${table} ${name} ${n}`
  }
  for (const table of tables) {
    const columns = all(`pragma table_info("${table}")`).map(({ name, type, pk }) => ({
      name: String(name),
      type: String(type).toLowerCase(),
      isInKey: pk !== 0,
    }))
    const parents = new Map(
      all(`pragma foreign_key_list("${table}")`).map(({ from, table: parent, to }) => [
        String(from),
        { table: String(parent), name: String(to) },
      ]),
    )
    database.exec(`delete from "${table}"`)
    for (let n = 0; n < fractions.length; n++) {
      const values = columns.map((column) => {
        const parent = parents.get(column.name)
        return valueOf(parent?.table ?? table, { ...column, name: parent?.name ?? column.name }, n)
      })
      const names = columns.map(({ name }) => `"${name}"`).join(', ')
      database
        .prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`)
        .run(...values)
    }
  }
  expect(all('pragma foreign_key_check')).toEqual([])
  database.close()
  return tables
}

async function aFilledStore() {
  const folder = aFolder()
  await (await openStore({ folder })).close()
  const tables = fillEveryTable(folder)
  return { folder, tables, store: copySqlite(folder, aFolder()).store }
}

const ofTables = ({ checksums }: Manifest['store'], tables: readonly string[]) =>
  tables.map((table) => [table, checksums?.[table]])

describeOnPostgres('a store that crosses from one form to the other', (emptyDatabase) => {
  test('has every row of every table in Postgres, and again in a file', async () => {
    const { folder, tables, store } = await aFilledStore()
    const exported = await exportSqlite(folder, store)
    // a backup that has no end was under way here
    expect(tables.filter((table) => exported.rows[table] !== fractions.length)).toEqual([])
    const url = await emptyDatabase()
    expect(await importPostgres(url, folder, exported)).toEqual([])
    await finishPostgres(url)
    await (await openStore({ folder: aFolder(), url })).close()

    const client = new Client(url)
    await client.connect()
    await client.query(`insert into picture_files (file, bytes) values ('garden.webp', '\\x00ff0a0d22')`)
    await client.query(`insert into visitor_sessions values (1, 'ana', 's', 1, 2)`)
    await client.end()
    const tree = aFolder()
    const { store: inPostgres } = await copyPostgres(url, tree)
    expect(ofTables(inPostgres, tables)).toEqual(ofTables(exported, tables))

    expect(await importSqlite(tree, inPostgres)).toEqual([])
    const again = await exportSqlite(tree, { ...store, form: 'sqlite' })
    expect(ofTables(again, tables)).toEqual(ofTables(exported, tables))
    expect(readFileSync(join(tree, 'uploads', 'garden.webp')).toString('hex')).toBe('00ff0a0d22')
    await (await openStore({ folder: tree })).close()
  })

  test('is not loaded if a row is not what it was', async () => {
    const { folder, store } = await aFilledStore()
    const exported = await exportSqlite(folder, store)
    const changed = { ...exported, checksums: { ...exported.checksums, members: '0000000000000000' } }
    const url = await emptyDatabase()
    expect(await importPostgres(url, folder, changed)).toEqual(['members has other rows than it had.'])
    const { checksums: _none, ...uncompared } = exported
    const empty = aFolder()
    expect(existsSync(join(empty, 'store.db'))).toBe(false)
    await expect(importSqlite(empty, { ...uncompared, rows: { unknown: 1 } })).rejects.toThrow(
      /did not make: unknown/,
    )
  })

  test('names the table of a text that Postgres cannot store', async () => {
    const { folder, store } = await aFilledStore()
    const database = new DatabaseSync(join(folder, 'store.db'))
    database.prepare('update members set name = ?').run('a\0b')
    database.close()
    await expect(exportSqlite(folder, store)).rejects.toThrow(/table members has the character NUL/)
  })
})
