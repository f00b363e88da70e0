import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type StoreMigration, storeMigrations } from '#migrations/store/all'
import { aFolder, present } from '#test/product/fixture'
import type { ChangeTables } from './change-feed'
import { openStore } from '../open'
import { openDatabase, openReader, sqliteDialect } from './sqlite'
import {
  isUniqueViolation,
  writeBestEffort,
  type Store,
  StoreBusyError,
  StoreRefusedError,
  type TableSource,
} from '../store'

const later: StoreMigration = {
  name: '9001-later',
  async up(tables) {
    await tables.schema.createTable('later').addColumn('name', 'text').execute()
  },
}
const upgraded = [...storeMigrations, later]

test('the file, what SQLite lays beside it and every backup are for their owner alone', async () => {
  const folder = join(aFolder(), 'store')
  await aStoreWith(folder, 'kept')
  const store = await open(folder, upgraded)
  await note(store, 'in the log')

  expect(modes(folder)).toEqual({
    backups: '700',
    'store.db': '600',
    'store.db-shm': '600',
    'store.db-wal': '600',
  })
  expect(Object.values(modes(join(folder, 'backups')))).toEqual(['600'])
  expect(mode(folder)).toBe('700')
})

test('a backup of what was there is made before the first new step, and opens by itself', async () => {
  const folder = aFolder()
  await aStoreWith(folder, 'kept')
  const store = await open(folder, upgraded)
  await note(store, 'after the upgrade')

  const restored = aFolder()
  copyFileSync(onlyBackup(folder), join(restored, 'store.db'))
  expect(await notes(await open(restored))).toEqual(['kept'])
})

test('no backup is made of nothing, nor when there is nothing to upgrade', async () => {
  const folder = aFolder()
  for (let time = 0; time < 3; time++) await (await openStore({ folder })).close()

  expect(readdirSync(folder)).toEqual(['store.db'])
})

test('the backup stays when the step after it fails', async () => {
  const folder = aFolder()
  await aStoreWith(folder, 'kept')
  const failing = { ...later, up: () => Promise.reject(new Error('the disk is full')) }

  await expect(openStore({ folder }, [...storeMigrations, failing])).rejects.toThrow('the disk is full')
  expect(existsSync(onlyBackup(folder))).toBe(true)
  expect(await notes(await open(folder))).toEqual(['kept'])
})

test('nothing is upgraded when the backup cannot be made', async () => {
  const folder = aFolder()
  await aStoreWith(folder, 'kept')
  writeFileSync(join(folder, 'backups'), 'a file where the folder should be')

  await expect(openStore({ folder }, upgraded)).rejects.toThrow('backups')
  expect(await notes(await open(folder))).toEqual(['kept'])
})

test('what was deleted is in no byte of the file and of its log, also when it was deleted by an earlier version', async () => {
  const folder = aFolder()
  const store = await open(folder)
  for (const name of ['earlier secret', 'later secret']) await note(store, name)
  const byEarlierVersion = new DatabaseSync(join(folder, 'store.db'))
  byEarlierVersion.exec(`pragma secure_delete = off; delete from changes where topic = 'earlier secret'`)
  byEarlierVersion.exec('pragma user_version = 0')
  byEarlierVersion.close()
  await store.close()
  expect(bytesOf(folder)).toContain('earlier secret')

  const again = await open(folder)
  expect(bytesOf(folder)).not.toContain('earlier secret')
  await again.tables<ChangeTables>().deleteFrom('changes').where('topic', '=', 'later secret').execute()
  const reader = openReader(join(folder, 'store.db'))
  reader.exec('begin')
  reader.prepare('select count(*) from changes').get()
  const emptied = again.emptyLog()
  reader.close()
  await emptied
  expect(bytesOf(folder)).not.toContain('later secret')
  expect(statSync(join(folder, 'store.db-wal')).size).toBe(0)
})

test('copies from before upgrades can be dropped, all or those from before an instant', async () => {
  const folder = aFolder()
  await aStoreWith(folder, 'kept')
  const store = await open(folder, upgraded)
  await store.dropCopies({ madeBefore: new Date('2020-01-01') })
  expect(existsSync(onlyBackup(folder))).toBe(true)
  await store.dropCopies({})
  expect(readdirSync(join(folder, 'backups'))).toEqual([])
})

test('what was committed is there after a kill, from the file and the log beside it', async () => {
  const folder = aFolder()
  const store = await open(folder)
  await note(store, 'committed')
  const killed = aFolder()
  for (const file of ['store.db', 'store.db-wal']) copyFileSync(join(folder, file), join(killed, file))

  expect(await notes(await open(killed))).toEqual(['committed'])
})

