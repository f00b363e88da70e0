import type { ClickHouseSettings } from '@clickhouse/client'
import type { EngineClient } from '../client'
import { sql, string } from '../sql'

type EngineAccess = Pick<EngineClient, 'query'>

/** Several servers that have the same tables, any of which may answer. */
export interface Replicas {
  /** The name under which the servers know each other; undefined if none of theirs could be found. */
  cluster: string | undefined
  /** Whether each keeps a copy of its own; otherwise they share one in an object storage. */
  haveCopies: boolean
}

/** The engines of the tables of several servers begin with these. */
const replicatedEngine = /^(?:Replicated|Shared)/

/** Returns the engines of a database and its tables that several servers share; none on a plain server. */
export async function replicatedEngines(client: EngineAccess, database: string): Promise<string[]> {
  const rows = await client.query<{ engine: string }>(
    sql`
      select engine from system.databases where name = ${string(database)}
      union distinct
      select engine from system.tables where database = ${string(database)}`,
    { lane: 'ingest' },
  )
  return rows.map(({ engine }) => engine).filter((engine) => replicatedEngine.test(engine))
}

export async function findReplicas(
  client: EngineAccess,
  database: string,
  engines: readonly string[],
): Promise<Replicas | undefined> {
  if (engines.length === 0) return undefined
  const haveCopies = engines.some((engine) => /^Replicated.*MergeTree$|^Replicated$/.test(engine))
  const clusters = await client.query<{ name: string }>(
    sql`select cluster as name from system.clusters where is_local group by cluster order by count() desc, name`,
    { lane: 'ingest' },
  )
  const macros = await client.query<{ name: string }>(
    sql`select substitution as name from system.macros where macro = 'cluster'`,
    { lane: 'ingest' },
  )
  const known = clusters.map(({ name }) => name).filter((name) => /^[\w.-]+$/.test(name))
  const preferred = [...macros.map(({ name }) => name), database, 'default', ...known]
  return { cluster: preferred.find((name) => known.includes(name)), haveCopies }
}

/** A statement that also finds what runs on the other replicas. One that does not answer is left out. */
export function acrossReplicas(statement: string, replicas: Replicas | undefined): string {
  if (replicas?.cluster === undefined || !statement.includes(runningStatements)) return statement
  return `${statement.replaceAll(runningStatements, `clusterAllReplicas('${replicas.cluster}', ${runningStatements})`)} settings skip_unavailable_shards = 1`
}

const runningStatements = 'system.processes'

/** Stops a statement wherever it runs. */
export const killAcross = (statement: string, cluster: string): string =>
  statement.replace(/^kill query /, `kill query on cluster '${cluster}' `)

/** Look-ups and copies are of rows that were inserted before, maybe by another replica. */
export const readAfterWrite = (replicas: Replicas | undefined): ClickHouseSettings =>
  replicas ? { select_sequential_consistency: '1' } : {}

/** Only with a quorum, and one insert after the other, do replicas with copies of their own promise what is read after. */
export const insertForReaders = (replicas: Replicas | undefined): ClickHouseSettings =>
  replicas?.haveCopies ? { insert_quorum: 'auto', insert_quorum_parallel: 0 } : {}

export const missingClusterMessage =
  'The tables of this server have replicas, and none of its clusters is known to contain it: statements that run on the other replicas cannot be found or stopped. Name the cluster in the macro "cluster".'
