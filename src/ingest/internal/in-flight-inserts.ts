import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '#engine/engine'
import { sql } from '#engine/sql'

const pollEveryMs = 50
const timeoutMs = 30_000

/**
 * Waits until every insert that was in progress at the call has ended. A server finishes an insert even if its client
 * was killed or timed out. Queries do not return its rows before it ends, so they would be stored a second time.
 */
export async function waitForInFlightInserts(engine: Pick<Engine, 'query'>): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs
  let left = await inFlightInserts(engine)
  while (left.length > 0) {
    if (performance.now() > giveUpAt) throw new Error('The engine is still busy with inserts from before.')
    await delay(pollEveryMs)
    const now = await inFlightInserts(engine)
    left = left.filter((id) => now.includes(id))
  }
}

async function inFlightInserts(engine: Pick<Engine, 'query'>): Promise<string[]> {
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
