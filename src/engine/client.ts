import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { Asker } from './asker'
import { connect } from './connect'
import type { Credentials, EngineAddress, EngineError, QueryLimits } from './engine'
import { engineError, refusedSignIn, understood } from './failures'
import { Line } from './line'
import { readingIn } from './reading'
import { render, sql, string, type Sql } from './sql'
import type { Written, WrittenAnswer } from './written'

/** As whom to speak for which purpose, and how much at once. */
export interface Connection {
  address: EngineAddress
  /** Asks the questions of dashboards; the owner does, where there is nobody else. */
  reader?: Credentials
  /** Asks what people wrote in SQL, where there is somebody who sees one project's rows alone. */
  asker?: Credentials | undefined
  questionsAtOnce: number
  /** No question may ask for more. */
  mostMemoryBytes?: number
}

const defaultDeadlineMs = 30_000
const insertDeadlineMs = 60_000
/** The engine keeps the deadline itself; this much later it is taken for deaf. */
const graceMs = 2_000
const killWithinMs = 1_000
const killAgainAfterMs = [20, 100, 0]
const probeWithinMs = 3_000

/** The same on an embedded engine and on a server whose defaults nobody knows. */
const always: ClickHouseSettings = {
  // Without it an INSERT may be answered before it is written. It is on by default since ClickHouse 26.
  async_insert: 0,
  // A failure after the first row would otherwise arrive as part of the answer.
  wait_end_of_query: 1,
  session_timezone: 'UTC',
}

const asking: ClickHouseSettings = {
  ...always,
  // Not even a mistake in a question can write; 2 and not 1, since deadlines are settings too.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  // An answer is held in memory here, too.
  max_result_bytes: String(256 * 1024 * 1024),
}

const inserting: ClickHouseSettings = {
  ...always,
  date_time_input_format: 'best_effort',
  // A column nobody knows is a mistake of ours, and dropping it silently would hide it.
  input_format_skip_unknown_fields: 0,
  // One half of a surrogate pair would otherwise fail the whole batch.
  input_format_json_throw_on_bad_escape_sequence: 0,
  distributed_foreground_insert: 1,
}

/** One request under way: aborted by its caller or by its deadline, whichever comes first. */
export interface Attempt {
  queryId: string
  signal: AbortSignal
  secondsLeft: () => number
}

/** Speaks to one ClickHouse, embedded or not; the only file that knows its wire. */
export class Client {
  readonly #owner: ClickHouseClient
  readonly #reader: ClickHouseClient
  readonly #asker: Asker
  readonly #line: Line
  /** What people write may take long, and leaves a place to the others. */
  readonly #writtenLine: Line

  constructor(readonly connection: Connection) {
    const { address, reader = address, asker, questionsAtOnce } = connection
    this.#owner = connect(address)
    this.#reader = connect({ ...address, ...reader })
    this.#asker = new Asker(address, asker)
    this.#line = new Line(questionsAtOnce)
    this.#writtenLine = new Line(Math.max(1, questionsAtOnce - 1))
  }

