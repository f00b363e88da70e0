import type { Engine } from '#engine/engine'
import { sql } from '#engine/sql'
import { cloneTables, dropClones } from './engine-clone'
import type { BackupPoint } from './manifest'
import { eventsByProject, recordQueryResults } from './verification-queries'

type EngineAccess = Pick<Engine, 'query' | 'command'>

export async function engineSteps(engine: Pick<Engine, 'query'>): Promise<number[]> {
  const rows = await engine.query<{ number: number }>(
    sql`select distinct number from tilth_migrations order by number`,
    { lane: 'ingest' },
  )
  return rows.map(({ number }) => number)
}

/**
 * Clones the tables of a remote engine and describes them as they are in the clone. A server that cannot clone costs the
 * snapshot its events, and nothing else of it. Nothing may be stored meanwhile.
 */
export async function describeRemote(
  engine: EngineAccess,
  id: string,
): Promise<Pick<BackupPoint, 'engine' | 'projects' | 'answers'>> {
  try {
    await cloneTables(engine, id)
  } catch (problem) {
    await dropClones(engine, (other) => other !== id).catch(() => {})
    const trouble = problem instanceof Error ? problem.message : String(problem)
    return { engine: { form: 'remote', trouble }, answers: [] }
  }
  const [row] = await engine.query<{ version: string }>(sql`select version() as version`, { lane: 'ingest' })
  const description = {
    form: 'remote' as const,
    version: row?.version,
    steps: await engineSteps(engine),
    clone: id,
  }
  return {
    engine: description,
    projects: await eventsByProject(engine),
    answers: await recordQueryResults(engine),
  }
}
