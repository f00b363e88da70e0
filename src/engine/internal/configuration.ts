import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type EngineBudget, reservedDiskBytes } from '../budget'
import type { Credentials } from '../engine'
import { baseTables, projectHeaderCondition, viewDatabasesOf } from '../project-views'
import { render } from '../sql'
import { maxQueryMemoryBytes, maxResultRows, maxQuerySeconds, jsonOutputSettings } from '../user-query'

export const embeddedDatabase = 'tilth'

/** The users of the embedded engine. Their passwords are new at every start. */
interface EngineUsers {
  /** The user that migrates and inserts. */
  owner: Credentials
  /** The user for dashboards: reads only, within limits. */
  reader: Credentials
  /** The user for users' SQL: sees the views of one project at a time, and nothing else. */
  sqlUser: Credentials
}

/** The definer of the views, with whose rights they read. It cannot sign in. */
export const viewDefiner = 'tilth_rows'

export function createEngineUsers(): EngineUsers {
  return { owner: newUser('tilth_owner'), reader: newUser('tilth_reader'), sqlUser: newUser('tilth_asker') }
}

function newUser(username: string): Credentials {
  return { username, password: randomBytes(24).toString('base64url') }
}

/** The paths within the engine's folder. */
export function engineLayout(folder: string) {
  return {
    data: path.join(folder, 'data'),
    /** The working folder and home of the engine's process; it stays empty. */
    work: path.join(folder, 'work'),
    configuration: path.join(folder, 'config.xml'),
    users: path.join(folder, 'users.xml'),
  }
}

/** Writes the configuration that the engine reads at its start. Only the owner of the folder may read it. */
export function writeConfiguration(
  folder: string,
  {
    users,
    budget,
    keepFreeBytes,
    rights = allRights,
  }: {
    users: EngineUsers
    budget: EngineBudget
    keepFreeBytes?: number
    /** The rights of the owner; fewer in tests, as an administrator of a server may give. */
    rights?: readonly string[]
  },
): void {
  const at = engineLayout(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writePrivate(at.users, usersXml(users, budget, [...rights, ...viewRights]))
  writePrivate(
    at.configuration,
    serverXml(at.users, budget, keepFreeBytes ?? reservedDiskBytes(sizeOfDisk(folder))),
  )
}

function sizeOfDisk(folder: string): number {
  const { bsize, blocks } = statfsSync(folder)
  return bsize * blocks
}

function writePrivate(file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600 })
  chmodSync(file, 0o600) // the mode above applies to new files only
}

/** System logs are not listed, so they do not exist: only Tilth's tables grow. */
function serverXml(usersFile: string, budget: EngineBudget, keepFreeBytes: number): string {
  return xml({
    clickhouse: {
      users_config: usersFile,
      max_server_memory_usage: budget.engineBytes,
      mark_cache_size: budget.markCacheBytes,
      primary_index_cache_size: budget.indexCacheBytes,
      uncompressed_cache_size: 0,
      compiled_expression_cache_size: budget.compiledCacheBytes,
      merges_mutations_memory_usage_soft_limit: budget.queryBytes,
      background_pool_size: budget.backgroundThreads,
      // A deletion waits for background tasks, each of which would sleep up to a second before it looks for work again: a
      // server draws that time so that replicas do not all wake at once, and here there is only one.
      background_processing_pool_task_sleep_seconds_when_no_work_random_part: 0,
      storage_configuration: { disks: { default: { keep_free_space_bytes: keepFreeBytes } } },
      // Merged parts are not synced to disk. Until the operating system has written them, their source parts must stay,
      // as on a server; chDB would delete them at once.
      merge_tree: { old_parts_lifetime: 480 },
    },
  })
}

function usersXml(users: EngineUsers, budget: EngineBudget, rights: readonly string[]): string {
  return xml({
    clickhouse: {
      profiles: {
        // every profile inherits this one
        default: {},
        the_engine_itself: { max_sessions_for_user: 1 },
        owner: { async_insert: 0 },
        reader: readerProfile(budget),
        asker: sqlUserProfile(budget),
      },
      quotas: { none: {} },
      users: {
        default: internalUser,
        [users.owner.username]: userEntry(
          users.owner,
          'owner',
          rights.map((right) => `GRANT ${right}`),
        ),
        [users.reader.username]: userEntry(users.reader, 'reader', readerGrants),
        [users.sqlUser.username]: userEntry(users.sqlUser, 'asker', sqlUserGrants),
        [viewDefiner]: {
          ...userEntry(newUser(viewDefiner), 'asker', definerGrants),
          databases: rowsOfOneProject,
        },
      },
    },
  })
}

const localhostOnly = { ip: '127.0.0.1' }

