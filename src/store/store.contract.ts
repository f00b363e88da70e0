import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type StoreMigration, storeMigrations } from '#migrations/store/all'
import { patienceMs } from '#test/running/patience'
import type { ChangeTables } from './internal/change-feed'
import { openStore, type StoreSettings } from './open'
import { openTables, rowOf, type RowsOf } from './tables'
import { isUniqueViolation, type Store, StoreRefusedError, type TableSource } from './store'

interface Tables extends ChangeTables {
  notes: { name: string; body: string | null; count: number }
}

interface Thing {
  ownerName: string
  isOpen: boolean
  createdAt: Date
  mutedUntil?: Date
  began?: Date
  details: object
  bytesRead: number
}

/** "Within a second", looked at often enough to notice. */
const often = { timeout: patienceMs, interval: 20 }

/** The contract of every form of the store. `aPlace` answers with an empty one. */
export function storeContract(aPlace: () => Promise<StoreSettings>): void {
  async function open(place: StoreSettings, steps?: readonly StoreMigration[]): Promise<Store> {
    const store = await openStore(place, steps)
    onTestFinished(() => store.close())
    return store
  }

  /** Two handles on one store, as two processes have them, and a table to write to. */
  async function twoHandles(): Promise<[Store, Store]> {
    const place = await aPlace()
    const here = await open(place)
    await withNotes(here)
    return [here, await open(place)]
  }

  async function oneHandle(): Promise<Store> {
    const store = await open(await aPlace())
    await withNotes(store)
    return store
  }

  test.each([
    ['nothing at all', ''],
    ['quotes of every kind', `'single' "double" \`back\` ''twice''`],
    ['what would be SQL if it were not bound', `'); drop table notes; --`],
    ['placeholders', '? $1 :name @name %s {}'],
    ['backslashes and wildcards', String.raw`\ \n \0 % _ C:\new`],
    ['line breaks and tabs', 'one\ntwo\r\nthree\tfour'],
    ['scripts and directions', 'Zoë 東京 Ελλάδα שלום مرحبا'],
    ['letters beyond the first plane', '😀 𝒳 👩‍👩‍👧'],
    ['a letter and its mark apart', 'e\u0301 and \u00e9 are two texts'],
    ['control characters', '\u0001\u001b\u007f\ufeff\ufffd'],
    ['a megabyte', 'ab 😀'.repeat(200_000)],
  ])('keeps %s as it is', async (_, body) => {
    const store = await oneHandle()
    await write(store, { name: body.slice(0, 100), body })

    expect(await read(store, body.slice(0, 100))).toMatchObject({ body })
  })

  test('never cuts a text at a NUL: keeps it whole in a file, refuses it on Postgres', async () => {
    const store = await oneHandle()
    const writing = write(store, { name: 'nul', body: 'before\0after' })

    if (store.form === 'postgres') return await expect(writing).rejects.toThrow('0x00')
    await writing
    expect(await read(store, 'nul')).toMatchObject({ body: 'before\0after' })
  })

  test('tells no text from an empty one, and keeps whole numbers whole', async () => {
    const store = await oneHandle()
    await write(store, { name: 'none', body: null, count: -2_147_483_648 })
    await write(store, { name: 'empty', body: '', count: 2_147_483_647 })

    expect(await read(store, 'none')).toEqual({ name: 'none', body: null, count: -2_147_483_648 })
    expect(await read(store, 'empty')).toEqual({ name: 'empty', body: '', count: 2_147_483_647 })
  })

  test('rows come back as modules see them', async () => {
    const store = await oneHandle()
    await store
      .tables<unknown>()
      .schema.createTable('things')
      .addColumn('owner_name', 'text')
      .addColumn('is_open', 'integer')
      .addColumn('created_at', 'text')
      .addColumn('muted_until', 'text')
      .addColumn('began', 'text')
      .addColumn('details', 'text')
      .addColumn('bytes_read', 'bigint')
      .execute()
    const openThings = openTables<{ things: RowsOf<Thing> }>({ json: ['details'], instants: ['began'] })
    const full: Thing = {
      ownerName: '2026-01-01T00:00:00.000Z',
      isOpen: true,
      createdAt: new Date('2026-01-01T00:00:00.001Z'),
      mutedUntil: new Date('2027-01-01T00:00:00Z'),
      began: new Date('2025-01-01T00:00:00Z'),
      details: { notesOf: [{ some_name: null, isOpen: 1 }] },
      bytesRead: Number.MAX_SAFE_INTEGER,
    }
    const columns = [
      'ownerName',
      'isOpen',
      'createdAt',
      'mutedUntil',
      'began',
      'details',
      'bytesRead',
    ] as const
    const bare: Thing = { ownerName: 'Ben', isOpen: false, createdAt: new Date(0), bytesRead: 0, details: [] }
    for (const thing of [full, bare])
      await openThings(store).insertInto('things').values(rowOf(columns, thing)).execute()
    const things = openThings(store).selectFrom('things').selectAll()
    expect(await things.where('isOpen', '=', true).execute()).toEqual([full])
    expect(await things.where('createdAt', '<', full.createdAt).execute()).toEqual([
      { ...bare, mutedUntil: undefined, began: undefined },
    ])
    expect(await things.where('details', '=', full.details).execute()).toEqual([full])
    const muted = await openThings(store).selectFrom('things').select('mutedUntil as until').execute()
    expect(muted).toEqual([{ until: full.mutedUntil }, { until: undefined }])

    await openThings(store)
      .updateTable('things')
      .set(rowOf(columns, bare))
      .where('isOpen', '=', true)
      .execute()
    expect(await things.where('mutedUntil', 'is', null).execute()).toHaveLength(2)
  })

  test('puts instants into their order as texts', async () => {
    const store = await oneHandle()
    const instants = ['2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z']
    for (const name of instants.toReversed()) await write(store, { name })
    const later = await notesIn(store)
      .selectFrom('notes')
      .select('name')
      .where('name', '>', '2025-12-31T23:59:59.999Z')
      .orderBy('name')
      .execute()

    expect(later.map(({ name }) => name)).toEqual(instants.slice(1))
  })

  test('answers with what a transaction answers, and shows others all of it at once', async () => {
    const [here, there] = await twoHandles()
    const seenInside: unknown[] = []
    const outcome = await here.transaction(async (transaction) => {
      await write(transaction, { name: 'first' })
      await write(transaction, { name: 'second' })
      seenInside.push(await names(transaction))
      return 'both'
    })

    expect(outcome).toBe('both')
    expect(seenInside).toEqual([['first', 'second']])
    expect(await names(there)).toEqual(['first', 'second'])
  })

  test('keeps nothing of a transaction that throws, and throws what was thrown', async () => {
    const [here, there] = await twoHandles()
    const problem = new Error('in the middle')
    const failing = here.transaction(async (transaction) => {
      await write(transaction, { name: 'half' })
      throw problem
    })

    await expect(failing).rejects.toBe(problem)
    expect(await names(here)).toEqual([])
    expect(await names(there)).toEqual([])
  })

  test('keeps nothing of a transaction whose last statement fails', async () => {
    const store = await oneHandle()
    await write(store, { name: 'taken' })
    const failing = store.transaction(async (transaction) => {
      await write(transaction, { name: 'new' })
      await write(transaction, { name: 'taken' })
    })

    await expect(failing).rejects.toSatisfy(isUniqueViolation)
    expect(await names(store)).toEqual(['taken'])
  })

  test('goes on after a transaction that failed', async () => {
    const store = await oneHandle()
    await store.transaction(() => Promise.reject(new Error('once'))).catch(() => {})
    await store.transaction((transaction) => write(transaction, { name: 'after' }))

    expect(await names(store)).toEqual(['after'])
  })

  test('loses no increment of two handles that write at the same time', async () => {
    const [here, there] = await twoHandles()
    await write(here, { name: 'counter', count: 0 })
    const hundred = (store: Store) => Array.from({ length: 100 }, () => store.transaction(addOne))
    await Promise.all([...hundred(here), ...hundred(there)])

    expect(await read(there, 'counter')).toMatchObject({ count: 200 })
  })

  test('tells its own listeners of a change before the change is answered', async () => {
    const store = await oneHandle()
    const messages = listening(store)
    await store.transaction((transaction) => transaction.announce('flags'))

    expect(messages).toEqual(['flags'])
  })

  test('tells another handle of a change within a second', async () => {
    const [here, there] = await twoHandles()
    const messages = listening(there)
    await here.transaction((transaction) => transaction.announce('flags'))

    await vi.waitFor(() => expect(messages).toEqual(['flags']), often)
  })

  test('tells of every topic that changed, and of nothing that stood before', async () => {
    const place = await aPlace()
    const here = await open(place)
    await here.transaction((transaction) => transaction.announce('before'))
    const messages = listening(await open(place))
    await here.transaction(async (transaction) => {
      await transaction.announce('projects')
      await transaction.announce('keys')
    })

    await vi.waitFor(() => expect(messages.toSorted()).toEqual(['keys', 'projects']), often)
  })

  test('tells of a change made between opening and listening', async () => {
    const [here, there] = await twoHandles()
    await here.transaction((transaction) => transaction.announce('flags'))
    const messages = listening(there)

    await vi.waitFor(() => expect(messages).toEqual(['flags']), often)
  })

  test('announces nothing of what was rolled back', async () => {
    const [here, there] = await twoHandles()
    const announcements = [listening(here), listening(there)]
    const failing = here.transaction(async (transaction) => {
      await transaction.announce('never')
      throw new Error('not this')
    })
    await failing.catch(() => {})
    await here.transaction((transaction) => transaction.announce('after'))

    await vi.waitFor(() => expect(announcements).toEqual([['after'], ['after']]), often)
  })

  test('may tell many changes of a topic as one, but never leaves out the last', async () => {
    const [here, there] = await twoHandles()
    await write(here, { name: 'counter', count: 0 })
    let seen = 0
    there.onChange(() => void read(there, 'counter').then((row) => (seen = row?.count ?? -1)))
    for (let change = 0; change < 50; change++) {
      await here.transaction(async (transaction) => {
        await addOne(transaction)
        await transaction.announce('flags')
      })
    }

    await vi.waitFor(() => expect(seen).toBe(50), often)
    const rows = await notesIn(here).selectFrom('changes').selectAll().execute()
    expect(rows.filter(({ topic }) => topic === 'flags')).toEqual([{ topic: 'flags', version: 50 }])
  })

  test('stops telling a listener that has had enough', async () => {
    const store = await oneHandle()
    const messages: string[] = []
    const stop = store.onChange((topic) => messages.push(topic))
    await store.transaction((transaction) => transaction.announce('first'))
    stop()
    await store.transaction((transaction) => transaction.announce('second'))

    expect(messages).toEqual(['first'])
  })

  test('knows a name that is taken from every other trouble', async () => {
    const store = await oneHandle()
    await write(store, { name: 'ana' })
    await notesIn(store).schema.createIndex('bodies').on('notes').column('body').unique().execute()
    await write(store, { name: 'with-body', body: 'the same' })

    expect(isUniqueViolation(await troubleOf(write(store, { name: 'ana' })))).toBe(true)
    expect(isUniqueViolation(await troubleOf(write(store, { name: 'other', body: 'the same' })))).toBe(true)
    const uncounted = notesIn(store)
      .updateTable('notes')
      .set({ count: sql`null` })
      .execute()
    expect(isUniqueViolation(await troubleOf(uncounted))).toBe(false)
    expect(isUniqueViolation(new Error('23505'))).toBe(false)
    expect(isUniqueViolation('23505')).toBe(false)
  })

  test('answers a ping while it is open, and not after', async () => {
    const store = await openStore(await aPlace())
    await store.ping()
    await store.close()

    await expect(store.ping()).rejects.toThrow(/./)
  })

  test('is there again after closing', async () => {
    const place = await aPlace()
    const before = await openStore(place)
    await withNotes(before)
    await write(before, { name: 'kept' })
    await before.close()

    expect(await names(await open(place))).toEqual(['kept'])
  })

  test('may be opened twice at once while it is still empty', async () => {
    const place = await aPlace()
    const [here, there] = await Promise.all([open(place), open(place)])

    await Promise.all([here.ping(), there.ping()])
    expect(await stepsDone(here)).toEqual(storeMigrations.map(({ name }) => name))
  })

  test('runs every step once, in order, however often it is opened', async () => {
    const place = await aPlace()
    const ran: string[] = []
    const steps = [...storeMigrations, step('9001-first', ran), step('9002-second', ran)]
    await open(place)
    for (let time = 0; time < 3; time++) await open(place, steps)

    expect(ran).toEqual(['9001-first', '9002-second'])
    expect(await stepsDone(await open(place, steps))).toEqual(steps.map(({ name }) => name))
  })

  test('tells each step which form it runs on', async () => {
    const forms: unknown[] = []
    const asking: StoreMigration = { name: '9001-asking', up: async (_, form) => void forms.push(form) }
    const store = await open(await aPlace(), [...storeMigrations, asking])

    expect(forms).toEqual([store.form])
  })

  test('goes on after a step that failed, as if that had never run', async () => {
    const place = await aPlace()
    await write(await withNotes(await open(place)), { name: 'kept' })
    const ran: string[] = []
    const withSecond = (second: StoreMigration) => [...storeMigrations, step('9001-first', ran), second]
    const failing: StoreMigration = {
      name: '9002-second',
      async up(tables) {
        await createTable(tables, 'half_made')
        throw new Error('the disk is full')
      },
    }

    await expect(openStore(place, withSecond(failing))).rejects.toThrow('the disk is full')
    const meanwhile = await open(place)
    expect(await tableNames(meanwhile)).not.toContain('half_made')
    expect(await names(meanwhile)).toEqual(['kept'])

    const repaired = await open(place, withSecond(step('9002-second', ran)))
    expect(await stepsDone(repaired)).toEqual([storeMigrations, '9001-first', '9002-second'].flatMap(nameOf))
    expect(await names(repaired)).toEqual(['kept'])
  })

  test('refuses what a newer version wrote, says what to do, and changes nothing', async () => {
    const place = await aPlace()
    const newerSteps = [...storeMigrations, step('9001-later', [])]
    const newer = await open(place, newerSteps)
    await write(await withNotes(newer), { name: 'kept' })
    const before = await everything(newer)

    const opening = openStore(place)
    await expect(opening).rejects.toThrow(StoreRefusedError)
    await expect(opening).rejects.toThrow(
      'This data was written by a newer Tilth (it has step "9001-later"). Start that version or a later one, or ' +
        'restore the backup made before the upgrade. Nothing was changed.',
    )
    expect(await everything(newer)).toEqual(before)
  })
}

