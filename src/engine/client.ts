import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { UserQueryClient } from './user-query-client'
import { answerBytesInMemory, connect } from './connect'
import type { Credentials, EngineAddress, EngineError, QueryLimits } from './engine'
import { engineError, signInErrorCodes, toEngineError } from './failures'
import { QueryQueue } from './query-queue'
import { parseReadStats } from './read-stats'
import { render, sql, string, type Sql } from './sql'
import type { UserQuery, UserQueryResult } from './user-query'

/** The users to connect as, by purpose, and how many queries may run at once. */
export interface EngineConnection {
  address: EngineAddress
  /** Runs the queries of dashboards. Where it is absent, the owner runs them. */
  reader?: Credentials
  /** Runs SQL that users wrote; sees the rows of one project alone. */
  asker?: Credentials | undefined
  questionsAtOnce: number
  /** No question may ask for more. */
  mostMemoryBytes?: number
}

const defaultDeadlineMs = 30_000
const insertDeadlineMs = 60_000
/** The engine keeps the deadline itself; this much later it is taken for deaf. */
const deadlineGraceMs = 2_000
const killWithinMs = 1_000
const killAgainAfterMs = [20, 100, 0]
const probeWithinMs = 3_000

/** Set explicitly, because the defaults of a remote server are unknown. */
const commonSettings: ClickHouseSettings = {
  // Without it an INSERT may be answered before it is written. It is on by default since ClickHouse 26.
  async_insert: 0,
  // A failure after the first row would otherwise arrive as part of the answer.
  wait_end_of_query: 1,
  buffer_size: String(answerBytesInMemory),
  session_timezone: 'UTC',
}

const readSettings: ClickHouseSettings = {
  ...commonSettings,
  // Not even a mistake in a question can write; 2 and not 1, since deadlines are settings too.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  // An answer is held in memory here, too.
  max_result_bytes: String(256 * 1024 * 1024),
}

const insertSettings: ClickHouseSettings = {
  ...commonSettings,
  date_time_input_format: 'best_effort',
  // An unknown column is a bug in Tilth, and dropping it silently would hide it.
  input_format_skip_unknown_fields: 0,
  // One half of a surrogate pair would otherwise fail the whole batch.
  input_format_json_throw_on_bad_escape_sequence: 0,
  distributed_foreground_insert: 1,
  // Every core parses some of a large batch; pieces of the usual 10 MB would leave it to one core. It is still one part.
  min_chunk_bytes_for_parallel_parsing: String(2 * 1024 * 1024),
}

/** One request under way: aborted by its caller or by its deadline, whichever comes first. */
export interface EngineRequest {
  queryId: string
  signal: AbortSignal
  secondsLeft: () => number
}

/** Speaks to one ClickHouse, embedded or not; the only file that knows its wire. */
export class EngineClient {
  readonly #owner: ClickHouseClient
  readonly #reader: ClickHouseClient
  #userQueryClient: UserQueryClient
  readonly #queue: QueryQueue
  /** What people write may take long, and leaves a place to the others. */
  readonly #userQueryQueue: QueryQueue

  constructor(readonly connection: EngineConnection) {
    const { address, reader = address, asker, questionsAtOnce } = connection
    this.#owner = connect(address)
    this.#reader = connect({ ...address, ...reader })
    this.#userQueryClient = new UserQueryClient(address, asker)
    // Of two places none can be kept back: a project's charts would wait for its own statements.
    this.#queue = new QueryQueue(questionsAtOnce, questionsAtOnce > 2 ? questionsAtOnce - 1 : questionsAtOnce)
    const statementsAtOnce = Math.max(1, questionsAtOnce - 1)
    this.#userQueryQueue = new QueryQueue(statementsAtOnce, Math.max(1, statementsAtOnce - 1))
  }

