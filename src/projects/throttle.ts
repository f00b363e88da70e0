import type { Store, StoreTransaction } from '#store/store'
import { openTables } from '#store/tables'
import type { World } from '#world/world'

interface GuessFailures {
  failures: number
  failedAt: Date
}

const open = openTables<{ throttles: GuessFailures & { bucket: string } }>()

/** The speed at which guesses with something in common are answered. */
interface GuessLimit {
  /** The number of guesses without a wait. */
  free: number
  /** The limit of the wait, which doubles with each further guess. */
  mostSeconds: number
}

/**
 * Limits for one guesser: one address (and one account), or one device. Further guesses are refused until the wait is
 * over; others are not affected.
 */
const ownLimits = {
  'account-address': { free: 5, mostSeconds: 900 },
  address: { free: 20, mostSeconds: 900 },
  device: { free: 10, mostSeconds: 900 },
  'second-factor': { free: 10, mostSeconds: 900 },
} satisfies Record<string, GuessLimit>

/**
 * Limits that many guessers share. An attacker can keep these exceeded, so they never lock an address out: each address
 * waits once and is admitted when it returns after that wait.
 */
const sharedLimits = {
  network: { free: 50, mostSeconds: 10 },
  account: { free: 20, mostSeconds: 60 },
  all: { free: 300, mostSeconds: 5 },
} satisfies Record<string, GuessLimit>

const forgetAfterMs = 60 * 60_000
/** The time that an address that had to wait may take to return. */
const turnLastsMs = 10 * 60_000

export interface SignInAttempt {
  /** The target of the guesses: an email address, or "setup". */
  account: string
  /** The guesser's network: a /24, or a /64 in IPv6. */
  network: string
  /** A keyed digest of the guesser's whole address; the network is used if it is unknown. */
  address?: string | undefined
  /** A device from which this account has signed in before. Guesses from elsewhere do not throttle it. */
  device?: string | undefined
  /**
   * Codes have few digits, and a guesser at this step knows the password. All unknown devices then share one limit,
   * without turns.
   */
  guardsSecondFactor?: boolean
}

/** The result: the counted guess, or the time to wait. */
type GuessAdmission = { admitted: true; counted: readonly string[] } | { admitted: false; seconds: number }

/**
 * Counts guesses before they are checked, so that concurrent guesses all count. `succeeded` uncounts a correct guess.
 */
export class GuessThrottle {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  async admit(attempt: SignInAttempt): Promise<GuessAdmission> {
    const now = this.dependencies.world.now()
    const own = ownBuckets(attempt)
    const shared = sharedBuckets(attempt)
    const turn = turnBucket(attempt)
    return await this.dependencies.store.transaction(async (transaction) => {
      const known = await findFailures(transaction, [...own.keys(), ...shared.keys(), turn])
      const ownWait = maxWaitSeconds(own, known, now)
      if (ownWait > 0) return { admitted: false, seconds: ownWait }
      const sharedWait = maxWaitSeconds(shared, known, now)
      const turnWait = await this.waitForTurn(turn, known.get(turn), sharedWait, transaction)
      if (turnWait > 0) return { admitted: false, seconds: turnWait }
      const counted = [...own.keys(), ...shared.keys()]
      for (const bucket of counted) {
        const failures = recentFailures(known.get(bucket), now) + 1
        await saveFailures(transaction, bucket, { failures, failedAt: now })
      }
      await removeFailures(transaction, { before: new Date(now.getTime() - forgetAfterMs) })
      return { admitted: true, counted }
    })
  }

  /** Uncounts a correct guess. The guesser's own record is cleared; shared records of others stay. */
  async succeeded(attempt: SignInAttempt, { counted }: { counted: readonly string[] }): Promise<void> {
    const cleared = bucketsClearedBySuccess(attempt)
    const lessened = counted.filter((bucket) => !cleared.includes(bucket))
    await this.dependencies.store.transaction(async (transaction) => {
      const known = await findFailures(transaction, lessened)
      for (const [bucket, { failures, failedAt }] of known)
        await saveFailures(transaction, bucket, { failures: Math.max(0, failures - 1), failedAt })
      await removeFailures(transaction, { buckets: cleared })
    })
  }

