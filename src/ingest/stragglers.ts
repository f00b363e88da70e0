import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '../engine/engine'
import { sql } from '../engine/sql'

const lookEveryMs = 50
const patienceMs = 30_000

/**
 * Resolves when no insert is under way any more that was before. A server goes on with one whose sender was killed or
 * gave up waiting: what it is about to store cannot be seen yet, and would be stored a second time.
 */
export async function insertsAreOver(engine: Pick<Engine, 'query'>): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  let left = await insertsUnderWay(engine)
  while (left.length > 0) {
    if (performance.now() > giveUpAt) throw new Error('The engine is still busy with inserts from before.')
    await delay(lookEveryMs)
    const now = await insertsUnderWay(engine)
    left = left.filter((id) => now.includes(id))
  }
}

async function insertsUnderWay(engine: Pick<Engine, 'query'>): Promise<string[]> {
  const rows = await engine.query<{ id: string }>(
    sql`
      select query_id as id
      from system.processes
      where query_kind = 'Insert'
        and query ilike 'insert into events %'`,
    { lane: 'ingest' },
  )
  return rows.map(({ id }) => id)
}
