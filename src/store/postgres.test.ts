import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { startBuiltInPostgres, type PostgresServer } from '#test/outside/postgres'
import { patienceMs } from '#test/running/patience'
import { type StoreMigration, storeMigrations } from '#migrations/store/all'
import { openStore } from './open'
import { copyTablesAside } from './internal/postgres-copies'
import { storeTroubleOf } from './postgres'
import {
  type Store,
  StoreUnreachableError,
  StoreRefusedError,
  type TableSource,
  type WriteScope,
} from './store'

let postgres: PostgresServer
beforeAll(async () => void (postgres = await startBuiltInPostgres()), 60_000)
afterAll(() => postgres.stop())

test.each<[string, () => Promise<string>, string, typeof StoreRefusedError]>([
  [
    'a port where nothing listens',
    () => aClosedPort('127.0.0.1'),
    'nothing answers there',
    StoreUnreachableError,
  ],
  [
    'a name that stands for several addresses',
    () => aClosedPort('localhost'),
    'nothing answers there',
    StoreUnreachableError,
  ],
  ['a wrong password', () => aServerSaying('28P01'), 'the password is wrong', StoreRefusedError],
  ['a user without leave', () => aServerSaying('28000'), 'this user may not connect', StoreRefusedError],
  [
    'a database that is not there',
    () => aServerSaying('3D000'),
    'there is no such database',
    StoreRefusedError,
  ],
  [
    'a server with no place left',
    () => aServerSaying('53300'),
    'it has no connection left',
    StoreUnreachableError,
  ],
  [
    'a server that is starting',
    () => aServerSaying('57P03'),
    'it is starting or stopping',
    StoreUnreachableError,
  ],
  ['a server that hangs up', () => aServer((socket) => socket.end()), 'it hangs up', StoreUnreachableError],
  ['a server that says nothing', () => aServer(() => {}), 'it does not answer', StoreUnreachableError],
])('%s is refused in words', async (_, address, why, trouble) => {
  const opening = openStore({ folder: aFolder(), url: await address() })

  await expect(opening).rejects.toSatisfy((problem: Error) => problem.constructor === trouble)
  await expect(opening).rejects.toThrow(
    `The Postgres server named by TILTH_STORE cannot be used: ${why}. Correct TILTH_STORE or start the server.`,
  )
})

test.each([
  // the message of Postgres or its client   its meaning
  [{ code: '53100' }, 'full'],
  [{ code: '53200' }, 'away'],
  [{ code: '53300' }, 'away'],
  [{ code: '57P01' }, 'away'],
  [{ code: '08006' }, 'away'],
  [{ code: '25006' }, 'away'],
  [{ code: 'ECONNREFUSED' }, 'away'],
  [{ code: 'ECONNRESET' }, 'away'],
  [{ message: 'timeout exceeded when trying to connect' }, 'away'],
  [{ message: 'Connection terminated unexpectedly' }, 'away'],
  [{ code: '55P03' }, 'busy'],
  [{ code: '40P01' }, 'busy'],
  [{ code: '58030' }, 'broken'],
  [{ code: '23505' }, undefined],
  [{ code: '42P01' }, undefined],
])('%j while it is in use means: %s', (failure, trouble) => {
  expect(storeTroubleOf(Object.assign(new Error('message' in failure ? failure.message : ''), failure))).toBe(
    trouble,
  )
})

test('an unavailable server is distinguished from a mistake', async () => {
  const road = await aRoadTo(await postgres.emptyDatabase())
  const store = await open(road.url)
  road.block()

  await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailableError', trouble: 'away' })
  road.unblock()
  await vi.waitFor(() => store.ping(), { timeout: patienceMs, interval: 20 })
})

const later: StoreMigration = {
  name: '9001-later',
  up: ({ schema }) => schema.alterTable('changes').addColumn('later', 'text').execute(),
}

