import type { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { EngineRequest } from './client'
import { answerBytesInMemory, connect } from './internal/connect'
import type { Credentials, EngineAddress } from './engine'
import { type BaseTable, projectHeader, projectViews, viewDatabasesOf, viewNames } from './project-views'
import { parseReadStats } from './internal/read-stats'
import { identifier, render, type Sql, sql, uint } from './sql'
import { tokensOf } from './tokens'
import {
  maxResultBytes,
  maxQueryMemoryBytes,
  maxResultRows,
  jsonOutputSettings,
  type UserQuery,
  type UserQueryResult,
  type UserQueryColumn,
} from './user-query'

/** A statement ready to be sent, with its client. */
interface PreparedStatement {
  client: ClickHouseClient
  text: string
  parameters: Record<string, unknown>
  settings: ClickHouseSettings
}

/**
 * Runs users' SQL as a user who has views of one project only (`sql-user.ts` for a remote server). If a remote server
 * has no such user, the views are prepended to the statement, and only the guard keeps it from reading anything else.
 */
export class UserQueryClient {
  readonly #address: EngineAddress
  /** The clients for the plain views, and for views that resolve merged persons. */
  readonly #views: { plain: ClickHouseClient; merged: ClickHouseClient } | undefined
  readonly #owner: ClickHouseClient

  constructor(address: EngineAddress, credentials: Credentials | undefined) {
    this.#address = address
    this.#owner = connect(address)
    const { plain, merged } = viewDatabasesOf(address.database)
    this.#views = credentials && {
      plain: connect({ ...address, ...credentials, database: plain }),
      merged: connect({ ...address, ...credentials, database: merged }),
    }
  }

  async run(query: UserQuery, request: EngineRequest): Promise<UserQueryResult> {
    const { stream, summary } = await this.#send(query, request, this.#requestFor(query, request))
    return { ...(await readResult(stream)), read: parseReadStats(summary) }
  }

  async syntaxOf(query: UserQuery, request: EngineRequest): Promise<string[]> {
    const client = this.#views?.plain ?? this.#owner
    const text = `${explainAstPrefix}${query.text}`
    // parsing runs nothing, and even a statement that was parsed differently could not write
    const settings: ClickHouseSettings = this.#views ? {} : { readonly: '1' }
    const statement = { client, text, parameters: parametersOf(query), settings }
    const { stream } = await this.#send(query, request, statement)
    const { rows } = await readResult(stream)
    return rows.map(([line]) => String(line))
  }

  async close(): Promise<void> {
    const { plain, merged } = this.#views ?? {}
    await Promise.all([this.#owner.close(), plain?.close(), merged?.close()])
  }

  #requestFor(query: UserQuery, { secondsLeft }: EngineRequest): PreparedStatement {
    const parameters = parametersOf(query)
    if (this.#views) {
      const client = query.hasMerged ? this.#views.merged : this.#views.plain
      return { client, text: query.text, parameters, settings: {} }
    }
    const views = viewClause(query, this.#address.database)
    return {
      client: this.#owner,
      text: withViews(query.text, views.text),
      parameters: { ...parameters, ...views.parameters },
      settings: { ...withoutOwnUser, max_execution_time: secondsLeft() },
    }
  }

  async #send({ projectId }: UserQuery, { queryId, signal }: EngineRequest, statement: PreparedStatement) {
    const { client, text, parameters, settings } = statement
    const { stream, response_headers } = await client.exec({
      query: text,
      query_params: parameters,
      query_id: queryId,
      abort_signal: signal,
      http_headers: {
        [projectHeader]: String(projectId),
        'X-ClickHouse-Format': 'JSONCompactEachRowWithNamesAndTypes',
      },
      // URL parameters of the HTTP interface, not settings: a user who may change no setting may send them
      clickhouse_settings: { wait_end_of_query: 1, buffer_size: String(answerBytesInMemory), ...settings },
    })
    return { stream, summary: response_headers['x-clickhouse-summary'] }
  }
}

/** Ends with a line break, so that the prefix is not taken for a part of the user's text. */
export const explainAstPrefix = 'explain ast\n'

/** Formats the parameters, whose format differs from the responses'. */
function parametersOf({ period }: UserQuery): Record<string, unknown> {
  const formatTime = (at: Date) => at.toISOString().replace('T', ' ').replace('Z', '')
  return period ? { from: formatTime(period.from), until: formatTime(period.until) } : {}
}

/**
 * The settings that an own user's profile would have. Conditions must not be moved, so that none is evaluated on other
 * projects' rows.
 */
const withoutOwnUser: ClickHouseSettings = {
  readonly: '1',
  max_memory_usage: String(maxQueryMemoryBytes),
  max_result_rows: String(maxResultRows + 1),
  result_overflow_mode: 'break',
  cancel_http_readonly_queries_on_client_close: 1,
  query_plan_filter_push_down: 0,
  query_plan_merge_filters: 0,
  enable_optimize_predicate_expression: 0,
  // without it a later part of a union would ignore the views and read the tables of the same names
  enable_global_with_statement: 1,
  session_timezone: 'UTC',
  ...jsonOutputSettings,
}

function viewClause({ projectId, hasMerged }: UserQuery, database: string) {
  const name = (text: string): Sql => identifier(text, [text])
  const from = {
    table: (base: BaseTable) => sql`${name(database)}.${name(base)}`,
    projectFilter: sql`project_id = ${uint(projectId)}`,
    hasMerged,
  }
  const views = viewNames.map((view) => sql`${name(view)} as (${projectViews[view].select(from)})`)
  return render(sql.join(views))
}

/** Prepends the views to an existing `with`. A statement in brackets takes no prefix, so it is wrapped. */
function withViews(text: string, views: string): string {
  const [first, second] = tokensOf(text).filter(({ kind }) => kind !== 'space')
  if (first?.text === '(') return `with ${views} select * from (\n${withoutSemicolon(text)}\n)`
  if (first?.text.toLowerCase() !== 'with') return `with ${views} ${text}`
  const isRecursive = second?.text.toLowerCase() === 'recursive'
  const after = isRecursive ? second.at + second.text.length : first.at + first.text.length
  return `with ${isRecursive ? 'recursive ' : ''}${views}, ${text.slice(after)}`
}

/** A subquery may not contain the semicolon that ends a statement. */
function withoutSemicolon(text: string): string {
  const last = tokensOf(text).findLast(({ kind }) => kind !== 'space')
  return last?.text === ';' ? text.slice(0, last.at) : text
}

async function readResult(stream: Readable): Promise<Omit<UserQueryResult, 'read'>> {
  const { lines, isWhole } = await linesIn(stream)
  const [names = [], types = [], ...rows] = lines.map(parsed)
  const columns = names.map((name, i): UserQueryColumn => ({ name: String(name), type: String(types[i]) }))
  return { columns, rows: rows.slice(0, maxResultRows), isCut: !isWhole || rows.length > maxResultRows }
}

async function linesIn(stream: Readable): Promise<{ lines: string[]; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    // the client's stream yields buffers
    chunks.push(chunk as Buffer)
    bytes += chunks.at(-1)?.length ?? 0
    if (bytes > maxResultBytes) break
  }
  const isWhole = bytes <= maxResultBytes
  // the text after the last line break is empty, or an incomplete line
  return { lines: Buffer.concat(chunks).toString().split('\n').slice(0, -1), isWhole }
}

function parsed(line: string): unknown[] {
  // each line is an array in this format
  return JSON.parse(line, keepLargeIntegers) as unknown[]
}

/** Keeps a whole number that JavaScript cannot represent as its digits. */
function keepLargeIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (context?.source ?? value)
    : value
}
