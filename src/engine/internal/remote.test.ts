import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aManagedServer } from '#test/outside/managed-server'
import { patienceMs } from '#test/running/patience'
import { openEngine } from '../open'
import { engineUrl } from '../address'
import type { Engine } from '../engine'
import type { RemoteSettings } from './remote'
import { sql, uint } from '../sql'
import { rightsAskedFor, temporaryEngine, temporaryServer, type TemporaryServer } from './temporary'

const log = { info: () => {}, warn: () => {}, error: () => {} }
let server: TemporaryServer
let engine: Engine | undefined

beforeAll(async () => {
  server = await temporaryServer()
})
afterEach(() => engine?.close())
afterAll(() => server.remove())

function open(url: string, changes: Partial<RemoteSettings> = {}): Engine {
  engine = openEngine({ form: 'remote', url, log, probeEveryMs: 50, ...changes })
  return engine
}

const becomes = (remote: Engine, status: string) =>
  vi.waitFor(() => expect(remote.health().status).toBe(status), { timeout: patienceMs, interval: 5 })

test('a wrong password is said in words that name the user and the setting, and never the password', async () => {
  const remote = open(server.url.replace(/:[^:@]*@/, ':wr0ng@'))
  await becomes(remote, 'unreachable')
  expect(remote.health().trouble).toMatch(
    /refuses the user "tilth_owner" with this password. Check both in TILTH_ENGINE.$/,
  )
  expect(remote.health().trouble).not.toContain('wr0ng')
  await expect(remote.query(sql`select 1`)).rejects.toMatchObject({
    failure: 'unavailable',
    message: expect.stringContaining('Check both in TILTH_ENGINE'),
  })
  expect(remote.address()).toBeUndefined()
})

test('a server that is not there yet is waited for, and used once it is', async () => {
  await server.kill()
  const remote = open(server.url)
  await becomes(remote, 'unreachable')
  expect(remote.health().trouble).toMatch(
    /^Nothing answers as ClickHouse at http:\/\/127.0.0.1:\d+. Check TILTH_ENGINE/,
  )
  await expect(remote.insert('events', '{}')).rejects.toMatchObject({ failure: 'unavailable' })

  await server.start()
  await remote.ready()
  expect(remote.health()).toMatchObject({ status: 'ready', trouble: undefined, restarts: 0 })
  expect(await remote.query(sql`select count() as events from events`)).toEqual([{ events: 0 }])
})

/** Statements that reach a server through a proxy, with the moment of each. */
async function throughProxy() {
  const asked: { statement: string; at: number }[] = []
  const proxy = await aManagedServer(server.url, {
    onStatement: (statement) => asked.push({ statement, at: performance.now() }),
  })
  return { url: proxy.url, asked }
}

test('a server at rest is asked whether it is there ever more seldom, and at first after thirty intervals', async () => {
  const probeEveryMs = 10
  const { url, asked } = await throughProxy()
  const remote = open(url, { probeEveryMs })
  await remote.ready()
  const gaps = () => {
    const moments = asked.flatMap(({ statement, at }) => (statement.startsWith('select 1') ? [at] : []))
    return moments.slice(1).map((at, n) => (at - (moments[n] ?? 0)) / probeEveryMs)
  }
  // a slow answer at the start may be asked after
  const isAtLeast = (least: number): unknown => expect.toSatisfy((gap: number) => gap >= least)
  await vi.waitFor(() => expect(gaps().slice(-3)).toEqual([30, 60, 120].map(isAtLeast)), {
    timeout: patienceMs,
  })
  expect(remote.health().status).toBe('ready')
})

test('a guest asks nothing at rest, and notices with its next query that the server is gone', async () => {
  const [own, ofGuest] = [await throughProxy(), await throughProxy()]
  const owner = open(own.url, { probeEveryMs: 5 })
  await owner.ready()
  const guest = open(ofGuest.url, { guest: true, probeEveryMs: 5 })
  onTestFinished(() => owner.close())
  await guest.ready()
  const before = ofGuest.asked.length
  const ownBefore = own.asked.length
  await vi.waitFor(() => expect(own.asked.length).toBeGreaterThan(ownBefore + 1), { timeout: patienceMs })
  expect(ofGuest.asked.length).toBe(before)

  await server.kill()
  onTestFinished(() => server.start())
  await expect(guest.query(sql`select 1`)).rejects.toMatchObject({ failure: 'unavailable' })
  await becomes(guest, 'unreachable')
})

test('a database that the account may not make is named with the grant for it', async () => {
  const remote = open(server.url.replace(/\/tilth$/, '/elsewhere'))
  await becomes(remote, 'unreachable')
  expect(remote.health().trouble).toContain('grant create database on `elsewhere`.* to `tilth_owner`;')
})