  async query<Row>(statement: Sql, limits: QueryLimits = {}): Promise<Row[]> {
    const waitsInQueue = limits.lane !== 'ingest'
    const client = waitsInQueue ? this.#reader : this.#owner
    return this.#withDeadline(limits, async (attempt) => {
      const leave = waitsInQueue ? await this.#queue.enter(attempt.signal, limits.projectId) : undefined
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
        query: text,
        query_params: parameters,
        format: 'JSONEachRow',
        query_id: attempt.queryId,
        abort_signal: attempt.signal,
        clickhouse_settings: {
          ...readSettings,
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
      const leaveUserQueryQueue = await this.#userQueryQueue.enter(attempt.signal, query.projectId)
      try {
        return await this.#queued(attempt, query.projectId, () => this.#userQueryClient.run(query, attempt))
      } finally {
        leaveUserQueryQueue()
      }
    })
  }

  /** From now on what people write is asked as this user; without one, as the owner. */
  setUserQueryCredentials(asker: Credentials | undefined): void {
    const left = this.#userQueryClient
    this.#userQueryClient = new UserQueryClient(this.connection.address, asker)
    void left.close()
  }

  async explainSyntax(query: UserQuery): Promise<string[]> {
    return this.#withDeadline({ deadlineMs: probeWithinMs }, (attempt) =>
      this.#userQueryClient.syntaxOf(query, attempt),
    )
  }

  async #queued<T>(attempt: EngineRequest, projectId: number, run: () => Promise<T>): Promise<T> {
    const leave = await this.#queue.enter(attempt.signal, projectId)
    try {
      return await this.#stoppable(attempt, run)
    } finally {
      leave()
    }
  }

  async command(statement: Sql, limits: QueryLimits = {}): Promise<void> {
    const { text, parameters } = render(statement)
    await this.#withDeadline(limits, (attempt) =>
      this.#stoppable(attempt, () =>
        this.#owner.command({
          query: text,
          query_params: parameters,
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: { ...commonSettings, ...this.#limitsOf(limits, attempt) },
        }),
      ),
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
        // Not the client's own `insert`, which would take every row apart and write it again.
        const { stream } = await this.#owner.exec({
          query,
          values: Readable.from([bytes], { objectMode: false }),
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: insertSettings,
        })
        await finished(stream.resume())
      }),
    )
  }

  /** The answer in the format Native. It is held in memory, here and on the server, until it is whole. */
  async queryNative(statement: Sql, limits: QueryLimits = {}): Promise<Buffer> {
    const { text, parameters } = render(statement)
    return await this.#withDeadline(limits, (attempt) =>
      this.#stoppable(attempt, async () => {
        const { stream } = await this.#owner.exec({
          query: `${text} format Native`,
          query_params: parameters,
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: { ...readSettings, ...this.#limitsOf(limits, attempt) },
        })
        return await buffer(stream)
      }),
    )
  }

  /** `rows` is what `queryNative` answered, of these or an earlier version's columns. On disk when this resolves. */
  async insertNative(table: string, rows: Uint8Array): Promise<void> {
    await this.#send(`insert into ${nameOf(table)} format Native`, rows)
  }

  /** Returns why the engine does not answer, or undefined. "Too busy" counts as an answer. */
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
   * How many writes to files have failed since the server was started. Rejects when that cannot be read; it has as long
   * as the statement that it follows, so that it makes no progress impossible on an engine that is slow.
   */
  async failedWrites(): Promise<number> {
    const failures = sql`
      select sum(value) as failures
      from system.events
      where event = 'WriteBufferFromFileDescriptorWriteFailed'`
    const [row] = await this.query<{ failures: number }>(failures, { lane: 'ingest' })
    // A sum without a group has one row, so an answer without it was not written whole.
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
    try {
      giveUp.signal.throwIfAborted()
      const secondsLeft = () => Math.max(0.001, (endsAt - performance.now()) / 1000)
      return await run({ queryId: randomUUID(), signal: giveUp.signal, secondsLeft })
    } catch (problem) {
      throw toEngineError(giveUp.signal.aborted ? giveUp.signal.reason : problem)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Closing the connection only ends the waiting: a statement that was given up is also stopped where it runs. */
  async #stoppable<T>({ queryId, signal }: EngineRequest, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (problem) {
      if (signal.aborted) await this.#kill(queryId)
      throw problem
    }
  }

  /**
   * Stops a query. A caller may abort before the engine has begun the statement, so the kill is repeated until it finds
   * it, a few times. Where the engine cannot be reached, the query ends by its own deadline.
   */
  async #kill(queryId: string): Promise<void> {
    const { text, parameters } = render(sql`kill query where query_id = ${string(queryId)} async`)
    const abort_signal = AbortSignal.timeout(killWithinMs)
    const request = { query: text, query_params: parameters, format: 'JSONEachRow', abort_signal } as const
    for (const waitMs of killAgainAfterMs) {
      const killed = await this.#owner.query(request).then(
        (answer) => answer.json(),
        () => undefined,
      )
      if (!killed || killed.length > 0) return
      await sleep(waitMs)
    }
  }

  /** One at a time may have all cores; several at once would only wait for one another's threads. */
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