/**
 * The engine's own session signs in as `default` without a password, from the same address as every process of this
 * machine, so neither a password nor an address can be required. That session lives as long as the engine, and the user
 * may have only one: any other sign-in as `default` is refused. As a second barrier, the user has almost no rights.
 */
const internalUser = {
  no_password: {},
  networks: localhostOnly,
  profile: 'the_engine_itself',
  quota: 'none',
  grants: { query: ['GRANT SYSTEM LISTEN ON *.*', 'GRANT SELECT ON system.numbers'] },
}

/** Rows of other projects are removed before any condition of a statement is evaluated. */
const rowsOfOneProject = {
  [embeddedDatabase]: Object.fromEntries(
    baseTables.map((table) => [table, { filter: render(projectHeaderCondition).text }]),
  ),
}

const definerGrants = baseTables.map((table) => `GRANT SELECT ON ${embeddedDatabase}.${table}`)

const viewDatabases = Object.values(viewDatabasesOf(embeddedDatabase))

const sqlUserGrants = viewDatabases.map((database) => `GRANT SELECT ON ${database}.*`)

const allRights = [
  `ALL ON ${embeddedDatabase}.*`,
  'SELECT ON system.*',
  'KILL QUERY ON *.*',
  'TABLE ENGINE ON *',
]

const viewRights = [
  ...viewDatabases.map((database) => `ALL ON ${database}.*`),
  `SET DEFINER ON ${viewDefiner}`,
]

const readerGrants = [`GRANT SELECT ON ${embeddedDatabase}.*`, 'GRANT SELECT ON system.processes']

function userEntry({ password }: Credentials, profile: string, grants: string[]) {
  return {
    password_sha256_hex: createHash('sha256').update(password).digest('hex'),
    networks: localhostOnly,
    profile,
    quota: 'none',
    grants: { query: grants },
  }
}

function readerProfile(budget: EngineBudget) {
  return {
    // 2, not 1: a query brings its own deadline. It may change settings except this one, and write nothing.
    readonly: 2,
    ...threadSettings(budget),
    // The lowest priority. It yields only if there is other work: an insert keeps its pace under heavy queries.
    os_thread_priority: 19,
    max_memory_usage: budget.queryBytes,
    max_bytes_before_external_group_by: budget.spillBytes,
    max_bytes_before_external_sort: budget.spillBytes,
    cancel_http_readonly_queries_on_client_close: 1,
    constraints: {
      // for these two settings 0 means "unlimited"
      max_memory_usage: { min: 1, max: budget.queryBytes },
      max_threads: { min: 1, max: budget.queryThreads },
      os_thread_priority: { const: {} },
    },
  }
}

/** The settings that confine a user's SQL, on the embedded engine and on a remote server. */
export const sqlUserSettings = {
  readonly: 1,
  allow_ddl: 0,
  allow_introspection_functions: 0,
  max_execution_time: maxQuerySeconds,
  // one row more than is shown reveals that there are more
  max_result_rows: maxResultRows + 1,
  result_overflow_mode: 'break',
  cancel_http_readonly_queries_on_client_close: 1,
  allow_get_client_http_header: 1,
  // a cached condition of one project's rows must not apply to another's
  use_query_condition_cache: 0,
  session_timezone: 'UTC',
  ...jsonOutputSettings,
} as const

/** Fixes every setting: the user may change none. */
function sqlUserProfile(budget: EngineBudget) {
  return {
    ...sqlUserSettings,
    // exists in chDB only: it reads objects of a Python process, which does not exist here
    allow_python_table_function: 0,
    ...threadSettings(budget),
    os_thread_priority: 19,
    max_memory_usage: Math.min(budget.queryBytes, maxQueryMemoryBytes),
    max_bytes_before_external_group_by: budget.spillBytes,
    max_bytes_before_external_sort: budget.spillBytes,
  }
}

/**
 * Sets the number of threads, for which the budget has reserved memory. The engine's default is one thread for each
 * gigabyte that is free at the moment.
 */
const threadSettings = ({ queryThreads }: EngineBudget) => ({
  max_threads: queryThreads,
  max_threads_min_free_memory_per_thread: 0,
})

type XmlNode = string | number | { [name: string]: XmlNode | XmlNode[] }

function xml(tree: { [name: string]: XmlNode | XmlNode[] }): string {
  return Object.entries(tree)
    .flatMap(([name, content]) =>
      (Array.isArray(content) ? content : [content]).map((one) => element(name, one)),
    )
    .join('')
}

function element(name: string, content: XmlNode): string {
  return `<${name}>${typeof content === 'object' ? xml(content) : escaped(String(content))}</${name}>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
