import type { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { Attempt } from './client'
import { connect } from './connect'
import type { Credentials, EngineAddress } from './engine'
import { type BaseTable, projectHeader, projectViews, viewDatabases, viewNames } from './project-views'
import { readingIn } from './reading'
import { identifier, render, type Sql, sql, uint } from './sql'
import { tokensOf } from './tokens'
import {
  mostBytes,
  mostMemoryBytes,
  mostRows,
  shownAsJson,
  type Written,
  type WrittenAnswer,
  type WrittenColumn,
} from './written'

/** A statement as it is sent, and to whom. */
interface Sending {
  client: ClickHouseClient
  text: string
  parameters: Record<string, unknown>
  settings: ClickHouseSettings
}

/**
 * Asks what people wrote. On the embedded engine as a user who has views of one project and nothing else. On a server of
 * somebody else's nobody can be made for that: there the views are put before the statement, and what keeps it from
 * reading anything else is the guard.
 */
export class Asker {
  readonly #address: EngineAddress
  /** Of the views as they are, and of those that know who was merged. */
  readonly #views: { plain: ClickHouseClient; merged: ClickHouseClient } | undefined
  readonly #owner: ClickHouseClient

  constructor(address: EngineAddress, asker: Credentials | undefined) {
    this.#address = address
    this.#owner = connect(address)
    this.#views = asker && {
      plain: connect({ ...address, ...asker, database: viewDatabases.plain }),
      merged: connect({ ...address, ...asker, database: viewDatabases.merged }),
    }
  }

  async ask(written: Written, attempt: Attempt): Promise<WrittenAnswer> {
    const { stream, summary } = await this.#send(written, attempt, this.#sending(written, attempt))
    return { ...(await answerIn(stream)), read: readingIn(summary) }
  }

  async syntaxOf(written: Written, attempt: Attempt): Promise<string[]> {
    const client = this.#views?.plain ?? this.#owner
    const text = `${syntaxPrefix}${written.text}`
    const sending = { client, text, parameters: parametersOf(written), settings: {} }
    const { stream } = await this.#send(written, attempt, sending)
    const { rows } = await answerIn(stream)
    return rows.map(([line]) => String(line))
  }

  async close(): Promise<void> {
    const { plain, merged } = this.#views ?? {}
    await Promise.all([this.#owner.close(), plain?.close(), merged?.close()])
  }

  #sending(written: Written, { secondsLeft }: Attempt): Sending {
    const parameters = parametersOf(written)
    if (this.#views) {
      const client = written.hasMerged ? this.#views.merged : this.#views.plain
      return { client, text: written.text, parameters, settings: {} }
    }
    const views = viewsOf(written, this.#address.database)
    return {
      client: this.#owner,
      text: withViews(written.text, views.text),
      parameters: { ...parameters, ...views.parameters },
      settings: { ...withoutOwnUser, max_execution_time: secondsLeft() },
    }
  }

  async #send({ projectId }: Written, { queryId, signal }: Attempt, sending: Sending) {
    const { client, text, parameters, settings } = sending
    const { stream, response_headers } = await client.exec({
      query: text,
      query_params: parameters,
      query_id: queryId,
      abort_signal: signal,
      http_headers: {
        [projectHeader]: String(projectId),
        'X-ClickHouse-Format': 'JSONCompactEachRowWithNamesAndTypes',
      },
      // Not a setting, though it is written as one: whoever may change no setting may ask for it.
      clickhouse_settings: { wait_end_of_query: 1, ...settings },
    })
    return { stream, summary: response_headers['x-clickhouse-summary'] }
  }
}

/** A line of its own, so that nobody takes it for a part of what was written. */
export const syntaxPrefix = 'explain ast\n'

/** Read in the form of a parameter, which is not the one of the answers. */
function parametersOf({ period }: Written): Record<string, unknown> {
  const told = (at: Date) => at.toISOString().replace('T', ' ').replace('Z', '')
  return period ? { from: told(period.from), until: told(period.until) } : {}
}

/** What the profile of an own user would say. Conditions stay where they were written, so none meets others' rows. */
const withoutOwnUser: ClickHouseSettings = {
  readonly: '1',
  max_memory_usage: String(mostMemoryBytes),
  max_result_rows: String(mostRows + 1),
  result_overflow_mode: 'break',
  cancel_http_readonly_queries_on_client_close: 1,
  query_plan_filter_push_down: 0,
  query_plan_merge_filters: 0,
  enable_optimize_predicate_expression: 0,
  session_timezone: 'UTC',
  ...shownAsJson,
}

function viewsOf({ projectId, hasMerged }: Written, database: string) {
  const name = (text: string): Sql => identifier(text, [text])
  const from = {
    table: (base: BaseTable) => sql`${name(database)}.${name(base)}`,
    only: sql`project_id = ${uint(projectId)}`,
    hasMerged,
  }
  const views = viewNames.map((view) => sql`${name(view)} as (${projectViews[view].select(from)})`)
  return render(sql.join(views))
}

/** Before what it already begins with. A statement in brackets takes nothing before it, so it is asked as a whole. */
function withViews(text: string, views: string): string {
  const [first, second] = tokensOf(text).filter(({ kind }) => kind !== 'space')
  if (first?.text === '(') return `with ${views} select * from (\n${withoutEnd(text)}\n)`
  if (first?.text.toLowerCase() !== 'with') return `with ${views} ${text}`
  const isRecursive = second?.text.toLowerCase() === 'recursive'
  const after = isRecursive ? second.at + second.text.length : first.at + first.text.length
  return `with ${isRecursive ? 'recursive ' : ''}${views}, ${text.slice(after)}`
}

/** The mark that ends a statement has no place within another. */
function withoutEnd(text: string): string {
  const last = tokensOf(text).findLast(({ kind }) => kind !== 'space')
  return last?.text === ';' ? text.slice(0, last.at) : text
}

async function answerIn(stream: Readable): Promise<Omit<WrittenAnswer, 'read'>> {
  const { lines, isWhole } = await linesIn(stream)
  const [names = [], types = [], ...rows] = lines.map(parsed)
  const columns = names.map((name, i): WrittenColumn => ({ name: String(name), type: String(types[i]) }))
  return { columns, rows: rows.slice(0, mostRows), isCut: !isWhole || rows.length > mostRows }
}

async function linesIn(stream: Readable): Promise<{ lines: string[]; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    // a stream of the client's carries bytes
    chunks.push(chunk as Buffer)
    bytes += chunks.at(-1)?.length ?? 0
    if (bytes > mostBytes) break
  }
  const isWhole = bytes <= mostBytes
  // What stands after the last mark is nothing, or half a line.
  return { lines: Buffer.concat(chunks).toString().split('\n').slice(0, -1), isWhole }
}

function parsed(line: string): unknown[] {
  // each line is an array; so says the format that was asked for
  return JSON.parse(line, exactly) as unknown[]
}

/** A whole number that JavaScript cannot hold stays the digits it is written in. */
function exactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (context?.source ?? value)
    : value
}
