import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { openEngine } from '#engine/open'
import { temporaryServer, type TemporaryServer } from '#engine/internal/temporary'
import { fillWith } from './many-events'
import { type Finding, perSecond, report } from './report'
import { forget, key, owned, pause, processorMs, type Running, startTilth, temporaryFolder } from './running'
import { batches, send } from './senders'

/*
 * Fronts on one Postgres and one engine server. `npm run bench -- scale 8 1000000` sends for 8 s to each number of fronts,
 * with up to a million events stored before; then again with a sign-up in each ten events, which changes persons.
 */
const [seconds = 8, most = 1_000_000] = process.argv.slice(2).map(Number)
const sampledEveryMs = 20
const log = { info: () => {}, warn: () => {}, error: () => {} }

/** The numbers of `src/store/internal/writer-locks.ts`, with what they lock. */
const lockNames: ReadonlyMap<number, string> = new Map([
  [7114, 'definitions'],
  [7115, 'store events'],
  [7117, 'mirror persons'],
  [7118, 'persons'],
  [7119, 'event counts'],
  [7120, 'some persons'],
  [7121, 'visitors'],
])

type LoadKind = 'plain' | 'signUps'

interface Site {
  server: TemporaryServer
  postgres: Client
  database: string
  fronts: readonly Running[]
}

const address = process.env['TILTH_TEST_POSTGRES']
if (!address) throw new Error('Name a Postgres server on this machine: TILTH_TEST_POSTGRES=postgres://…')
// a Tilth that is started refuses settings that it does not know
delete process.env['TILTH_TEST_POSTGRES']
const postgres = new Client(address)
await postgres.connect()
const findings: Finding[] = []
for (const [before, kind] of [
  [Math.round(most / 10), 'plain'],
  [most, 'plain'],
  [most, 'signUps'],
] as const)
  for (const fronts of [1, 2, 3]) findings.push(await measure(fronts, before, kind))
await postgres.end()
report('scale', 'Fronts on one Postgres and one engine server', findings, [
  `Batches of 50 over 8 connections to each front for ${seconds} s, and until all are stored. Beside: the processor time in ` +
    'which the engine makes an event of the same table itself, a million in one statement. A lock counts as held, and as ' +
    `waited for, in each of the looks, one every ${sampledEveryMs} ms, that found it so.`,
])

async function measure(amount: number, before: number, kind: LoadKind): Promise<Finding> {
  const server = await temporaryServer()
  const database = `tilth_bench_${process.pid}`
  await postgres.query(`create database ${database}`)
  const store = new URL(address ?? '')
  store.pathname = `/${database}`
  const folders = Array.from({ length: amount }, temporaryFolder)
  const fronts: Running[] = []
  for (const folder of folders) {
    // fronts of one store have one key
    if (fronts.length > 0) copyFileSync(join(folders[0] ?? '', 'flags.key'), join(folder, 'flags.key'))
    fronts.push(await startTilth(folder, { ...owned, TILTH_ENGINE: server.url, TILTH_STORE: store.href }))
  }
  const bare = await fill(server, before)
  await acceptEvents(store.href)
  const measured = await load({ server, postgres, database, fronts }, kind)
  await Promise.all(fronts.map((front) => front.stop()))
  for (const folder of folders) forget(folder)
  await postgres.query(`drop database ${database} with (force)`)
  await server.remove()
  const which = `${amount === 1 ? 'one front' : `${amount} fronts`}, ${before.toLocaleString('en')} events before${kind === 'signUps' ? ', each tenth a sign-up' : ''}`
  return { what: which, measured, beside: `${bare.toFixed(1)} µs` }
}

/** Returns the processor time of the engine for an event that it makes itself, in microseconds. */
async function fill(server: TemporaryServer, events: number): Promise<number> {
  const engine = openEngine({ form: 'remote', url: server.url, log })
  await engine.ready()
  const before = processorMs(server.pid())
  await fillWith(engine, events, new Date())
  const spentMs = processorMs(server.pid()) - before
  await engine.close()
  return (1000 * spentMs) / events
}

