import type { Confinement } from './confinement'
import type { Sql } from './sql'
import type { UserQuery, UserQueryResult } from './user-query'

export interface Credentials {
  username: string
  password: string
}

/** The URL and the user of a ClickHouse server. */
export interface EngineAddress extends Credentials {
  url: string
  database: string
  /** Runs SQL that users wrote; sees the rows of one project alone. */
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
  /** How far an embedded engine's process is kept apart from the rest of the machine; absent until it has said so. */
  confinement?: Confinement
  /** In words a person can act on; absent while all is well. */
  trouble?: string
  /** What it goes without though all is well, in words: a protection that this server does not offer. */
  warning?: string
  /** Parts on disk that no answer includes; only the front's own engine knows of them. */
  detached?: readonly DetachedPart[]
}

/** A part of a table that was taken out of use because it is damaged, or that an operator took out. */
export interface DetachedPart {
  table: string
  /** As in `detached/`, for example `202603_2_2_0` or `broken-on-start_202603_2_2_0`. */
  name: string
  /** Unknown where its own count cannot be read. */
  rows: number | undefined
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
  /** The project of the query: projects take turns in the queue. */
  projectId?: number
  /** Hears what the answer took, for those who want to know why something is slow. */
  onReadStats?: (read: EngineReadStats) => void
}

/** What the engine read for one answer. */
export interface EngineReadStats {
  rows: number
  bytes: number
}

/** Kinds of failure on which callers decide differently. */
export type EngineFailure =
  | 'unavailable'
  | 'deadline'
  | 'memory'
  | 'cancelled'
  | 'disk-full'
  /** The statement or its rows are wrong. Every other failure is for the operator to mend. */
  | 'rejected'
  /** A part on disk is damaged. It is detached, and the same statement works afterwards. */
  | 'corrupted'
  /** The engine failed in a way that is neither the statement's fault nor known to pass. */
  | 'failed'

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
   * Runs SQL that a user wrote: over `projectViews` and one project's rows, within its own limits. The guard must have
   * accepted it before.
   */
  runUserQuery(written: UserQuery, limits?: Pick<QueryLimits, 'signal'>): Promise<UserQueryResult>
  /** How the engine's own parser understands it, as lines of a tree. Nothing of it is run. */
  explainSyntax(written: UserQuery): Promise<string[]>
  /** Runs a statement that answers nothing. */
  command(statement: Sql, limits?: QueryLimits): Promise<void>
  /** `rows` is newline-delimited JSON, one object a line, passed through as it is. On disk when this resolves. */
  insert(table: string, rows: Uint8Array | string): Promise<void>
  /** `rows` is in ClickHouse's format Native, as a backup holds it. On disk when this resolves. */
  insertNative(table: string, rows: Uint8Array): Promise<void>
  close(): Promise<void>
}