test('before existing tables are changed they are copied, and the copy can take their place', async () => {
  const url = await postgres.emptyDatabase()
  const before = await openStore({ folder: aFolder(), url })
  await before.transaction((transaction) => transaction.announce('kept'))
  await before.close()
  const after = await open(url, [...storeMigrations, later])
  await sql`insert into changes (topic, version) values ('after the upgrade', 1)`.execute(after.tables())

  const schemas = sql<{ name: string }>`
    select nspname as name from pg_namespace where starts_with(nspname, 'tilth_before_')`
  const [copy] = (await schemas.execute(after.tables())).rows
  await sql`alter schema public rename to broken`.execute(after.tables())
  await sql`alter schema ${sql.id(copy?.name ?? '')} rename to public`.execute(after.tables())
  onTestFinished(async () => {
    await sql`drop schema broken cascade`.execute(after.tables())
  })
  const again = await open(url)
  const { rows } = await sql`select * from changes`.execute(again.tables())
  expect(rows).toEqual([{ topic: 'kept', version: expect.anything() }])
  const foreignKeys = async (schema: string) => {
    const found = await sql`
      select conname from pg_constraint where contype = 'f' and connamespace = ${schema}::regnamespace`.execute(
      again.tables(),
    )
    return found.rows.length
  }
  expect(await foreignKeys('public')).toBe(await foreignKeys('broken'))
  expect(await foreignKeys('public')).toBeGreaterThan(0)
})

test('copies from before upgrades are dropped, all or those from before an instant', async () => {
  const url = await postgres.emptyDatabase()
  await (await openStore({ folder: aFolder(), url })).close()
  const store = await open(url, [...storeMigrations, later])
  const copies = async () => {
    const found = await sql`select 1 from pg_namespace where starts_with(nspname, 'tilth_before_')`.execute(
      store.tables(),
    )
    return found.rows.length
  }
  await store.dropCopies({ madeBefore: new Date('2020-01-01') })
  expect(await copies()).toBe(1)
  await store.dropCopies({})
  expect(await copies()).toBe(0)
})

test('without the right to copy them, tables are not changed, and a message names the right', async () => {
  const store = await open(await postgres.emptyDatabase())
  await sql`create role weak`.execute(store.tables())
  const copying = store.transaction(async (transaction) => {
    await sql`set local role weak`.execute(transaction.tables())
    await copyTablesAside(transaction.tables(), new Date())
  })
  await expect(copying).rejects.toThrow(/may not copy them .* grant create on database/)
  await expect(copying).rejects.toThrow(StoreRefusedError)
})

test('an unknown host name is refused with a message, whether or not names can be looked up here', async () => {
  const opening = openStore({ folder: aFolder(), url: 'postgres://tilth:hush@nowhere.invalid/tilth' })

  await expect(opening).rejects.toThrow(
    /cannot be used: (there is no such host|its host name cannot be looked up|it does not answer)\./,
  )
})

test('a connection that breaks while idle is replaced', async () => {
  const road = await aRoadTo(await postgres.emptyDatabase())
  const store = await open(road.url)
  await store.ping()
  road.cut()

  await vi.waitFor(() => store.ping(), { timeout: patienceMs, interval: 20 })
})

test('word of a change made while the road was cut comes late, but it comes', async () => {
  const url = await postgres.emptyDatabase()
  const road = await aRoadTo(url)
  const [here, there] = [await open(url), await open(road.url)]
  const messages: string[] = []
  there.onChange((topic) => messages.push(topic))
  road.block()
  await here.transaction((transaction) => transaction.announce('flags'))
  await expect(there.ping()).rejects.toThrow(/./)
  expect(messages).toEqual([])
  road.unblock()

  await vi.waitFor(() => expect(messages).toEqual(['flags']), { timeout: patienceMs, interval: 20 })
})

test('a transaction holds the writers’ lock from its first statement to its end', async () => {
  const store = await open(await postgres.emptyDatabase())
  const held: unknown[] = []
  await store.transaction(async (transaction) => void held.push(await writersLocks(transaction)))
  held.push(await writersLocks(store))
  await store
    .transaction(async (transaction) => {
      held.push(await writersLocks(transaction))
      throw new Error('rolled back')
    })
    .catch(() => {})
  held.push(await writersLocks(store))

  expect(held).toEqual([1, 0, 1, 0])
})