test('a store whose log was deleted opens with what had reached the file', async () => {
  const folder = aFolder()
  await aStoreWith(folder, 'in the file')
  const store = await open(folder)
  await note(store, 'in the log')
  const copied = aFolder()
  copyFileSync(join(folder, 'store.db'), join(copied, 'store.db'))

  const opened = await open(copied)
  await note(opened, 'new')
  expect(await notes(opened)).toEqual(['in the file', 'new'])
})

test('a first write that was cut short is rolled back', async () => {
  const folder = aFolder()
  const source = new DatabaseSync(join(folder, 'other.db'))
  // a cache of two pages makes SQLite write into the file before the commit, with the way back in the journal
  source.exec('create table half (body text); pragma cache_size = 2; begin')
  for (let row = 0; row < 500; row++) source.prepare('insert into half values (?)').run('x'.repeat(2000))
  const killed = aFolder()
  copyFileSync(join(folder, 'other.db'), join(killed, 'store.db'))
  copyFileSync(join(folder, 'other.db-journal'), join(killed, 'store.db-journal'))
  source.close()

  const store = await open(killed)
  expect(await store.tables<{ half: { body: string } }>().selectFrom('half').selectAll().execute()).toEqual(
    [],
  )
})

test.each<[string, (healthy: Buffer) => Buffer]>([
  ['a text file', () => Buffer.from('Once upon a time there was a database. '.repeat(200))],
  ['a header and nothing else', (healthy) => healthy.subarray(0, 16)],
  ['a file cut in the middle', (healthy) => healthy.subarray(0, healthy.length / 2)],
  ['a file with pages of zeros', (healthy) => Buffer.from(healthy).fill(0x00, 4096 * 3, 4096 * 6)],
  ['a file with pages of ones', (healthy) => Buffer.from(healthy).fill(0xff, 4096 * 3, 4096 * 6)],
  ['a file with another header', (healthy) => Buffer.concat([Buffer.alloc(16, 0x41), healthy.subarray(16)])],
])('%s is refused in words, its bytes and its log untouched', async (_, broken) => {
  const folder = aFolder()
  await aStoreWith(folder, 'kept')
  const store = await openStore({ folder })
  await note(store, 'in the log')
  const damaged = aFolder()
  const file = join(damaged, 'store.db')
  const log = join(damaged, 'store.db-wal')
  const bytes = broken(readFileSync(join(folder, 'store.db')))
  writeFileSync(file, bytes)
  copyFileSync(join(folder, 'store.db-wal'), log)
  const logBytes = readFileSync(log)
  await store.close()

  const opening = openStore({ folder: damaged })
  await expect(opening).rejects.toThrow(StoreRefusedError)
  await expect(opening).rejects.toThrow(
    /^The store \/.*\/store\.db is damaged \(.+\)\. Nothing was changed\. Restore the newest backup with tilth restore \(docs\/backups\.md\)\. Without a backup, move the file away together with its -wal and -shm files; then put the newest store file of the backups folder in its place, which is from before an upgrade, or start without it: Tilth then begins empty, without members, projects and settings\.$/,
  )
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(readFileSync(log).equals(logBytes)).toBe(true)
})

test('following the advice after damage brings back the backup', async () => {
  const folder = aFolder()
  await aStoreWith(folder, 'kept')
  await (await openStore({ folder }, upgraded)).close()
  writeFileSync(join(folder, 'store.db'), 'no database any more')
  await expect(openStore({ folder }, upgraded)).rejects.toThrow(StoreRefusedError)

  for (const part of ['store.db', 'store.db-wal', 'store.db-shm']) rmSync(join(folder, part), { force: true })
  copyFileSync(onlyBackup(folder), join(folder, 'store.db'))
  expect(await notes(await open(folder, upgraded))).toEqual(['kept'])
})

test('a folder in the place of the file is refused in words', async () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'store.db'))

  const opening = openStore({ folder })
  await expect(opening).rejects.toThrow(StoreRefusedError)
  await expect(opening).rejects.toThrow('It must be a file that the user Tilth runs as may read and write.')
})

test('a writer in another process is waited for, and the store is used as soon as it lets go', async () => {
  const folder = aFolder()
  const store = await open(folder)
  const holder = await heldByAnotherProcess(folder)
  const writing = note(store, 'after the other')
  expect(await notes(await open(folder))).toEqual([])
  holder.stdin?.write('let go\n')

  await writing
  expect(await notes(store)).toEqual(['after the other'])
})

test('a writer that never finishes is reported as busy, while the event loop stays free', async () => {
  const folder = aFolder()
  const store = await open(folder)
  await heldByAnotherProcess(folder)
  let turns = 0
  const meanwhile = setInterval(() => turns++, 10)
  onTestFinished(() => clearInterval(meanwhile))
  const refusals = await Promise.all([
    note(store, 'never').catch((problem: unknown) => problem),
    store.transaction((transaction) => note(transaction, 'never')).catch((problem: unknown) => problem),
  ])

  expect(refusals).toEqual([expect.any(StoreBusyError), expect.any(StoreBusyError)])
  expect(refusals.map(String)).toEqual(
    Array(2).fill('StoreBusyError: The store is held by another writer. Try again in a moment.'),
  )
  // one attempt after the other; SQLite's own waiting would hold up each turn until it gives up
  expect(turns).toBeGreaterThan(20)
})

