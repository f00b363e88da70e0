import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { Slots } from '#world/slots'
import { UserQueryClient } from './user-query-client'
import { answerBytesInMemory, connect } from './internal/connect'
import type { Credentials, EngineAddress, EngineError, EngineFile, FileFormat, QueryLimits } from './engine'
import { engineError, signInErrorCodes, toEngineError } from './failures'
import { Refusals } from './internal/alternatives'
import { parseReadStats } from './internal/read-stats'
import {
  acrossReplicas,
  insertForReaders,
  killAcross,
  readAfterWrite,
  type Replicas,
} from './internal/replicas'
import { render, sql, string, type Sql } from './sql'
import type { UserQuery, UserQueryResult } from './user-query'

/** The users to connect as, by purpose, and how many queries may run at once. */
export interface EngineConnection {
  address: EngineAddress
  /** The user for dashboards' queries; absent if the owner runs them. */
  reader?: Credentials
  /** The user for SQL that users wrote; it sees the rows of one project only. */
  sqlUser?: Credentials | undefined
  /** The number of queries of one project that may run at once. There is one slot more, for the other projects. */
  queriesAtOnce: number
  /** The memory limit of a query. */
  mostMemoryBytes?: number
  /** Whether rows are inserted that were there before and are deleted: a replicated table ignores them otherwise. */
  insertsOnceMore?: boolean | undefined
  /** Receives what the server refuses and is done without, as a sentence, once for each. */
  onRefusal?: (consequence: string) => void
}

const defaultDeadlineMs = 30_000
const insertDeadlineMs = 60_000
/** The engine enforces the deadline itself; this much later it counts as unresponsive. */
const deadlineGraceMs = 2_000
const killWithinMs = 1_000
const killAgainAfterMs = [20, 100, 0]
const probeWithinMs = 3_000

/** Set explicitly, because the defaults of a remote server are unknown. */
const commonSettings: ClickHouseSettings = {
  // without it an INSERT may be acknowledged before it is written; the default changed in ClickHouse 26
  async_insert: 0,
  // otherwise a failure after the first row would arrive as part of the response
  wait_end_of_query: 1,
  buffer_size: String(answerBytesInMemory),
  session_timezone: 'UTC',
}

const readSettings: ClickHouseSettings = {
  ...commonSettings,
  // queries cannot write, even by mistake; 2 and not 1, because deadlines are settings too
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  // the whole response is held in memory here
  max_result_bytes: String(256 * 1024 * 1024),
}

/** A file is neither held in memory nor waited for by a page: one core makes it. */
const fileSettings: ClickHouseSettings = {
  max_result_bytes: '0',
  max_threads: 1,
  output_format_parquet_compression_method: 'zstd',
}

const insertSettings: ClickHouseSettings = {
  ...commonSettings,
  date_time_input_format: 'best_effort',
  // An unknown column is a bug in Tilth, and dropping it silently would hide it.
  input_format_skip_unknown_fields: 0,
  // otherwise a lone surrogate would fail the whole batch
  input_format_json_throw_on_bad_escape_sequence: 0,
  distributed_foreground_insert: 1,
  // every core parses a part of a large batch; with the default of 10 MB one core would do it all. It is still one
  // part.
  min_chunk_bytes_for_parallel_parsing: String(2 * 1024 * 1024),
}

/** One request in progress: aborted by its caller or by its deadline, whichever comes first. */
export interface EngineRequest {
  queryId: string
  signal: AbortSignal
  secondsLeft: () => number
}

/** The project of a query; undefined for Tilth's own queries, which count as one project. */
type QueryOwner = number | undefined

/** Talks to one ClickHouse server, embedded or not. Only this file knows the wire protocol. */
export class EngineClient {
  readonly #owner: ClickHouseClient
  readonly #reader: ClickHouseClient
  #userQueryClient: UserQueryClient
  readonly #queue: Slots<QueryOwner>
  /** Users' SQL may take long, so it has its own queue and leaves a slot to other queries. */
  readonly #userQueryQueue: Slots<QueryOwner>
  readonly #exchange = { sent: 0, waiting: 0, waitingSince: 0, answeredAt: -Infinity, isDoubtful: false }
  /** The refusals of this server. */
  readonly refusals: Refusals
  /** The other servers with the same tables; undefined if there are none, as on a plain server. */
  replicas: Replicas | undefined

