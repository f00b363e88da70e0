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
  /** All of it or nothing. Writers go one after the other; what `work` announces is told to everyone after the commit. */
  transaction<Outcome>(work: (transaction: StoreTransaction) => Promise<Outcome>): Promise<Outcome>
  /** Hears the topic of every change, in this process at once, in every other process within a second. */
  onChange(listener: (topic: string) => void): () => void
  /** A small question to prove that it still answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface StoreTransaction {
  tables<Tables>(): Kysely<Tables>
  announce(topic: string): Promise<void>
}

/** The store cannot be used as it is; the message says what a person can do about it. Nothing was changed. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}

/** Nobody there could be asked. It may answer a moment later, without anybody mending anything. */
export class StoreAway extends StoreRefused {}

/** Another writer held the store for longer than we are willing to wait. Passing trouble: try again. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy'
}

const uniqueViolations: ReadonlySet<unknown> = new Set([
  1555, // SQLite: primary key
  2067, // SQLite: unique
  '23505', // Postgres
])

/** Whether a write failed because something of that name is there already. */
export function isTaken(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false
  const { errcode, code } = problem as { errcode?: unknown; code?: unknown } // both drivers hang their number on the error
  return uniqueViolations.has(errcode) || uniqueViolations.has(code)
}