  async query<Row>(statement: Sql, limits: QueryLimits = {}): Promise<Row[]> {
    const waitsInLine = limits.lane !== 'ingest'
    const client = waitsInLine ? this.#reader : this.#owner
    return this.#attempt(limits, async (attempt) => {
      const leave = waitsInLine ? await this.#line.enter(attempt.signal) : undefined
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
    attempt: Attempt,
  ): Promise<Row[]> {
    const { text, parameters } = render(statement)
    return this.#stoppable(attempt, async () => {
      const answer = await client.query({
        query: text,
        query_params: parameters,
        format: 'JSONEachRow',
        query_id: attempt.queryId,
        abort_signal: attempt.signal,
        clickhouse_settings: { ...asking, ...this.#limitsOf(limits, attempt), ...this.#shareOf(limits) },
      })
      attempt.signal.addEventListener('abort', () => answer.close(), { once: true })
      limits.onRead?.(readingIn(answer.response_headers['x-clickhouse-summary']))
      return answer.json<Row>()
    })
  }

  async askWritten(written: Written, limits: Pick<QueryLimits, 'signal'> = {}): Promise<WrittenAnswer> {
    return this.#attempt(limits, async (attempt) => {
      const leaveFirst = await this.#writtenLine.enter(attempt.signal)
      try {
        return await this.#inLine(attempt, () => this.#asker.ask(written, attempt))
      } finally {
        leaveFirst()
      }
    })
  }

  async syntaxOf(written: Written): Promise<string[]> {
    return this.#attempt({ deadlineMs: probeWithinMs }, (attempt) => this.#asker.syntaxOf(written, attempt))
  }

  async #inLine<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
    const leave = await this.#line.enter(attempt.signal)
    try {
      return await this.#stoppable(attempt, run)
    } finally {
      leave()
    }
  }

  async command(statement: Sql, limits: QueryLimits = {}): Promise<void> {
    const { text, parameters } = render(statement)
    await this.#attempt(limits, (attempt) =>
      this.#stoppable(attempt, () =>
        this.#owner.command({
          query: text,
          query_params: parameters,
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: { ...always, ...this.#limitsOf(limits, attempt) },
        }),
      ),
    )
  }

  async insert(table: string, rows: Uint8Array | string): Promise<void> {
    const bytes = typeof rows === 'string' ? Buffer.from(rows) : rows
    if (bytes.length === 0) return
    const query = `insert into ${nameOf(table)} format JSONEachRow`
    await this.#attempt({ deadlineMs: insertDeadlineMs }, (attempt) =>
      this.#stoppable(attempt, async () => {
        // Not the client's own `insert`, which would take every row apart and write it again.
        const { stream } = await this.#owner.exec({
          query,
          values: Readable.from([bytes], { objectMode: false }),
          query_id: attempt.queryId,
          abort_signal: attempt.signal,
          clickhouse_settings: inserting,
        })
        await finished(stream.resume())
      }),
    )
  }

  /** Why nobody answers, or nothing. Any answer will do: one that says "too busy" is busy, not lost. */
  async probe(): Promise<EngineError | undefined> {
    try {
      await this.query(sql`select 1`, { lane: 'ingest', deadlineMs: probeWithinMs })
      return undefined
    } catch (problem) {
      const error = understood(problem)
      return error.code && !refusedSignIn.has(error.code) ? undefined : error
    }
  }

  /** How many writes to files have failed since the server was started. */
  async failedWrites(): Promise<number> {
    const failures = sql`
      select sum(value) as failures
      from system.events
      where event = 'WriteBufferFromFileDescriptorWriteFailed'`
    const [row] = await this.query<{ failures: number }>(failures, {
      lane: 'ingest',
      deadlineMs: probeWithinMs,
    })
    return row?.failures ?? 0
  }

  async version(): Promise<string | undefined> {
    const [row] = await this.query<{ version: string }>(sql`select version() as version`, { lane: 'ingest' })
    return row?.version
  }

  async close(): Promise<void> {
    await Promise.all([this.#owner.close(), this.#reader.close(), this.#asker.close()])
  }

  async #attempt<T>(limits: QueryLimits, run: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { deadlineMs = defaultDeadlineMs, signal } = limits
    const endsAt = performance.now() + deadlineMs
    const giveUp = new AbortController()
    const cancel = () => giveUp.abort(engineError('cancelled'))
    const timer = setTimeout(() => giveUp.abort(engineError('deadline')), deadlineMs + graceMs)
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
    try {
      giveUp.signal.throwIfAborted()
      const secondsLeft = () => Math.max(0.001, (endsAt - performance.now()) / 1000)
      return await run({ queryId: randomUUID(), signal: giveUp.signal, secondsLeft })
    } catch (problem) {
      throw understood(giveUp.signal.aborted ? giveUp.signal.reason : problem)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Closing the connection only ends the waiting: a statement that was given up is also stopped where it runs. */
  async #stoppable<T>({ queryId, signal }: Attempt, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (problem) {
      if (signal.aborted) await this.#kill(queryId)
      throw problem
    }
  }

  /**
   * Whoever gives up early may do so before the engine has begun, so it is asked again until it knew the statement or
   * does not know it for long enough. If it cannot be reached, it cannot be stopped; it will end by its own deadline.
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
  #shareOf({ lane }: QueryLimits): ClickHouseSettings {
    const { threadsTogether } = this.connection.address
    return lane !== 'ingest' && threadsTogether && this.#line.isBusy ? { max_threads: threadsTogether } : {}
  }

  #limitsOf({ memoryBytes }: QueryLimits, attempt: Attempt): ClickHouseSettings {
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
