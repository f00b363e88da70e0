import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aFolder } from '#test/fixture'
import { startBuiltInPostgres, type PostgresServer } from '#test/postgres'
import { patienceMs } from '#test/patience'
import { openStore } from './open'
import { storeTroubleOf } from './postgres'
import { type Store, StoreUnreachable, StoreRefused } from './store'

let postgres: PostgresServer
beforeAll(async () => void (postgres = await startBuiltInPostgres()), 60_000)
afterAll(() => postgres.stop())

test.each<[string, () => Promise<string>, string, typeof StoreRefused]>([
  ['a port where nothing listens', () => aClosedPort('127.0.0.1'), 'nothing answers there', StoreUnreachable],
  [
    'a name that stands for several addresses',
    () => aClosedPort('localhost'),
    'nothing answers there',
    StoreUnreachable,
  ],
  ['a wrong password', () => aServerSaying('28P01'), 'the password is wrong', StoreRefused],
  ['a user without leave', () => aServerSaying('28000'), 'this user may not connect', StoreRefused],
  ['a database that is not there', () => aServerSaying('3D000'), 'there is no such database', StoreRefused],
  [
    'a server with no place left',
    () => aServerSaying('53300'),
    'it has no connection left',
    StoreUnreachable,
  ],
  ['a server that is starting', () => aServerSaying('57P03'), 'it is starting or stopping', StoreUnreachable],
  ['a server that hangs up', () => aServer((socket) => socket.end()), 'it hangs up', StoreUnreachable],
  ['a server that says nothing', () => aServer(() => {}), 'it does not answer', StoreUnreachable],
])('%s is refused in words', async (_, address, why, trouble) => {
  const opening = openStore({ folder: aFolder(), url: await address() })

  await expect(opening).rejects.toSatisfy((problem: Error) => problem.constructor === trouble)
  await expect(opening).rejects.toThrow(
    `The Postgres server named by TILTH_STORE cannot be used: ${why}. Correct TILTH_STORE or start the server.`,
  )
})

test.each([
  // what Postgres or its client said       what that means
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
])('%j while it is in use means: %s', (said, trouble) => {
  expect(storeTroubleOf(Object.assign(new Error('message' in said ? said.message : ''), said))).toBe(trouble)
})

test('an unavailable server is distinguished from a mistake', async () => {
  const road = await aRoadTo(await postgres.emptyDatabase())
  const store = await open(road.url)
  road.block()

  await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailable', trouble: 'away' })
  road.unblock()
  await vi.waitFor(() => store.ping(), { timeout: patienceMs, interval: 20 })
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
  const heard: string[] = []
  there.onChange((topic) => heard.push(topic))
  road.block()
  await here.transaction((transaction) => transaction.announce('flags'))
  await expect(there.ping()).rejects.toThrow(/./)
  expect(heard).toEqual([])
  road.unblock()

  await vi.waitFor(() => expect(heard).toEqual(['flags']), { timeout: patienceMs, interval: 20 })
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

async function writersLocks(source: Pick<Store, 'tables'>): Promise<number> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and granted`.execute(
    source.tables(),
  )
  return rows.length
}

async function open(url: string): Promise<Store> {
  const store = await openStore({ folder: aFolder(), url })
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

interface Road {
  url: string
  /** Breaks every connection once. */
  cut(): void
  /** Breaks every connection, those to come as well. */
  block(): void
  unblock(): void
}

/** A way to the server that a test can break. */
async function aRoadTo(url: string): Promise<Road> {
  const { hostname, port } = new URL(url)
  const travellers = new Set<Socket>()
  let blocked = false
  const server = createServer((socket) => {
    if (blocked) return socket.destroy()
    const onwards = connect(Number(port), hostname)
    for (const end of [socket, onwards]) travellers.add(end.on('error', () => {}))
    socket.pipe(onwards).pipe(socket)
    return undefined
  })
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
  }
}

test('a front whose clock is set back during exclusive work learns that its time is over', async () => {
  const store = await openStore({ folder: aFolder(), url: await postgres.emptyDatabase() })
  onTestFinished(() => store.close())

  const isHeldLater = await store.exclusively('store events', async (isHeld) => {
    expect(isHeld()).toBe(true)
    const [clock, sinceStart] = [Date.now(), performance.now()]
    const setBack = vi.spyOn(Date, 'now').mockReturnValue(clock - 3 * 3_600_000)
    const later = vi.spyOn(performance, 'now').mockReturnValue(sinceStart + 31_000)
    const isStillHeld = isHeld()
    setBack.mockRestore()
    later.mockRestore()
    return isStillHeld
  })

  expect(isHeldLater).toBe(false)
})