test('an account with too few rights is told all that it lacks, and used once it has them', async () => {
  const rights = rightsAskedFor()
  const few = rights.filter((right) => !/processes|kill query|merge_tree/.test(right))
  const poor = await temporaryServer(undefined, {
    rights: few.map((right) => right.replace('truncate, ', '')),
  })
  onTestFinished(() => poor.remove())
  const remote = open(poor.url)
  await becomes(remote, 'unreachable')
  expect(remote.health().trouble).toMatch(
    /is no use yet: The account "tilth_owner" has too few rights. Run as an administrator of the server: grant select, [^;]*truncate[^;]* on `tilth`\.\* to `tilth_owner`; grant select on system\.`merge_tree_settings` to [^;]*; grant select on system\.`processes` to [^;]*; grant kill query on \*\.\* to [^;]*;$/,
  )
  await poor.grant(rights)
  await remote.ready()
  expect(await remote.query(sql`select count() as events from events`)).toEqual([{ events: 0 }])
})

test('an account with the rights that are asked for may look for damaged parts', async () => {
  const remote = open(server.url)
  await remote.ready()
  expect(await remote.query(sql`check table events`, { lane: 'ingest' })).toEqual([])
})

test('a move inserts rows once more that were deleted, which a server that knows them would ignore', async () => {
  const remote = open(server.url, { isBeingRestored: true })
  await becomes(remote, 'ready')
  await remote.command(
    sql`create table repeated (n UInt8) engine = MergeTree order by n settings non_replicated_deduplication_window = 100`,
  )
  const rows = await remote.queryNative(sql`select number as n from numbers(3)`)
  await remote.insertNative('repeated', rows)
  await remote.command(sql`alter table repeated delete where true settings mutations_sync = 2`)
  await remote.insertNative('repeated', rows)
  expect(await remote.query(sql`select count() as rows from repeated`)).toEqual([{ rows: 3 }])
  await remote.command(sql`drop table repeated`)
})

test('the docs name every right that the account needs', () => {
  const docs = readFileSync('docs/operations.md', 'utf8')
  const missing = rightsAskedFor().filter((right) => !docs.includes(`\n${right.replaceAll('`', '')}`))
  expect(missing).toEqual([])
})

test('tables of a newer Tilth are refused for good', async () => {
  const older = open(server.url)
  await older.ready()
  await older.command(sql`insert into tilth_migrations (number, name) select ${uint(99)}, 'from the future'`)
  await older.close()

  const remote = open(server.url)
  await expect(remote.ready()).rejects.toThrow('made by a newer Tilth (step 99')
  expect(remote.health()).toMatchObject({
    status: 'stopped',
    trouble: expect.stringContaining('restore a backup'),
  })
})

test('closing before it was ever ready rejects those who wait for that', async () => {
  const remote = open('http://nobody:nothing@127.0.0.1:9/tilth')
  const waiting = expect(remote.ready()).rejects.toMatchObject({ failure: 'unavailable' })
  await remote.close()
  await waiting
})

test('a server that takes connections and keeps silent does not hold up the end', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // it listens on a port, so its address is not a text
  let isConnected = false
  silent.once('connection', () => (isConnected = true))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const remote = open(`http://ana:secret@127.0.0.1:${port}/tilth`)
  await vi.waitUntil(() => isConnected, { timeout: patienceMs })

  // from here on no time passes in which a request would be given up
  await remote.close()
  expect(remote.health().status).toBe('stopped')
})

test('a guest asks an embedded engine at the address it tells, and can change nothing', async () => {
  const host = await temporaryEngine()
  await host.engine.ready()
  const address = host.engine.address()
  if (!address) throw new Error('A ready engine has an address.')
  const guest = open(engineUrl(address), { guest: true })
  await guest.ready()

  expect(await guest.query(sql`select count() as events from events`)).toEqual([{ events: 0 }])
  expect(guest.health().version).toBe(host.engine.health().version)
  const attempts = [guest.command(sql`drop table events`), guest.insert('events', '{"project_id":1}')]
  for (const outcome of await Promise.allSettled(attempts)) {
    expect(outcome).toMatchObject({
      reason: { failure: 'rejected', message: expect.stringContaining('privileges') },
    })
  }
  const impatient = new AbortController()
  const endless = sql`select count() from numbers(1000000000000) where cityHash64(number) = 1`
  const request = expect(guest.query(endless, { signal: impatient.signal })).rejects.toMatchObject({
    failure: 'cancelled',
  })
  const running = () =>
    host.engine.query(
      sql`select 1 from system.processes where query like '%cityHash64(number) = 1%' and query not like '%processes%'`,
      { lane: 'ingest' },
    )
  await vi.waitFor(async () => expect(await running()).toHaveLength(1), { timeout: patienceMs })
  impatient.abort()
  await request
  await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: patienceMs })
  await guest.close()
  await host.remove()
})
