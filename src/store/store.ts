import type { Kysely } from 'kysely'

/**
 * Where everything but events lives. Each room keeps its own `store.ts`, declares its own tables there and asks for a
 * handle typed with them, so rows never travel further than that file.
 *
 * Both forms keep instants as ISO text in UTC, claims as 0 or 1 and shapes as JSON text: one meaning, one sort order.
 */
export interface Store {
  readonly form: 'sqlite' | 'postgres'
  /** A handle that knows the asking room's tables. Outside a transaction every statement stands alone. */
  tables<Tables>(): Kysely<Tables>
  /** Commits all of it or nothing. Writers run one at a time; listeners get what `work` announces after the commit. */
  transaction<Outcome>(work: (transaction: StoreTransaction) => Promise<Outcome>): Promise<Outcome>
  /**
   * Runs `work` while no other process that shares this store runs work of the same name. Where the store cannot be
   * shared, it is simply run. `isHeld` turns false when the lock may have been lost, long before another can have it.
   */
  exclusively<Outcome>(
    name: ExclusiveWork,
    work: (isHeld: () => boolean) => Promise<Outcome>,
  ): Promise<Outcome>
  /** Hears the topic of every change, in this process at once, in every other process within a second. */
  onChange(listener: (topic: string) => void): () => void
  /** A small question to prove that it still answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** What only one of the processes that share a store may do at a time. */
export type ExclusiveWork = 'store events'

export interface StoreTransaction {
  tables<Tables>(): Kysely<Tables>
  announce(topic: string): Promise<void>
}

/** The store cannot be used as it is; the message says what a person can do about it. Nothing was changed. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}

/** The store does not answer. It may answer a moment later by itself. */
export class StoreUnreachable extends StoreRefused {}

/** Why the store cannot do something just now. */
export type StoreTrouble = 'busy' | 'full' | 'broken' | 'away'

const troubleMessages: Record<StoreTrouble, string> = {
  busy: 'The store is held by another writer. Try again in a moment.',
  full: 'The disk of the store is full, so nothing can be saved. Try again once its operator has made room.',
  broken: 'The disk of the store fails, so nothing can be saved. Its operator finds the reason in the log.',
  away: 'The store does not answer. Try again in a moment.',
}

/** Passing trouble: nothing was changed, and the same call works once the store does. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
  constructor(
    readonly trouble: StoreTrouble,
    options?: { cause?: unknown },
  ) {
    super(troubleMessages[trouble], options)
  }
}

/** Another writer held the store for longer than a caller waits. */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy'
  constructor(options?: { cause?: unknown }) {
    super('busy', options)
  }
}

/** A note that may be lost is not waited for longer than this. */
const bestEffortMs = 100

/** Writes what a reader leaves behind, such as when it came last. A store that cannot write keeps no reader waiting. */
export async function writeBestEffort(write: Promise<unknown>): Promise<void> {
  const written = write.catch((problem: unknown) => {
    if (!(problem instanceof StoreUnavailable)) throw problem
  })
  // handled here as well: it may fail after the race is over
  written.catch(() => {})
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, bestEffortMs).unref())])
}

const uniqueViolations: ReadonlySet<unknown> = new Set([
  1555, // SQLite: primary key
  2067, // SQLite: unique
  '23505', // Postgres
])

/** Whether a write failed because something of that name is there already. */
export function isUniqueViolation(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false
  const { errcode, code } = problem as { errcode?: unknown; code?: unknown } // both drivers hang their number on the error
  return uniqueViolations.has(errcode) || uniqueViolations.has(code)
}