test.each<[WriteScope, string[]]>([
  // what is written                  the locks that are held
  ['definitions', ['7114 alone']],
  ['every person', ['7114 alone', '7118 alone']],
  [{ persons: [] }, ['7118 shared']],
  [{ persons: ['1 ana', '1 ana', '1 ben'] }, ['7118 shared', '7120 alone', '7120 alone']],
  [{ visitors: ['1 ana', '1 ben'] }, ['7121 alone', '7121 alone']],
  ['all event counts', ['7114 alone', '7119 alone']],
  ['an event count', ['7119 shared']],
  ['unlocked', []],
])(
  'a transaction that writes %j holds no other locks than its own, and loses them where its process hangs',
  async (scope, locks) => {
    const store = await open(await postgres.emptyDatabase())
    const held = await store.transaction(async (transaction) => {
      const found = await sql<{ name: string }>`
      select case when objsubid = 2 then classid else objid end || case mode when 'ShareLock' then ' shared' else ' alone' end as name
      from pg_locks
      where locktype = 'advisory' and granted
      order by name`.execute(transaction.tables())
      const limit = await sql<{ limit: string }>`
      select current_setting('idle_in_transaction_session_timeout') as limit`.execute(transaction.tables())
      return { locks: found.rows.map(({ name }) => name), limit: limit.rows[0]?.limit }
    }, scope)

    expect(held).toEqual({ locks, limit: '1min' })
  },
)

describe('where the server freezes', () => {
  async function aStoreOnRoad() {
    const url = new URL(await postgres.emptyDatabase())
    url.searchParams.set('connect_timeout', '1')
    const road = await aRoadTo(url.href)
    const store = await open(road.url)
    // a store whose server is frozen cannot be closed
    onTestFinished(() => road.thaw())
    return { road, store }
  }

  test('a statement and a transaction end, as the store being away, and the store works again afterwards', async () => {
    const { road, store } = await aStoreOnRoad()
    let goOn = () => {}
    const begun = new Promise<void>((resolve) => (goOn = resolve))
    const transaction = store.transaction(async (tables) => {
      await begun
      await tables.announce('flags')
    })
    const ended = expect(transaction).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      trouble: 'away',
    })
    road.freeze()
    goOn()
    await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailableError', trouble: 'away' })
    await ended
    road.thaw()

    await vi.waitFor(() => store.ping(), { timeout: patienceMs, interval: 20 })
    await store.transaction((tables) => tables.announce('flags'))
  })

  test('a statement that begins meanwhile does not wait for another connection', async () => {
    const { road, store } = await aStoreOnRoad()
    road.freeze()
    await expect(store.ping()).rejects.toMatchObject({ trouble: 'away' })
    let hasConnected = false
    const connecting = road.nextConnection().then(() => (hasConnected = true))
    await expect(store.ping()).rejects.toMatchObject({ trouble: 'away' })

    expect(hasConnected).toBe(false)
    // the attempt made the store look again
    await connecting
  })

  test('a slow statement is waited for as long as the server answers others', async () => {
    const { road, store } = await aStoreOnRoad()
    road.freeze({ alsoNew: false })
    const slow = store.ping()
    await road.nextConnection()
    await road.nextConnection()
    road.thaw()

    await slow
  })

  test('readers do not wait for writers, however many of them wait', async () => {
    const { road, store } = await aStoreOnRoad()
    road.freezeTransactions()
    const writers = Array.from({ length: 12 }, () =>
      store.transaction((tables) => tables.announce('flags')).catch(() => {}),
    )
    await new Promise((resolve) => setImmediate(resolve))
    await store.ping()
    road.thaw()
    await Promise.all(writers)
  })
})

