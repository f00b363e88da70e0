import { createHash, createHmac } from 'node:crypto'
import type { EngineClient } from '../client'
import { sqlUserSettings } from './configuration'
import { connect } from './connect'
import type { Credentials, EngineAddress } from '../engine'
import { toEngineError } from '../failures'
import {
  baseTables,
  projectHeaderCondition,
  viewDatabasesOf,
  viewNames,
  viewStatements,
} from '../project-views'
import { identifier, literal, type Sql, sql } from '../sql'
import { maxQueryMemoryBytes } from '../user-query'

/**
 * The second protection for users' SQL on a server that Tilth does not configure: a user who sees the rows of one
 * project only. Tilth creates it if the account of TILTH_ENGINE may; otherwise the operator creates it with the same
 * names.
 */
type SqlUserOutcome = { user: Credentials } | { absent: string }

const sqlUserNames = (database: string) => ({
  sqlUser: `${database}_asker`,
  definer: `${database}_rows`,
})

/** Derives the user from the password of TILTH_ENGINE, so that several fronts share it. */
export function sqlUserOf({ database, password }: EngineAddress): Credentials {
  const { sqlUser } = sqlUserNames(database)
  return {
    username: sqlUser,
    password: createHmac('sha256', password).update(`tilth ${sqlUser}`).digest('base64url'),
  }
}

/** Creates the user if possible, then tests its rights: only a user that cannot read more counts. */
export async function createSqlUser(client: EngineClient): Promise<SqlUserOutcome> {
  const { address } = client.connection
  const problems: string[] = []
  for (const statements of [userStatements(address), sqlUserViewStatements(address)]) {
    const problem = await firstProblem(client, statements)
    if (problem) problems.push(problem)
  }
  const user = sqlUserOf(address)
  const gap = await findPermissionGap({ ...address, ...user }, forbiddenStatements(address.database))
  return gap === undefined ? { user } : { absent: missingUserMessage(address, [gap, ...problems]) }
}

/** Returns why the user is absent, if it is. Only reads: what a user that may do too much could change is not tried. */
export async function checkSqlUser({ connection: { address } }: EngineClient): Promise<string | undefined> {
  const reads = forbiddenStatements(address.database).filter((statement) => statement.startsWith('select '))
  const gap = await findPermissionGap({ ...address, ...sqlUserOf(address) }, reads)
  return gap === undefined ? undefined : missingUserMessage(address, [gap])
}

async function firstProblem(client: EngineClient, statements: readonly Sql[]): Promise<string | undefined> {
  try {
    for (const statement of statements) await client.command(statement)
    return undefined
  } catch (problem) {
    return toEngineError(problem).message
  }
}

const sqlUserViewStatements = ({ database }: EngineAddress): Sql[] =>
  viewStatements(database, sqlUserNames(database).definer)

/** The statements that create the user, as an administrator would write them. They are repeatable. */
export function userStatements(address: EngineAddress): Sql[] {
  const { database } = address
  const name = (text: string): Sql => identifier(text, [text])
  const { sqlUser, definer } = sqlUserNames(database)
  const tables = baseTables.map((table) => sql`${name(database)}.${name(table)}`)
  const views = Object.values(viewDatabasesOf(database)).map(name)
  return [
    sql`create user if not exists ${name(definer)} identified with sha256_hash by ${hashOf(unknownPassword(address))} host none`,
    sql`create user if not exists ${name(sqlUser)} identified with sha256_hash by ${hashOf(sqlUserOf(address).password)}`,
    sql`alter user ${name(definer)} settings ${userSettings}`,
    sql`alter user ${name(sqlUser)} identified with sha256_hash by ${hashOf(sqlUserOf(address).password)} settings ${userSettings}`,
    // without this one, a server may hide the rows from all other users once a table has a policy
    ...tables.map(
      (table) =>
        sql`create row policy or replace tilth_every_project on ${table} using 1 to all except ${name(definer)}`,
    ),
    ...tables.map(
      (table) =>
        sql`create row policy or replace tilth_one_project on ${table} using ${projectHeaderCondition} to ${name(definer)}`,
    ),
    // holds even if an administrator has another policy that shows these rows to all
    ...tables.map(
      (table) =>
        sql`create row policy or replace tilth_no_other_project on ${table} using ${projectHeaderCondition} as restrictive to ${name(definer)}`,
    ),
    ...tables.map((table) => sql`grant select on ${table} to ${name(definer)}`),
    ...views.flatMap((view) => [
      sql`create database if not exists ${view}`,
      sql`grant select on ${view}.* to ${name(sqlUser)}`,
    ]),
  ]
}

