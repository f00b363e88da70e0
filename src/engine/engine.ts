import type { Readable } from 'node:stream'
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
  /** The user for users' SQL; it sees the rows of one project only. */
  sqlUser?: Credentials | undefined
  /** The number of threads of each query if several run at once; unlimited if absent. */
  threadsTogether?: number | undefined
}

export type EngineStatus = 'starting' | 'ready' | 'restarting' | 'unreachable' | 'stopped'

export interface EngineHealth {
  form: 'embedded' | 'remote'
  status: EngineStatus
  /** The time since when it has this status. */
  since: Date
  /** The number of restarts of the child since this process began; always 0 for a remote engine. */
  restarts: number
  version?: string
  /** The confinement of an embedded engine's process; absent until it has reported that. */
  confinement?: Confinement
  /** A problem and its remedy; absent if there is none. */
  trouble?: string
  /** A protection that this server does not offer; absent if none is missing. */
  warning?: string
  /** The capabilities that the server refuses, as sentences with their consequences. */
  doneWithout?: readonly string[]
  /** Parts on disk that no answer includes; only the front's own engine knows them. */
  detached?: readonly DetachedPart[]
  /** Damaged parts of replicated tables, which the server fetches from another replica. */
  repairing?: readonly DetachedPart[]
}

/** A part of a table that was detached because of damage, or by an operator. */
export interface DetachedPart {
  table: string
  /** The name in `detached/`, for example `202603_2_2_0` or `broken-on-start_202603_2_2_0`. */
  name: string
  /** The rows that are in no answer: those that could not be read. Undefined if their number is unknown. */
  rows: number | undefined
}

/** Rows as a file, read as it arrives. */
export interface EngineFile {
  content: Readable
  /** The number of rows that the engine wrote, to notice a file that lost some on the way. */
  rows: number
}

/** The engine's names of the formats that files are exported in. */
export type FileFormat = 'JSONEachRow' | 'CSV' | 'CSVWithNames' | 'Parquet'

export interface QueryLimits {
  /** The engine cancels the query after this time; default 30 000. */
  deadlineMs?: number
  /** Most memory one query may take in the engine. */
  memoryBytes?: number
  /** Aborting also stops the query in the engine. */
  signal?: AbortSignal
  /** The cores that a command may use, where others are to be answered meanwhile. */
  threads?: number
  /** The lane in the queue: dashboards' queries wait in line so that ingestion never does. */
  lane?: 'dashboard' | 'ingest'
  /** The project of the query: projects take turns in the queue. */
  projectId?: number
  /** Receives what the query read, to find out why something is slow. */
  onReadStats?: (read: EngineReadStats) => void
}

/** The rows and bytes that the engine read for one response, and the memory that it took at most. */
export interface EngineReadStats {
  rows: number
  bytes: number
  /** Absent where the server does not say. */
  memoryBytes?: number
}

/** Kinds of failure on which callers decide differently. */
export type EngineFailure =
  | 'unavailable'
  | 'deadline'
  | 'memory'
  | 'cancelled'
  | 'disk-full'
  /** The statement or its rows are wrong. Every other failure is the operator's to fix. */
  | 'rejected'
  /** A part on disk is damaged. It is detached, and the same statement works afterwards. */
  | 'corrupted'
  /** The engine failed for another reason, which may not pass. */
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
  /** ClickHouse's own error number, if there is one. */
  readonly code?: string
}

/**
 * Everything Tilth needs of ClickHouse. It has two implementations, embedded and remote, and one contract suite for
 * both.
 */
export interface Engine {
  readonly health: () => EngineHealth
  /**
   * The current address for the pages process and the command line; undefined until the engine was ready once. An
   * embedded engine gives the address of a guest, which may query but not write.
   */
  readonly address: () => EngineAddress | undefined
  /** Resolves once the engine responds and is migrated; rejects only if the engine was closed before that. */
  readonly ready: () => Promise<void>
  /**
   * Runs a query that cannot write. Numbers are JavaScript numbers, so select `toString(x)` for values above 2^53;
   * instants are ISO 8601 in UTC.
   */
  query<Row>(statement: Sql, limits?: QueryLimits): Promise<Row[]>
  /**
   * Returns the rows of a query that cannot write as a file of this format. Its first byte comes once the query has
   * succeeded: until then the engine keeps the file, on disk if it is large.
   */
  queryFile(statement: Sql, format: FileFormat, limits?: QueryLimits): Promise<EngineFile>
  /**
   * Runs a user's SQL over `projectViews` and one project's rows, within its own limits. The guard must have accepted
   * it before.
   */
  runUserQuery(written: UserQuery, limits?: Pick<QueryLimits, 'signal'>): Promise<UserQueryResult>
  /** Returns the syntax tree of the engine's own parser, as lines. The statement is not run. */
  explainSyntax(written: UserQuery): Promise<string[]>
  /** Runs a statement without a result. */
  command(statement: Sql, limits?: QueryLimits): Promise<void>
  /** Inserts rows, newline-delimited JSON, unchanged. They are on disk when this resolves. */
  insert(table: string, rows: Uint8Array | string): Promise<void>
  /** Returns the rows of a query that cannot write in the format Native. They are held in memory until they are complete. */
  queryNative(statement: Sql, limits?: QueryLimits): Promise<Buffer>
  /** Inserts rows in ClickHouse's format Native, as in a backup. They are on disk when this resolves. */
  insertNative(table: string, rows: Uint8Array): Promise<void>
  close(): Promise<void>
}