  constructor(readonly connection: EngineConnection) {
    const { address, reader = address, sqlUser, queriesAtOnce } = connection
    this.#owner = connect(address)
    this.#reader = connect({ ...address, ...reader })
    this.#userQueryClient = new UserQueryClient(address, sqlUser)
    this.refusals = new Refusals(connection.onRefusal)
    this.#queue = new Slots({ atOnce: queriesAtOnce + 1, perOwner: queriesAtOnce })
    const statementsAtOnce = Math.max(2, queriesAtOnce)
    this.#userQueryQueue = new Slots({ atOnce: statementsAtOnce, perOwner: statementsAtOnce - 1 })
  }

  /** The requests so far and the latest answer, so that a server that answers need not be probed. */
  get exchange() {
    const { sent, waiting, waitingSince, answeredAt, isDoubtful } = this.#exchange
    return {
      sent,
      isDoubtful,
      answeredAt,
      unansweredSince: waiting > 0 ? Math.max(waitingSince, answeredAt) : Infinity,
    }
  }

  async query<Row>(statement: Sql, limits: QueryLimits = {}): Promise<Row[]> {
    const waitsInQueue = limits.lane !== 'ingest'
    const client = waitsInQueue ? this.#reader : this.#owner
    return this.#withDeadline(limits, async (attempt) => {
      const leave = waitsInQueue ? await this.#queue.enter(limits.projectId, attempt.signal) : undefined
      try {
        return await this.#read<Row>(client, statement, limits, attempt)
      } finally {
        leave?.()
      }
    })
  }

  async #read<Row>(
    client: ClickHouseClient,
    statement: Sql,
    limits: QueryLimits,
    attempt: EngineRequest,
  ): Promise<Row[]> {
    const { text, parameters } = render(statement)
    return this.#stoppable(attempt, async () => {
      const answer = await client.query({
        query: acrossReplicas(text, this.replicas),
        query_params: parameters,
        format: 'JSONEachRow',
        query_id: attempt.queryId,
        abort_signal: attempt.signal,
        clickhouse_settings: {
          ...readSettings,
          ...((limits.lane === 'ingest' || limits.projectId === undefined) && readAfterWrite(this.replicas)),
          ...this.#limitsOf(limits, attempt),
          ...this.#threadLimitOf(limits),
        },
      })
      attempt.signal.addEventListener('abort', () => answer.close(), { once: true })
      limits.onReadStats?.(parseReadStats(answer.response_headers['x-clickhouse-summary']))
      return answer.json<Row>()
    })
  }

  async runUserQuery(query: UserQuery, limits: Pick<QueryLimits, 'signal'> = {}): Promise<UserQueryResult> {
    return this.#withDeadline(limits, async (attempt) => {
      const leaveUserQueryQueue = await this.#userQueryQueue.enter(query.projectId, attempt.signal)
      try {
        return await this.#queued(attempt, query.projectId, () => this.#userQueryClient.run(query, attempt))
      } finally {
        leaveUserQueryQueue?.()
      }
    })
  }

  /** Sets the user that runs users' SQL; undefined means the owner. */
  setUserQueryCredentials(sqlUser: Credentials | undefined): void {
    const left = this.#userQueryClient
    this.#userQueryClient = new UserQueryClient(this.connection.address, sqlUser)
    void left.close()
  }

  async explainSyntax(query: UserQuery): Promise<string[]> {
    return this.#withDeadline({ deadlineMs: probeWithinMs }, (attempt) =>
      this.#userQueryClient.syntaxOf(query, attempt),
    )
  }

  async #queued<T>(attempt: EngineRequest, projectId: number, run: () => Promise<T>): Promise<T> {
    const leave = await this.#queue.enter(projectId, attempt.signal)
    try {
      return await this.#stoppable(attempt, run)
    } finally {
      leave?.()
    }
  }

  async command(statement: Sql, limits: QueryLimits = {}): Promise<void> {
    const { text, parameters } = render(statement)
    await this.refusals.send(text, (query) =>
      this.#withDeadline(limits, async (attempt) => {
        await this.#stoppable(attempt, () =>
          this.#owner.command({
            query,
            query_params: parameters,
            query_id: attempt.queryId,
            abort_signal: attempt.signal,
            clickhouse_settings: {
              ...commonSettings,
              ...readAfterWrite(this.replicas),
              ...this.#limitsOf(limits, attempt),
              ...(limits.threads && { max_threads: limits.threads }),
            },
          }),
        )
      }),
    )
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    const bytes = typeof rows === 'string' ? Buffer.from(rows) : rows
    if (bytes.length === 0) return
    await this.#send(`insert into ${nameOf(table)} format JSONEachRow`, bytes)
  }

  async #send(query: string, bytes: Uint8Array): Promise<void> {
    await this.#withDeadline({ deadlineMs: insertDeadlineMs }, (attempt) =>
      this.#stoppable(attempt, async () => {
        // not the client's own `insert`, which would parse and serialise every row
        const { stream } = await this.#owner.exec({
          query,
          values: Readable.from([bytes], { objectMode: false }),
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: {
            ...insertSettings,
            ...insertForReaders(this.replicas),
            ...(this.connection.insertsOnceMore && { insert_deduplication_token: attempt.queryId }),
          },
        })
        await finished(stream.resume())
      }),
    )
  }

  /** Returns the rows as a file. It is read as it arrives; until it is complete, the server keeps it. */
  async queryFile(statement: Sql, format: FileFormat, limits: QueryLimits = {}): Promise<EngineFile> {
    const { text, parameters } = render(statement)
    return await this.#withDeadline(limits, (attempt) =>
      this.#stoppable(attempt, async () => {
        const { stream, summary } = await this.#owner.exec({
          query: `${text} format ${format}`,
          query_params: parameters,
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: {
            ...readSettings,
            ...fileSettings,
            ...readAfterWrite(this.replicas),
            ...this.#limitsOf(limits, attempt),
          },
        })
        return { content: stream, rows: Number(summary?.result_rows ?? 0) }
      }),
    )
  }

  /** Returns the response in the format Native. It is held in memory, here and on the server, until it is complete. */
  async queryNative(statement: Sql, limits: QueryLimits = {}): Promise<Buffer> {
    const { text, parameters } = render(statement)
    return await this.#withDeadline(limits, (attempt) =>
      this.#stoppable(attempt, async () => {
        const { stream } = await this.#owner.exec({
          query: `${text} format Native`,
          query_params: parameters,
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: {
            ...readSettings,
            ...readAfterWrite(this.replicas),
            ...this.#limitsOf(limits, attempt),
          },
        })
        return await buffer(stream)
      }),
    )
  }

  /**
   * Inserts the result of `queryNative`, of these or an earlier version's columns. It is on disk when this resolves.
   */
  async insertNative(table: string, rows: Uint8Array): Promise<void> {
    await this.#send(`insert into ${nameOf(table)} format Native`, rows)
  }

  /** Returns why the engine does not respond, or undefined. "Too busy" counts as a response. */
  async probe(): Promise<EngineError | undefined> {
    try {
      await this.query(sql`select 1`, { lane: 'ingest', deadlineMs: probeWithinMs })
      return undefined
    } catch (problem) {
      const error = toEngineError(problem)
      return error.code && !signInErrorCodes.has(error.code) ? undefined : error
    }
  }

  /**
   * Returns the number of failed file writes since the server was started. Rejects if it cannot be read. It has the
   * same deadline as the statement before it, so that a slow engine can still make progress.
   */
  async failedWrites(): Promise<number> {
    const failures = sql`
      select sum(value) as failures
      from system.events
      where event = 'WriteBufferFromFileDescriptorWriteFailed'`
    const [row] = await this.query<{ failures: number }>(failures, { lane: 'ingest' })
    // a sum without a group has one row, so a response without it was not written completely
    if (!row) throw engineError('disk-full')
    return row.failures
  }

  async version(): Promise<string | undefined> {
    const [row] = await this.query<{ version: string }>(sql`select version() as version`, { lane: 'ingest' })
    return row?.version
  }

  async close(): Promise<void> {
    await Promise.all([this.#owner.close(), this.#reader.close(), this.#userQueryClient.close()])
  }

  async #withDeadline<T>(limits: QueryLimits, run: (attempt: EngineRequest) => Promise<T>): Promise<T> {
    const { deadlineMs = defaultDeadlineMs, signal } = limits
    const endsAt = performance.now() + deadlineMs
    const giveUp = new AbortController()
    const cancel = () => giveUp.abort(engineError('cancelled'))
    const timer = setTimeout(() => giveUp.abort(engineError('deadline')), deadlineMs + deadlineGraceMs)
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
    this.#exchange.sent += 1
    if (this.#exchange.waiting === 0) this.#exchange.waitingSince = performance.now()
    this.#exchange.waiting += 1
    try {
      giveUp.signal.throwIfAborted()
      const secondsLeft = () => Math.max(0.001, (endsAt - performance.now()) / 1000)
      const answer = await run({ queryId: randomUUID(), signal: giveUp.signal, secondsLeft })
      this.#noteAnswer(undefined)
      return answer
    } catch (problem) {
      const error = toEngineError(giveUp.signal.aborted ? giveUp.signal.reason : problem)
      this.#noteAnswer(error)
      throw error
    } finally {
      this.#exchange.waiting -= 1
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** A refused statement is an answer; one that failed in another way leaves it open whether the server is there. */
  #noteAnswer(error: EngineError | undefined): void {
    if (error?.failure === 'cancelled') return
    this.#exchange.isDoubtful = error?.failure === 'unavailable' || error?.failure === 'deadline'
    if (!this.#exchange.isDoubtful) this.#exchange.answeredAt = performance.now()
  }

  /** Aborts a request. Closing the connection only ends the waiting, so the statement is also stopped on the server. */
  async #stoppable<T>({ queryId, signal }: EngineRequest, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (problem) {
      if (signal.aborted) await this.#kill(queryId)
      throw problem
    }
  }

  /**
   * Stops a query. A caller may abort before the engine has begun the statement, so the kill is repeated a few times
   * until it finds the query. If the engine is unreachable, the query ends by its own deadline.
   */
  async #kill(queryId: string): Promise<void> {
    const { text, parameters } = render(sql`kill query where query_id = ${string(queryId)} async`)
    const send = async (query: string): Promise<unknown[]> => {
      const abort_signal = AbortSignal.timeout(killWithinMs)
      const request = { query, query_params: parameters, format: 'JSONEachRow', abort_signal } as const
      const answer = await this.#owner.query(request)
      return await answer.json()
    }
    for (const waitMs of killAgainAfterMs) {
      const killed = await send(text).catch(() => undefined)
      if (!killed || killed.length > 0) return
      await sleep(waitMs)
    }
    // a balancer may have sent the statement to another replica than this one
    const cluster = this.replicas?.cluster
    if (cluster !== undefined) await send(killAcross(text, cluster)).catch(() => {})
  }

  /** A single query may use all cores; several at once would only wait for one another's threads. */
  #threadLimitOf({ lane }: QueryLimits): ClickHouseSettings {
    const { threadsTogether } = this.connection.address
    return lane !== 'ingest' && threadsTogether && this.#queue.isBusy ? { max_threads: threadsTogether } : {}
  }

  #limitsOf({ memoryBytes }: QueryLimits, attempt: EngineRequest): ClickHouseSettings {
    const { mostMemoryBytes = Infinity } = this.connection
    return {
      max_execution_time: attempt.secondsLeft(),
      ...(memoryBytes && { max_memory_usage: String(Math.min(memoryBytes, mostMemoryBytes)) }),
    }
  }
}

function nameOf(table: string): string {
  if (/^\w+$/.test(table)) return table
  throw engineError('rejected', `"${table}" cannot be the name of a table.`)
}
