import type { Engine } from '#engine/engine'
import { sql, uint } from '#engine/sql'
import { sessionIdleMs, type VisitorSession } from '../sessions'

/**
 * Reads the sessions that may still be active from the engine, so that visitors keep their session when Tilth restarts.
 * Events still in the journal are missing, so a session may be split there.
 */
export async function readOngoingSessions(engine: Pick<Engine, 'query'>): Promise<VisitorSession[]> {
  return await engine.query<VisitorSession>(sql`
    select
      project_id as projectId,
      distinct_id as distinctId,
      toString(session_id) as id,
      toUnixTimestamp64Milli(min(timestamp)) as start,
      toUnixTimestamp64Milli(max(timestamp)) as end
    from events
    where timestamp > now() - interval 1 day
    group by projectId, distinctId, session_id
    having max(timestamp) > now() - toIntervalSecond(${uint(sessionIdleMs / 1000)})
    order by end
    limit 100000`)
}
