import type { Kysely } from 'kysely'

/**
 * Stores everything except events. Each module declares its tables in `store.ts`, or in `stored-….ts` of one noun, and
 * opens them with `openTables`, so rows never leave that file. Both databases store instants as ISO text in UTC, booleans
 * as 0 or 1 and objects as JSON text, with the same meaning and sort order.
 */
export interface Store {
  readonly form: 'sqlite' | 'postgres'
  /** A handle typed with the calling module's tables. Outside a transaction every statement is committed alone. */
  tables<Tables>(): Kysely<Tables>
  /**
   * Commits all changes or none. Writers of the same rows run one at a time: those of definitions unless another scope is
   * named. Listeners receive what `work` announces after the commit.
   */
  transaction<Outcome, Scope extends WriteScope = 'definitions'>(
    work: (transaction: TransactionOf<Scope>) => Promise<Outcome>,
    scope?: Scope,
  ): Promise<Outcome>
  /**
   * Runs `work` while nothing else of the same name runs: in this process, and in any other that shares this store. Work
   * that is shared runs beside shared work of other processes.
   * `isHeld` becomes false when the lock may have been lost, long before another process can take it. Work that is long
   * renews the lock for as long as this process and its connection are alive. `source` reads what is committed, on the
   * connection that holds the lock.
   */
  exclusively<Outcome>(
    name: ExclusiveWork | readonly ExclusiveWork[],
    work: (isHeld: () => boolean, source: TableSource) => Promise<Outcome>,
    options?: { isLong?: boolean; isShared?: boolean },
  ): Promise<Outcome>
  /**
   * Registers a listener for the topic of every change. It is called at once for changes of this process, and within a
   * second for those of others.
   */
  onChange(listener: (topic: string) => void): () => void
  /** The number of changes known to this process. It only grows. */
  changeCount(): number
  /** Tells listeners of all changes up to a count that another process knows. */
  catchUpTo(changeCount: number): Promise<void>
  /** Drops copies of the tables from before upgrades. */
  dropCopies(which: CopiesToDrop): Promise<void>
  /**
   * Empties the log of a file, which has pages as they were before rows were deleted. Rejects with `StoreBusyError` if
   * readers and writers of other processes prevent it for too long.
   */
  emptyLog(): Promise<void>
  /** Runs a small query to check that the store responds. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The copies from before upgrades to drop: all unless one of these is given. */
export interface CopiesToDrop {
  /** Copies that were made before this instant. */
  madeBefore?: Date | undefined
  /** All but so many of the newest. */
  mostKept?: number | undefined
}

/** Work that only one of the processes that share a store may do at a time. Several are always named in this order. */
export type ExclusiveWork = 'store events' | 'mirror persons'

/** The store, or a transaction in it: what statements run on. */
export type TableSource = Pick<StoreTransaction, 'tables'>

export interface StoreTransaction {
  tables<Tables>(): Kysely<Tables>
  announce(topic: string): Promise<void>
}

/**
 * The rows that a transaction writes. They decide which others it waits for on Postgres:
 *
 * - `definitions`: everything that is in no line below. These run one at a time.
 * - `every person`: any persons, with their distinct ids and groups, beside definitions.
 * - `persons`: those of these keys. It waits for others with one of the keys and for `every person`.
 * - `visitors`: their sessions. It waits for others with one of the keys.
 * - `all event counts`: reads and writes them, beside definitions. It waits for all that add `an event count`.
 * - `an event count`: adds to it, which needs no order.
 * - `unlocked`: rows that each statement finds as it expects them, or leaves alone.
 */
export type WriteScope =
  | 'definitions'
  | 'every person'
  | { readonly persons: readonly string[] }
  | { readonly visitors: readonly string[] }
  | 'all event counts'
  | 'an event count'
  | 'unlocked'

declare const mayWrite: unique symbol

/** A transaction that holds the locks of the persons that it writes. */
export type PersonsTransaction = StoreTransaction & { readonly [mayWrite]: 'persons' }

/** A transaction that holds the lock of event counts. */
export type EventCountsTransaction = StoreTransaction & { readonly [mayWrite]: 'event counts' }

export type TransactionOf<Scope extends WriteScope> = Scope extends
  | 'every person'
  | { persons: readonly string[] }
  ? PersonsTransaction
  : Scope extends 'all event counts' | 'an event count'
    ? EventCountsTransaction
    : StoreTransaction

/** The store is unusable as it is; the message says what to do. Nothing was changed. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError'
}

/** The store does not respond. It may respond again without intervention. */
export class StoreUnreachableError extends StoreRefusedError {}

/** Why the store cannot work at the moment. */
export type StoreTrouble = 'busy' | 'full' | 'broken' | 'away'

const troubleMessages: Record<StoreTrouble, string> = {
  busy: 'The store is held by another writer. Try again in a moment.',
  full: 'The disk of the store is full, so nothing can be saved. Try again once its operator has made room.',
  broken: 'The disk of the store fails, so nothing can be saved. Its operator finds the reason in the log.',
  away: 'The store does not answer. Try again in a moment.',
}

/** A temporary failure: nothing was changed, and the same call works later. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError'
  constructor(
    readonly trouble: StoreTrouble,
    options?: { cause?: unknown },
  ) {
    super(troubleMessages[trouble], options)
  }
}

/** The error for a store that another writer held longer than a caller waits. */
export class StoreBusyError extends StoreUnavailableError {
  override readonly name = 'StoreBusyError'
  constructor(options?: { cause?: unknown }) {
    super('busy', options)
  }
}

/** The time limit of a write that may be lost. */
const bestEffortMs = 100

/**
 * Writes a detail such as the time of the last visit, which may be lost. A store that cannot write does not delay
 * readers.
 */
export async function writeBestEffort(write: Promise<unknown>): Promise<void> {
  const written = write.catch((problem: unknown) => {
    if (!(problem instanceof StoreUnavailableError)) throw problem
  })
  // handled here as well, because it may fail after the time limit
  written.catch(() => {})
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, bestEffortMs).unref())])
}

const uniqueViolations: ReadonlySet<unknown> = new Set([
  1555, // SQLite: primary key
  2067, // SQLite: unique
  '23505', // Postgres
])

/** Whether a write failed because the key or name exists already. */
export function isUniqueViolation(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false
  const { errcode, code } = problem as { errcode?: unknown; code?: unknown } // both drivers put a code on the error
  return uniqueViolations.has(errcode) || uniqueViolations.has(code)
}
