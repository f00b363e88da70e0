import type { Sql } from './sql'
import type { Written, WrittenAnswer } from './written'

export interface Credentials {
  username: string
  password: string
}

/** Where a ClickHouse server answers, and as whom to speak to it. */
export interface EngineAddress extends Credentials {
  url: string
  database: string
  /** Who asks what people wrote in SQL, where there is somebody who sees one project's rows alone. */
  asker?: Credentials | undefined
  /** How many threads each question takes where several are asked at once; as many as it may where that is not said. */
  threadsTogether?: number | undefined
}

export type EngineStatus = 'starting' | 'ready' | 'restarting' | 'unreachable' | 'stopped'

export interface EngineHealth {
  form: 'embedded' | 'remote'
  status: EngineStatus
  /** Since when it has been in this status. */
  since: Date
  /** How often the child was started again since this process began; always 0 for a remote engine. */
  restarts: number
  version?: string
  /** In words a person can act on; absent while all is well. */
  trouble?: string
}

export interface QueryLimits {
  /** The engine gives up after this; default 30 000. */
  deadlineMs?: number
  /** Most memory one query may take in the engine. */
  memoryBytes?: number
  /** Aborting stops the query in the engine too, not only the waiting for it. */
  signal?: AbortSignal
  /** Standing in the queue: pages wait in line so that ingestion never does. */
  lane?: 'dashboard' | 'ingest'
  /** Hears what the answer took, for those who want to know why something is slow. */
  onRead?: (read: EngineReading) => void
}

/** What the engine read for one answer. */
export interface EngineReading {
  rows: number
  bytes: number
}

/** What the engine could not do, told apart because callers decide differently on each. */
export type EngineFailure = 'unavailable' | 'deadline' | 'memory' | 'cancelled' | 'disk-full' | 'rejected'

export class EngineError extends Error {
  constructor(
    readonly failure: EngineFailure,
    message: string,
    options?: { cause?: unknown; code?: string },
  ) {
    super(message, options)
    this.name = 'EngineError'
    this.code = options?.code
  }
  /** ClickHouse's own error number, where there was one. */
  readonly code?: string
}

/** Everything Tilth asks of ClickHouse. Two forms, embedded and remote; one contract suite holds both to this. */
export interface Engine {
  readonly health: () => EngineHealth
  /**
   * Where the engine answers now, for the pages process and the command line; undefined until it has been ready once.
   * An embedded engine tells it for a guest, who may ask but not write.
   */
  readonly address: () => EngineAddress | undefined
  /** Resolves once the engine answers and is migrated; rejects only when the engine was closed before that. */
  readonly ready: () => Promise<void>
  /**
   * Numbers come as JavaScript has them, so ask `toString(x)` of what may be larger than 2^53; moments come as ISO 8601
   * in UTC. It cannot write.
   */
  query<Row>(statement: Sql, limits?: QueryLimits): Promise<Row[]>
  /**
   * Asks what somebody wrote in SQL: of `projectViews` and one project's rows, and within limits of its own. It is to
   * have passed the guard before.
   */
  askWritten(written: Written, limits?: Pick<QueryLimits, 'signal'>): Promise<WrittenAnswer>
  /** How the engine's own parser understands it, as lines of a tree. Nothing of it is run. */
  syntaxOf(written: Written): Promise<string[]>
  /** Runs a statement that answers nothing. */
  command(statement: Sql, limits?: QueryLimits): Promise<void>
  /** `rows` is newline-delimited JSON, one object a line, passed through as it is. On disk when this resolves. */
  insert(table: string, rows: Uint8Array | string): Promise<void>
  close(): Promise<void>
}