/** Otherwise the next comparison finds more events than fronts have stored, and they use no filter of uuids any more. */
async function acceptEvents(store: string): Promise<void> {
  const client = new Client(store)
  await client.connect()
  await client.query('update installation set events = -1')
  await client.end()
}

async function load(site: Site, kind: LoadKind): Promise<string> {
  const warmUp = site.fronts.map((front) => send(batches(front.address, key)[kind], { seconds: 2 }))
  await Promise.all(warmUp)
  await untilStored(site)
  const [before, storedBefore] = [spent(site), await storedBy(site)]
  const ending = new AbortController()
  const locks = sampleLocks(site, ending.signal)
  const began = performance.now()
  await Promise.all(site.fronts.map((front) => send(batches(front.address, key)[kind], { seconds })))
  await untilStored(site)
  const tookMs = performance.now() - began
  ending.abort()
  const events = (await storedBy(site)) - storedBefore
  const after = spent(site)
  const each = (part: keyof typeof after) =>
    `${((1000 * (after[part] - before[part])) / events).toFixed(0)} µs`
  return [
    `**${perSecond((1000 * events) / tookMs)}**`,
    `engine ${each('engine')}, front ${each('fronts')}, Postgres ${each('postgres')} an event`,
    await locks,
  ].join('; ')
}

function spent({ server, fronts, database }: Site): Record<'engine' | 'fronts' | 'postgres', number> {
  const sum = (pids: readonly number[]) => pids.reduce((all, pid) => all + processorMs(pid), 0)
  return {
    engine: processorMs(server.pid()),
    fronts: sum(fronts.map((front) => front.process.pid ?? 0)),
    postgres: sum(sessionsOf(database)),
  }
}

/** The processes of Postgres that serve this database. */
function sessionsOf(database: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(` ${database} `))
    .map(Number)
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // it has ended
    return ''
  }
}

/** Returns the share of looks at which each lock was held, and at which a transaction waited for it. */
async function sampleLocks({ postgres: client, database }: Site, signal: AbortSignal): Promise<string> {
  const seen = new Map<string, { held: number; waited: number }>()
  let looks = 0
  for (; !signal.aborted; looks++) {
    const { rows } = await client.query<{ number: number; is_held: boolean; is_waited: boolean }>(
      `select (case objsubid when 2 then classid else objid end)::int as number,
         bool_or(granted) as is_held, bool_or(not granted) as is_waited
       from pg_locks join pg_database on pg_database.oid = pg_locks.database
       where locktype = 'advisory' and datname = $1
       group by number`,
      [database],
    )
    for (const { number, is_held, is_waited } of rows) {
      const name = lockNames.get(number) ?? String(number)
      const counts = seen.get(name) ?? { held: 0, waited: 0 }
      seen.set(name, { held: counts.held + Number(is_held), waited: counts.waited + Number(is_waited) })
    }
    await pause(sampledEveryMs)
  }
  const percent = (amount: number) => `${Math.round((100 * amount) / looks)} %`
  const shares = [...seen].map(
    ([name, { held, waited }]) => `${name} ${percent(held)} (waited for ${percent(waited)})`,
  )
  return `held: ${shares.join(', ')}`
}

async function untilStored({ fronts }: Site): Promise<void> {
  for (const front of fronts) while ((await eventsOf(front, 'pending')) > 0) await pause(50)
}

async function storedBy({ fronts }: Site): Promise<number> {
  const amounts = await Promise.all(fronts.map((front) => eventsOf(front, 'stored')))
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

async function eventsOf({ address: front }: Running, state: 'pending' | 'stored'): Promise<number> {
  const text = await (await fetch(`${front}/_tilth/metrics`)).text()
  return Number(new RegExp(`^tilth_events\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}
