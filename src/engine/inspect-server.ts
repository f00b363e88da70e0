import { parseEngineUrl } from './address'
import { EngineClient } from './client'
import { toEngineError } from './failures'
import { appliedSteps, type Migration, newerEngineMessage } from './migrate'
import { describeServerProblem } from './internal/remote'
import { consequencesOf, refusedAtCreation } from './internal/alternatives'
import { missingRights } from './internal/owner-rights'
import { replicatedEngines } from './internal/replicas'
import { sql, string } from './sql'
import { checkSqlUser } from './internal/sql-user'
import { migrations } from '#migrations/engine/migrations'

/** The state of Tilth's tables on a server. `dueSteps` is absent if there are none yet. */
type ServerInspection =
  | {
      usable: true
      version: string | undefined
      dueSteps?: number
      warning?: string | undefined
      /** The capabilities that the server has refused, with their consequences. */
      doneWithout?: readonly string[]
    }
  | { usable: false; trouble: string }

/** Looks at the server of TILTH_ENGINE without changing anything on it: every statement is a read-only query. */
export async function inspectServer(
  url: string,
  history: readonly Migration[] = migrations,
): Promise<ServerInspection> {
  const address = parseEngineUrl(url)
  const open = (database: string) => new EngineClient({ address: { ...address, database }, queriesAtOnce: 1 })
  // the server rejects every request of a client that names a missing database
  const [server, tables] = [open('system'), open(address.database)]
  try {
    const problem = await server.probe()
    if (problem) return { usable: false, trouble: describeServerProblem(address, problem) }
    const lacking = await missingRights(address, await replicatedEngines(server, address.database))
    if (lacking !== undefined) return { usable: false, trouble: lacking }
    const version = await server.version()
    if (!(await isPrepared(server, address.database))) return { usable: true, version }
    const done = await appliedSteps(tables)
    const known = history.map(({ number }) => number)
    const newest = Math.max(0, ...known)
    const beyond = Math.max(0, ...done)
    if (beyond > newest) return { usable: false, trouble: newerEngineMessage(beyond, newest) }
    const dueSteps = known.filter((number) => !done.includes(number)).length
    const doneWithout = consequencesOf(await refusedAtCreation(tables))
    return { usable: true, version, dueSteps, warning: await checkSqlUser(tables), doneWithout }
  } catch (problem) {
    return { usable: false, trouble: describeServerProblem(address, toEngineError(problem)) }
  } finally {
    await Promise.all([server.close(), tables.close()])
  }
}

async function isPrepared(server: EngineClient, database: string): Promise<boolean> {
  const found = await server.query(
    sql`select name from system.tables where database = ${string(database)} and name = 'tilth_migrations'`,
    { lane: 'ingest' },
  )
  return found.length > 0
}