  /** The turn of an address is stored as the time from which it is admitted. */
  private async waitForTurn(
    bucket: string,
    turn: GuessFailures | undefined,
    sharedWait: number,
    transaction: StoreTransaction,
  ): Promise<number> {
    const now = this.dependencies.world.now()
    const sinceTurnMs = turn ? now.getTime() - turn.failedAt.getTime() : Number.POSITIVE_INFINITY
    if (sinceTurnMs < 0) return Math.ceil(-sinceTurnMs / 1000)
    if (turn) await removeFailures(transaction, { buckets: [bucket] })
    if (sharedWait === 0 || sinceTurnMs < turnLastsMs) return 0
    const failedAt = new Date(now.getTime() + sharedWait * 1000)
    await saveFailures(transaction, bucket, { failures: 0, failedAt })
    return sharedWait
  }
}

export const waitInWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`

const addressBucket = ({ address, network }: SignInAttempt): string => address ?? network

const turnBucket = (attempt: SignInAttempt): string => `turn ${attempt.account} ${addressBucket(attempt)}`

function ownBuckets(attempt: SignInAttempt): Map<string, GuessLimit> {
  if (attempt.device !== undefined)
    return new Map([[`device ${attempt.account} ${attempt.device}`, ownLimits.device]])
  const address = addressBucket(attempt)
  return new Map([
    [`account-address ${attempt.account} ${address}`, ownLimits['account-address']],
    [`address ${address}`, ownLimits.address],
    ...(attempt.guardsSecondFactor
      ? [[`second-factor ${attempt.account}`, ownLimits['second-factor']] as const]
      : []),
  ])
}

function sharedBuckets({ account, network, device }: SignInAttempt): Map<string, GuessLimit> {
  if (device !== undefined) return new Map()
  return new Map([
    [`network ${network}`, sharedLimits.network],
    [`account ${account}`, sharedLimits.account],
    ['all', sharedLimits.all],
  ])
}

const bucketsClearedBySuccess = (attempt: SignInAttempt): string[] =>
  [...ownBuckets(attempt).keys()].filter((bucket) => !/^(?:address|second-factor) /.test(bucket))

const recentFailures = (known: GuessFailures | undefined, now: Date): number =>
  known && now.getTime() - known.failedAt.getTime() < forgetAfterMs ? known.failures : 0

const maxWaitSeconds = (
  buckets: ReadonlyMap<string, GuessLimit>,
  known: ReadonlyMap<string, GuessFailures>,
  now: Date,
): number => Math.max(0, ...[...buckets].map(([name, limit]) => waitSeconds(known.get(name), limit, now)))

function waitSeconds(known: GuessFailures | undefined, { free, mostSeconds }: GuessLimit, now: Date): number {
  const excess = recentFailures(known, now) - free
  if (!known || excess < 0) return 0
  const seconds = Math.min(2 ** excess, mostSeconds)
  return Math.ceil(Math.max(0, seconds - (now.getTime() - known.failedAt.getTime()) / 1000))
}

async function findFailures(
  transaction: StoreTransaction,
  buckets: readonly string[],
): Promise<Map<string, GuessFailures>> {
  const rows = await open(transaction)
    .selectFrom('throttles')
    .selectAll()
    .where('bucket', 'in', buckets)
    .execute()
  return new Map(rows.map(({ bucket, ...failures }) => [bucket, failures]))
}

async function saveFailures(
  transaction: StoreTransaction,
  bucket: string,
  { failures, failedAt }: GuessFailures,
): Promise<void> {
  await open(transaction)
    .insertInto('throttles')
    .values({ bucket, failures, failedAt })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ failures, failedAt }))
    .execute()
}

async function removeFailures(
  transaction: StoreTransaction,
  which: { buckets: readonly string[] } | { before: Date },
): Promise<void> {
  const forgetting = open(transaction).deleteFrom('throttles')
  await (
    'buckets' in which
      ? forgetting.where('bucket', 'in', which.buckets)
      : forgetting.where('failedAt', '<', which.before)
  ).execute()
}