test('readers never wait behind a writer that waits', async () => {
  const folder = aFolder()
  const store = await open(folder)
  await note(store, 'before')
  const holder = await heldByAnotherProcess(folder)
  let written = 0
  const writing = [1, 2, 3].map(async (n) => {
    await store.transaction((transaction) => note(transaction, `waiting ${n}`))
    written += 1
  })

  expect(await notes(store)).toEqual(['before'])
  await store.ping()
  await writeBestEffort(note(store, 'in passing'))
  expect(written).toBe(0)

  holder.stdin?.write('let go\n')
  await Promise.all(writing)
  expect(await notes(store)).toEqual(['before', 'in passing', 'waiting 1', 'waiting 2', 'waiting 3'])
})

test('what is written later stays, also where the earlier statement waited for the end of a long turn', async () => {
  const store = await open(aFolder())
  await store.tables<ChangeTables>().insertInto('changes').values({ topic: 'counted', version: 0 }).execute()
  const count = async (version: number): Promise<void> => {
    const counting = store.tables<ChangeTables>().updateTable('changes').set({ version })
    await counting.where('topic', '=', 'counted').execute()
  }

  // from here on, this turn of the event loop is long
  await notes(store)
  const second = new Promise<void>((resolve) => setImmediate(resolve)).then(() => count(2))
  const endsAt = performance.now() + 50
  while (performance.now() < endsAt);
  await Promise.all([count(1), second])

  const versions = store.tables<ChangeTables>().selectFrom('changes').select('version')
  expect(await versions.where('topic', '=', 'counted').execute()).toEqual([{ version: 2 }])
})

test('a transaction reads what it wrote itself, and others only what is committed', async () => {
  const store = await open(aFolder())
  await store.transaction(async (transaction) => {
    await note(transaction, 'mine')
    expect(await notes(transaction)).toEqual(['mine'])
    expect(await notes(store)).toEqual([])
  })
  expect(await notes(store)).toEqual(['mine'])
})

test('a full disk is distinguished from a mistake, and reading continues', async () => {
  const file = join(aFolder(), 'store.db')
  const writer = openDatabase(file)
  writer.exec('create table changes (topic text primary key, version integer)')
  const reader = openReader(file)
  const tables = new Kysely<ChangeTables>({ dialect: sqliteDialect({ writer, reader }) })
  onTestFinished(() => tables.destroy())
  const store = { tables: () => tables } as unknown as Store // a store with one table and little room
  await note(store, 'before')
  writer.exec('pragma max_page_count = 4')

  const refused = note(store, 'x'.repeat(100_000))
  await expect(refused).rejects.toMatchObject({ name: 'StoreUnavailableError', trouble: 'full' })
  await expect(note(store, 'before')).rejects.toSatisfy(isUniqueViolation)
  expect(await notes(store)).toEqual(['before'])

  writer.exec('pragma max_page_count = 1000')
  await note(store, 'y'.repeat(100_000))
})

async function open(folder: string, steps?: readonly StoreMigration[]): Promise<Store> {
  const store = await openStore({ folder }, steps)
  onTestFinished(() => store.close())
  return store
}

/** Written and closed: all of it is in the file, nothing in the log. */
async function aStoreWith(folder: string, text: string): Promise<void> {
  const store = await openStore({ folder })
  await note(store, text)
  await store.close()
}

async function note(source: TableSource, text: string): Promise<void> {
  await source.tables<ChangeTables>().insertInto('changes').values({ topic: text, version: 1 }).execute()
}

async function notes(store: TableSource): Promise<string[]> {
  const rows = await store
    .tables<ChangeTables>()
    .selectFrom('changes')
    .select('topic')
    .orderBy('topic')
    .execute()
  return rows.map(({ topic }) => topic)
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

const modes = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, mode(join(folder, name))]))

function onlyBackup(folder: string): string {
  const found = readdirSync(join(folder, 'backups'))
  expect(found).toHaveLength(1)
  return join(folder, 'backups', present(found[0]))
}

/** A second Node that has begun to write and goes on until it is told to let go. */
async function heldByAnotherProcess(folder: string): Promise<ChildProcess> {
  const holding = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('begin exclusive')
    process.stdout.write('held')
    process.stdin.once('data', () => process.exit())`
  const child = spawn(process.execPath, ['-e', holding, join(folder, 'store.db')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return child
}

/** Returns the bytes of the file and its log. */
const bytesOf = (folder: string): string =>
  ['store.db', 'store.db-wal']
    .map((name) => join(folder, name))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('')
