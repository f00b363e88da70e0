import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { storeMigrations } from '#migrations/store/all'
import { openStore } from '#store/open'
import type { Manifest } from './manifest'
import { copyPostgres, exportFile } from './store-export'
import {
  compareExport,
  finishPostgres,
  importPostgres,
  requireEmptyDatabase,
  rehearseImport,
} from './store-import'

/** A reader of JSON in JavaScript would round it. */
const largeNumber = '9007199254740993'
/** A reader of lines would cut it. */
const awkwardName = 'Acme\nline feed, \u2028 separator, "quotes", \\ backslash, ü, 🌱'

/** Rows that reference others, bytes, and numbers beyond JavaScript's. */
const rows = [
  `insert into projects (id, slug, name, time_zone, write_key, created_at) values (1, 'acme', $1, 'UTC', 'k', 'now')`,
  `insert into members (id, email, name, password_hash, created_at) values ('m', 'm@example.com', $1, 'hash', 'now')`,
  `insert into memberships (project_id, member_id, role, created_at) values (1, 'm', 'owner', $1)`,
  `insert into picture_files (file, bytes) values ($1, '\\x00ff0a0d22')`,
  `insert into visitor_sessions values (1, $1, 's', ${largeNumber}, ${largeNumber})`,
]

async function connected<Outcome>(url: string, work: (client: Client) => Promise<Outcome>): Promise<Outcome> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function anExport(
  url: string,
  steps = storeMigrations,
): Promise<{ tree: string; store: Manifest['store'] }> {
  await (await openStore({ folder: aFolder(), url }, steps)).close()
  await connected(url, async (client) => {
    for (const row of rows) await client.query(row, [awkwardName])
  })
  const tree = aFolder()
  return { tree, store: (await copyPostgres(url, tree)).store }
}

const schemasIn = (url: string): Promise<string[]> =>
  connected(url, async (client) => {
    const found = await client.query<{ nspname: string }>('select nspname from pg_namespace order by 1')
    return found.rows.map(({ nspname }) => nspname)
  })

describeOnPostgres('a backup of the store', (emptyDatabase) => {
  test('comes back with every row and type, also one of an earlier version', async () => {
    const { tree, store } = await anExport(await emptyDatabase(), storeMigrations.slice(0, 17))
    const url = await emptyDatabase()
    expect(await importPostgres(url, tree, store)).toEqual([])
    await finishPostgres(url)

    const again = (await copyPostgres(url, aFolder())).store
    expect({ ...again, checksums: undefined }).toEqual({ ...store, checksums: undefined })
    const { migrations: _before, ...before } = store.checksums ?? {}
    const { migrations: _after, ...after } = again.checksums ?? {}
    expect(after).toEqual(before)
    await connected(url, async (client) => {
      const session = await client.query('select distinct_id, started_at from visitor_sessions')
      expect(session.rows).toEqual([{ distinct_id: awkwardName, started_at: largeNumber }])
      const picture = await client.query<{ bytes: Buffer }>('select bytes from picture_files')
      expect(picture.rows[0]?.bytes.toString('hex')).toBe('00ff0a0d22')
      // a table that counts by itself would have to be told where to go on
      expect((await client.query('select * from pg_sequences')).rows).toEqual([])
    })
    await (await openStore({ folder: aFolder(), url })).close()
  })

  test('that a killed restore has loaded is loaded once more by the next one, and Tilth does not start on it before that has ended', async () => {
    const { tree, store } = await anExport(await emptyDatabase())
    const url = await emptyDatabase()
    expect(await importPostgres(url, tree, store)).toEqual([])
    await connected(url, (client) => client.query(`update members set name = 'half of it'`))
    await expect(openStore({ folder: aFolder(), url })).rejects.toThrow(/was cut short/)
    await expect(requireEmptyDatabase(url)).rejects.toThrow(/Repeat it into the same folder/)

    expect(await requireEmptyDatabase(url, { resumes: true })).toBe('unfinished')
    expect(await importPostgres(url, tree, store, { resumes: true })).toEqual([])
    await finishPostgres(url)
    expect((await copyPostgres(url, aFolder())).store.checksums?.['members']).toBe(
      store.checksums?.['members'],
    )
    await (await openStore({ folder: aFolder(), url })).close()
    await expect(requireEmptyDatabase(url, { resumes: true })).rejects.toThrow('is not empty')
  })

  test('is not loaded into a database that has tables already', async () => {
    const url = await emptyDatabase()
    const { tree, store } = await anExport(url)
    await expect(importPostgres(url, tree, store)).rejects.toThrow(
      'The database for the store is not empty: it has the table',
    )
  })

  test('is verified beside the live tables, and leaves nothing behind', async () => {
    const url = await emptyDatabase()
    const { tree, store } = await anExport(url)
    const schemas = await schemasIn(url)
    expect(await rehearseImport(url, tree, store)).toEqual([])
    expect(await schemasIn(url)).toEqual(schemas)

    const file = exportFile(tree, 'members')
    writeFileSync(file, readFileSync(file, 'utf8').replace('m@example.com', 'x@example.com'))
    const changed = ['members has other rows than it had.']
    expect(await rehearseImport(url, tree, store)).toEqual(changed)
    expect(await compareExport(tree, store)).toEqual(changed)
    expect((await copyPostgres(url, aFolder())).store).toEqual(store)

    const empty = await emptyDatabase()
    expect(await importPostgres(empty, tree, store)).toEqual(changed)
    await connected(empty, async (client) => {
      const tables = await client.query(
        "select 1 from information_schema.tables where table_schema = 'public'",
      )
      expect(tables.rows).toEqual([])
    })
    appendFileSync(file, '{}\n')
    expect(await compareExport(tree, store)).toEqual(['members has 2 rows instead of 1.'])
  })
})