const notesIn = (source: TableSource) => source.tables<Tables>()

async function createTable(tables: Kysely<unknown>, name: string): Promise<void> {
  await tables.schema
    .createTable(name)
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('body', 'text')
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute()
}

async function withNotes(store: Store): Promise<Store> {
  await createTable(store.tables(), 'notes')
  return store
}

type Note = Tables['notes']

async function write(source: TableSource, note: Partial<Note> & { name: string }): Promise<void> {
  const { body = null, count = 0 } = note
  await notesIn(source).insertInto('notes').values({ name: note.name, body, count }).execute()
}

const read = (source: TableSource, name: string): Promise<Note | undefined> =>
  notesIn(source).selectFrom('notes').selectAll().where('name', '=', name).executeTakeFirst()

async function names(source: TableSource): Promise<string[]> {
  const rows = await notesIn(source).selectFrom('notes').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Reads, then writes: only right when no other writer writes in between. */
async function addOne(source: TableSource): Promise<void> {
  const counter = await read(source, 'counter')
  if (!counter) throw new Error('There is no counter.')
  await notesIn(source)
    .updateTable('notes')
    .set({ count: counter.count + 1 })
    .where('name', '=', 'counter')
    .execute()
}

const troubleOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (problem: unknown) => problem,
  )

/** Every topic as it is heard. */
function listening(store: Store): string[] {
  const messages: string[] = []
  store.onChange((topic) => messages.push(topic))
  return messages
}

const step = (name: string, ran: string[]): StoreMigration => ({
  name,
  async up(tables) {
    await createTable(tables, `made_by_${name.replace('-', '_')}`)
    ran.push(name)
  },
})

const nameOf = (steps: string | readonly StoreMigration[]): string | string[] =>
  typeof steps === 'string' ? steps : steps.map(({ name }) => name)

async function stepsDone(store: Store): Promise<string[]> {
  const known = store.tables<{ migrations: { name: string } }>()
  const rows = await known.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

async function tableNames(store: Store): Promise<string[]> {
  const tables = await store.tables().introspection.getTables({ withInternalKyselyTables: true })
  return tables.map(({ name }) => name).toSorted()
}

/** Every row of every table. */
async function everything(store: Store): Promise<Map<string, unknown[]>> {
  const all = new Map<string, unknown[]>()
  for (const name of await tableNames(store)) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(store.tables())
    all.set(name, rows)
  }
  return all
}
