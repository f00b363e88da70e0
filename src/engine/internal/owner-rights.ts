import { text as textIn } from 'node:stream/consumers'
import type { EngineAddress } from '../engine'
import { toEngineError } from '../failures'
import { identifier, render, type Sql, sql, string } from '../sql'
import { connect } from './connect'

const systemTables = ['errors', 'events', 'merge_tree_settings', 'parts', 'processes']
const replicaTables = ['clusters', 'macros']
const tableEngines = ['MergeTree', 'ReplacingMergeTree']
const replicatedTableEngines = tableEngines.map((engine) => `Replicated${engine}`)

/**
 * The rights that Tilth needs on a server, each as it stands in a grant; the first only to make the database. Further
 * ones are needed if the database or its tables are of engines that several servers share.
 */
export const ownerRights = (database: string, sharedEngines: readonly string[] = []): [Sql, ...Sql[]] => [
  sql`create database on ${identifier(database, [database])}.*`,
  sql`select, insert, alter, create table, drop table, truncate, optimize on ${identifier(database, [database])}.*`,
  sql`check on ${identifier(database, [database])}.*`,
  ...systemTables.map((table) => sql`select on system.${identifier(table, systemTables)}`),
  sql`kill query on *.*`,
  ...tableEngines.map((engine) => sql`table engine on ${engineName(engine)}`),
  ...(sharedEngines.length > 0 ? rightsAmongReplicas : []),
  ...(sharedEngines.includes('Replicated')
    ? replicatedTableEngines.map((engine) => sql`table engine on ${engineName(engine)}`)
    : []),
]

const engineName = (engine: string): Sql => identifier(engine, [...tableEngines, ...replicatedTableEngines])

/** The rights to find and stop what runs on another replica. */
const rightsAmongReplicas = [
  ...replicaTables.map((table) => sql`select on system.${identifier(table, replicaTables)}`),
  sql`remote on *.*`,
  sql`cluster on *.*`,
]

const withinMs = 5_000
const syntaxErrorCode = '62'

/**
 * Says which rights the account lacks, all at once, and how an administrator gives them; undefined if it has them. A
 * server that cannot say is tried as it is.
 */
export async function missingRights(
  address: EngineAddress,
  sharedEngines: readonly string[] = [],
): Promise<string | undefined> {
  const { username, database } = address
  // the server rejects every request of a client that names a missing database
  const client = connect({ ...address, database: 'system' })
  const answerTo = async (statement: Sql): Promise<string> => {
    const { text: query, parameters } = render(statement)
    const { stream } = await client.exec({
      query,
      query_params: parameters,
      abort_signal: AbortSignal.timeout(withinMs),
    })
    return (await textIn(stream)).trim()
  }
  const lacks = async (right: Sql): Promise<boolean> => {
    // no client can ask for a format here: the statement takes none
    return (await answerTo(sql`check grant ${right}`)) === '0'
  }
  try {
    const found = sql`select name from system.databases where name = ${string(database)}`
    const exists = (await answerTo(found)) !== ''
    const [creating, ...others] = ownerRights(database, sharedEngines)
    const missing: Sql[] = []
    for (const right of exists ? others : [creating, ...others]) if (await lacks(right)) missing.push(right)
    if (missing.length === 0) return undefined
    const grants = missing.map((right) => `grant ${render(right).text} to \`${username}\`;`)
    return `The account "${username}" has too few rights. Run as an administrator of the server: ${grants.join(' ')}`
  } catch (problem) {
    const failure = toEngineError(problem)
    if (failure.code === syntaxErrorCode) return undefined
    throw failure
  } finally {
    await client.close()
  }
}
