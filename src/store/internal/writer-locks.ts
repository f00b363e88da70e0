import { crc32 } from 'node:zlib'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ExclusiveWork, WriteScope } from '../store'

/**
 * Every advisory lock of Postgres that Tilth takes. A transaction takes them in the order of their numbers, so that no
 * two wait for each other (decision 91).
 */
export const lockNumbers = {
  definitions: 7114,
  'store events': 7115,
  migration: 7116,
  'mirror persons': 7117,
  persons: 7118,
  'event counts': 7119,
  /** With a second number: a bucket of persons, or of visitors. */
  'some persons': 7120,
  visitors: 7121,
} as const satisfies Record<ExclusiveWork, number> & Record<string, number>

/** A transaction with thousands of keys takes no more locks than these: Postgres keeps all locks in a table of fixed size. */
const buckets = 256

const alone = (name: keyof typeof lockNumbers) => sql`pg_advisory_xact_lock(${sql.lit(lockNumbers[name])})`
const shared = (name: keyof typeof lockNumbers) =>
  sql`pg_advisory_xact_lock_shared(${sql.lit(lockNumbers[name])})`

/** The locks of each kind of write, in the order in which they are taken. */
const locksOf: Readonly<Record<Extract<WriteScope, string> | 'persons' | 'visitors', RawBuilder<unknown>[]>> =
  {
    definitions: [alone('definitions')],
    'every person': [alone('definitions'), alone('persons')],
    persons: [shared('persons')],
    visitors: [],
    'all event counts': [alone('definitions'), alone('event counts')],
    'an event count': [shared('event counts')],
    unlocked: [],
  }

/** A process that hangs or whose machine is lost loses its locks after this time. */
const lockLostAfterMs = 60_000
const writersWaitForMs = 5_000

/** A SQLite file has a single writer anyway. A lock that is not given in time ends the transaction. */
export async function lockWriters(handle: Kysely<unknown>, scope: WriteScope): Promise<void> {
  if (typeof scope === 'string') return await takeLocks(handle, writersWaitForMs, locksOf[scope])
  if ('persons' in scope) {
    await takeLocks(handle, writersWaitForMs, locksOf.persons)
    await lockBuckets(handle, 'some persons', scope.persons)
  } else {
    await takeLocks(handle, writersWaitForMs, locksOf.visitors)
    await lockBuckets(handle, 'visitors', scope.visitors)
  }
}

/** The lock ends with the transaction, which also works with a pool that assigns connections by transaction. */
export async function lockWork(
  handle: Kysely<unknown>,
  names: readonly ExclusiveWork[],
  isShared: boolean,
): Promise<void> {
  await takeLocks(handle, lockLostAfterMs, names.map(isShared ? shared : alone))
}

/** One statement, whose expressions Postgres evaluates in their order: the limits hold for the locks already. */
async function takeLocks(
  handle: Kysely<unknown>,
  waitForMs: number,
  locks: readonly RawBuilder<unknown>[],
): Promise<void> {
  const limits = [
    sql`set_config('lock_timeout', ${String(waitForMs)}, true)`,
    sql`set_config('idle_in_transaction_session_timeout', ${String(lockLostAfterMs)}, true)`,
  ]
  await sql`select ${sql.join([...limits, ...locks])}`.execute(handle)
}

async function lockBuckets(
  handle: Kysely<unknown>,
  name: keyof typeof lockNumbers,
  keys: readonly string[],
): Promise<void> {
  const numbers = [...new Set(keys.map((key) => crc32(key) % buckets))].toSorted((one, other) => one - other)
  if (numbers.length === 0) return
  await sql`
    select pg_advisory_xact_lock(${sql.lit(lockNumbers[name])}, bucket)
    from unnest(${numbers}::int[]) as bucket`.execute(handle)
}
