import type { Engine } from '#engine/engine'
import { sql } from '#engine/sql'
import { cloneIdentifier, cloneTables, dropClones, keepParts, type TableNames } from './engine-clone'
import type { BackupPoint } from '../manifest'
import { checkParts, type PartCheck } from './part-check'
import { eventsByProject, recordQueryResults } from './verification-queries'

type EngineAccess = Pick<Engine, 'query' | 'command'>

export type EngineDescription = Pick<BackupPoint, 'engine' | 'projects' | 'answers' | 'damage' | 'unchecked'>

async function engineSteps(engine: Pick<Engine, 'query'>): Promise<number[]> {
  const rows = await engine.query<{ number: number }>(
    sql`select distinct number from tilth_migrations order by number`,
    { lane: 'ingest' },
  )
  return rows.map(({ number }) => number)
}

/**
 * Clones the tables of a remote engine, in which nothing may be stored meanwhile. Returns why if the server cannot do
 * that: it costs the snapshot its events, and nothing else of it.
 */
export async function cloneRemote(
  engine: EngineAccess,
  id: string,
): Promise<{ trouble: string } | undefined> {
  try {
    await cloneTables(engine, id)
    return undefined
  } catch (problem) {
    await dropClones(engine, (other) => other !== id).catch(() => {})
    return { trouble: problem instanceof Error ? problem.message : String(problem) }
  }
}

/** Describes the clone of a remote engine; fronts go on storing meanwhile. */
export async function describeClone(
  engine: EngineAccess,
  id: string,
  options: Parameters<typeof checkParts>[1] = {},
): Promise<EngineDescription> {
  const tables: TableNames = (table) => cloneIdentifier(id, table)
  await keepParts(engine, tables)
  const [row] = await engine.query<{ version: string }>(sql`select version() as version`, { lane: 'ingest' })
  const description = {
    form: 'remote' as const,
    version: row?.version,
    steps: await engineSteps(engine),
    clone: id,
  }
  return {
    engine: description,
    projects: await eventsByProject(engine, tables),
    answers: await recordQueryResults(engine, tables),
    ...damageIn(await checkParts(engine, { ...options, tables })),
  }
}

/** Describes an embedded engine in which nothing is stored meanwhile. Its parts are checked apart, which takes long. */
export async function describeEmbedded(
  engine: Pick<Engine, 'query' | 'health'>,
): Promise<Omit<EngineDescription, 'damage' | 'unchecked'>> {
  const { version } = engine.health()
  return {
    engine: { form: 'embedded', version, steps: await engineSteps(engine) },
    projects: await eventsByProject(engine),
    answers: await recordQueryResults(engine),
  }
}

export const damageIn = ({ damage, unchecked }: PartCheck): Pick<BackupPoint, 'damage' | 'unchecked'> => ({
  ...(damage.length > 0 && { damage }),
  ...(unchecked.length > 0 && { unchecked }),
})
