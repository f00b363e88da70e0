import { randomBytes } from 'node:crypto'
import { cloneSource, copyDifferences } from '#backups/engine-difference'
import { cloneTables, dropClones } from '#backups/internal/engine-clone'
import type { KnownSums } from '#backups/internal/part-sums'
import type { Engine, QueryLimits } from '#engine/engine'
import { temporaryServer, temporarySettings } from '#engine/internal/temporary'
import { openEngine } from '#engine/open'
import { type Sql, sql } from '#engine/sql'
import { fillWith } from './many-events'
import { type Finding, perSecond, report } from './report'

/*
 * The rows that a round of `tilth move` reads to compare two engines. `npm run bench -- move 3000000` moves so many events of
 * 90 days from a server into an embedded engine, and then what arrived meanwhile.
 */
const [events = 3_000_000] = process.argv.slice(2).map(Number)
const log = { info: () => {}, warn: () => {}, error: () => {} }

const server = await temporaryServer()
const source = openEngine({ form: 'remote', url: server.url, log })
const target = openEngine(await temporarySettings())
await Promise.all([source.ready(), target.ready()])
await fillWith(source, events, new Date())
await source.command(sql`optimize table events final`, { deadlineMs: 600_000 })

let sums: KnownSums['sums'] = new Map()
const findings: Finding[] = [await round('everything, the first time'), await round('nothing has changed')]
await source.command(sql`
  insert into events (project_id, uuid, event, timestamp, distinct_id)
  select 1, generateUUIDv4(), 'read', now64() - number / 10, 'late' from numbers(30000)`)
findings.push(await round('30,000 events of the last hour'))
sums = new Map()
findings.push(await round('nothing has changed, and no sum is known'))
await source.command(sql`delete from events where distinct_id = 'visitor 7'`)
findings.push(await round('a person is erased from every month'))
await source.close()
await target.close()
await server.remove()
report('move', 'Rounds of a move', findings, [
  `${events.toLocaleString('en')} events of 90 days. Rows that both engines read to compare, beside those that were copied.`,
])

async function round(what: string): Promise<Finding> {
  const id = randomBytes(9).toString('hex')
  await cloneTables(source, id)
  let read = 0
  const counting = (engine: Engine) => ({
    query: <Row>(statement: Sql, limits: QueryLimits = {}) =>
      engine.query<Row>(statement, { ...limits, onReadStats: ({ rows }) => (read += rows) }),
    command: engine.command.bind(engine),
    queryNative: engine.queryNative.bind(engine),
    insertNative: engine.insertNative.bind(engine),
  })
  const known: KnownSums = { sums: new Map(sums), save: async () => void (sums = known.sums) }
  const began = performance.now()
  const copied = await copyDifferences({
    from: cloneSource(counting(source), id),
    to: counting(target),
    known,
    progress: () => {},
  })
  const tookMs = performance.now() - began
  await dropClones(source, () => false)
  const measured = `**${read.toLocaleString('en')} rows** read, ${(tookMs / 1000).toFixed(1)} s`
  const speed = copied > 0 ? `, ${perSecond((1000 * copied) / tookMs)}` : ''
  return { what, measured, beside: `${copied.toLocaleString('en')} copied${speed}` }
}