const hashOf = (password: string): Sql => literal(createHash('sha256').update(password).digest('hex'))

const unknownPassword = ({ password, database }: EngineAddress): string =>
  createHmac('sha256', password).update(`nobody signs in as ${database}`).digest('base64url')

const userSettings = sql.join(
  Object.entries({ ...sqlUserSettings, max_memory_usage: maxQueryMemoryBytes }).map(
    ([setting, value]) => sql`${identifier(setting, [setting])} = ${literal(value)}`,
  ),
)

/** The codes of a refusal: ACCESS_DENIED, READONLY, and names that this user cannot see. */
const refusalCodes = new Set(['497', '164', '60', '81'])

/** Returns what the user can do although it must not; undefined if the engine refuses everything. */
async function findPermissionGap(
  address: EngineAddress,
  attacks: readonly string[],
): Promise<string | undefined> {
  const { plain } = viewDatabasesOf(address.database)
  const client = connect({ ...address, database: plain })
  const ask = async (query: string): Promise<unknown[]> =>
    (await client.query({ query, format: 'JSONEachRow', abort_signal: AbortSignal.timeout(5_000) })).json()
  const attempt = async (query: string): Promise<void> => {
    const { stream } = await client.exec({ query, abort_signal: AbortSignal.timeout(5_000) })
    stream.destroy()
  }
  try {
    for (const view of viewNames) {
      // no header, no rows
      if ((await ask(`select 1 from ${view} limit 1`)).length > 0)
        return `"${address.username}" sees rows of every project.`
    }
    for (const attack of attacks) {
      const code = await attempt(attack).then(
        () => 'answered',
        (problem: unknown) => toEngineError(problem).code ?? 'unknown',
      )
      if (!refusalCodes.has(code))
        return `"${address.username}" may do more than it should (${code}): ${attack}.`
    }
    return undefined
  } catch (problem) {
    return toEngineError(problem).message
  } finally {
    await client.close()
  }
}

/** Statements that must be refused. None of them changes anything if it succeeds. */
const forbiddenStatements = (database: string): string[] => [
  ...[...baseTables, 'tilth_migrations'].map((table) => `select * from ${database}.${table} limit 1`),
  `select * from mergeTreeIndex(${database}, events) limit 1`,
  ...['users', 'processes', 'query_log', 'row_policies'].map(
    (table) => `select * from system.${table} limit 1`,
  ),
  "select * from file('tilth', 'LineAsString')",
  "select * from url('http://127.0.0.1:9/', 'LineAsString')",
  "select * from remote('127.0.0.1:9', 'system.one')",
  "select * from executable('tilth', 'TSV', 'a String')",
  `insert into ${database}.events select * from ${database}.events where 0`,
  `alter table ${database}.events delete where 0`,
  "kill query where query_id = 'tilth'",
  'set readonly = 0',
  'select 1 settings readonly = 0',
  `select * from (select * from ${database}.events settings readonly = 0) limit 1`,
]

/** The message for the log and the doctor. */
function missingUserMessage({ username, database }: EngineAddress, reasons: readonly string[]): string {
  return (
    'SQL that people write is kept within its project by the guard alone: the second wall, a user of the engine who ' +
    `sees one project, is absent. ${reasons.join(' ')} To have it, run as an administrator of the server: ` +
    `${neededGrants(username, database)} Then start Tilth again.`
  )
}

function neededGrants(username: string, database: string): string {
  const { sqlUser, definer } = sqlUserNames(database)
  const views = Object.values(viewDatabasesOf(database))
  return [
    `GRANT CREATE USER, ALTER USER ON ${sqlUser}, CREATE USER, ALTER USER, SET DEFINER ON ${definer} TO ${username};`,
    `GRANT CREATE ROW POLICY, ALTER ROW POLICY, SELECT ON ${database}.* TO ${username} WITH GRANT OPTION;`,
    ...views.map((view) => `GRANT ALL ON ${view}.* TO ${username} WITH GRANT OPTION;`),
  ].join(' ')
}