async function writersLocks(source: TableSource): Promise<number> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and granted`.execute(
    source.tables(),
  )
  return rows.length
}

async function open(url: string, steps?: readonly StoreMigration[]): Promise<Store> {
  const store = await openStore({ folder: aFolder(), url }, steps)
  onTestFinished(() => store.close())
  return store
}

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a server that listens on a port, not on a pipe
}

async function aClosedPort(host: string): Promise<string> {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  return `postgres://tilth:hush@${host}:${port}/tilth`
}

async function aServer(greet: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => greet(socket)).on('error', () => {}))
  onTestFinished(() => void server.close())
  return `postgres://tilth:hush@127.0.0.1:${await listening(server)}/tilth`
}

/** Answers the greeting with this Postgres error and hangs up, as the real one does. */
function aServerSaying(code: string): Promise<string> {
  const fields = `SFATAL\0C${code}\0Mnot in these words\0\0`
  return aServer((socket) => socket.end(wireMessage('E', Buffer.from(fields))))
}

function wireMessage(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

interface Proxy {
  url: string
  /** Breaks every connection once. */
  cut(): void
  /** Breaks every connection, those to come as well. */
  block(): void
  unblock(): void
  /** Forwards nothing any more and closes nothing, as a server that is stopped; new connections may still work. */
  freeze(options?: { alsoNew: boolean }): void
  /** Freezes each connection that begins a transaction. */
  freezeTransactions(): void
  thaw(): void
  nextConnection(): Promise<unknown>
}

/** A way to the server that a test can break. */
async function aRoadTo(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url)
  const travellers = new Set<Socket>()
  const frozen = new Set<Socket>()
  let blocked = false
  let freezesNew = false
  let freezesTransactions = false
  const server = createServer((socket) => {
    if (blocked) return socket.destroy()
    const onwards = connect(Number(port), hostname)
    for (const end of [socket, onwards]) travellers.add(end.on('error', () => {}))
    const forward = (from: Socket, to: Socket) => {
      let held: Buffer[] = []
      from.on('data', (bytes: Buffer) => {
        if (freezesTransactions && bytes.includes('begin')) frozen.add(socket)
        if (frozen.has(from) || frozen.has(to)) held.push(bytes)
        else to.write(bytes)
      })
      thawing.push(() => {
        for (const bytes of held) to.write(bytes)
        held = []
      })
      from.on('close', () => to.destroy())
    }
    if (freezesNew) frozen.add(socket)
    forward(socket, onwards)
    forward(onwards, socket)
    return undefined
  })
  const thawing: (() => void)[] = []
  const isClient = (traveller: Socket) => traveller.localPort === Number(road.port)
  const road = new URL(url)
  road.port = String(await listening(server))
  onTestFinished(() => void server.close())
  const cut = () => travellers.forEach((traveller) => traveller.destroy())
  return {
    url: road.href,
    cut,
    block() {
      blocked = true
      cut()
    },
    unblock: () => (blocked = false),
    freeze({ alsoNew } = { alsoNew: true }) {
      freezesNew = alsoNew
      for (const traveller of travellers) if (isClient(traveller)) frozen.add(traveller)
    },
    freezeTransactions: () => (freezesTransactions = true),
    nextConnection: () => once(server, 'connection'),
    thaw() {
      freezesNew = false
      freezesTransactions = false
      frozen.clear()
      for (const forwardHeld of thawing) forwardHeld()
    },
  }
}

test('a front whose clock is set back during exclusive work learns that its time is over', async () => {
  const store = await openStore({ folder: aFolder(), url: await postgres.emptyDatabase() })
  onTestFinished(() => store.close())

  const isHeldLater = await store.exclusively('store events', async (isHeld) => {
    expect(isHeld()).toBe(true)
    const [clock, sinceStart] = [Date.now(), performance.now()]
    const setBack = vi.spyOn(Date, 'now').mockReturnValue(clock - 3 * 3_600_000)
    const setLater = vi.spyOn(performance, 'now').mockReturnValue(sinceStart + 31_000)
    const isStillHeld = isHeld()
    setBack.mockRestore()
    setLater.mockRestore()
    return isStillHeld
  })

  expect(isHeldLater).toBe(false)
})
