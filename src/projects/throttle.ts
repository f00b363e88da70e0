import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import { type Failures, failuresIn, forgetFailures, saveFailures } from './store'

/** How patient we are with wrong guesses, per what they have in common. */
interface Patience {
  /** So many are free. */
  free: number
  /** Then the wait doubles with each, up to this. */
  mostSeconds: number
}

/**
 * One guesser against one account soon waits a quarter of an hour. Guessers from many places slow the account down by
 * half a minute at most: a stranger must not be able to lock its owner out.
 */
const patience = {
  'account-from': { free: 5, mostSeconds: 900 },
  from: { free: 20, mostSeconds: 900 },
  account: { free: 20, mostSeconds: 30 },
  all: { free: 300, mostSeconds: 5 },
} satisfies Record<string, Patience>

const forgottenAfterMs = 60 * 60_000

export interface Attempt {
  /** What is guessed at: an e-mail address, or "setup". */
  account: string
  /** The guesser's network, see Origin. */
  address: string
}

export class Throttle {
  constructor(private readonly ground: { store: Store; world: World }) {}

  /** How long this guess has to wait; 0 when it may be made now. */
  async waitSeconds(attempt: Attempt): Promise<number> {
    const buckets = bucketsOf(attempt)
    const failures = await failuresIn(this.ground.store, [...buckets.keys()])
    const now = this.ground.world.now()
    const waits = [...buckets].map(([name, rule]) => wait(failures.get(name), rule, now))
    return Math.max(0, ...waits)
  }

  /** Within a transaction, so that guesses at the same moment are all counted. */
  async failed(attempt: Attempt, transaction: StoreTransaction): Promise<void> {
    const now = this.ground.world.now()
    const buckets = [...bucketsOf(attempt).keys()]
    const known = await failuresIn(transaction, buckets)
    for (const bucket of buckets) {
      const failures = recent(known.get(bucket), now) + 1
      await saveFailures(transaction, bucket, { failures, failedAt: now })
    }
    await forgetFailures(transaction, { before: new Date(now.getTime() - forgottenAfterMs) })
  }

  /** The right password clears the guesser's own slate, not the account's: others may still be guessing. */
  async succeeded(attempt: Attempt): Promise<void> {
    const own = `account-from ${attempt.account} ${attempt.address}`
    await forgetFailures(this.ground.store, { buckets: [own] })
  }
}

export const inWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`

const bucketsOf = ({ account, address }: Attempt): Map<string, Patience> =>
  new Map([
    [`account-from ${account} ${address}`, patience['account-from']],
    [`from ${address}`, patience.from],
    [`account ${account}`, patience.account],
    ['all', patience.all],
  ])

const recent = (known: Failures | undefined, now: Date): number =>
  known && now.getTime() - known.failedAt.getTime() < forgottenAfterMs ? known.failures : 0

function wait(known: Failures | undefined, { free, mostSeconds }: Patience, now: Date): number {
  const beyond = recent(known, now) - free
  if (!known || beyond < 0) return 0
  const seconds = Math.min(2 ** beyond, mostSeconds)
  return Math.ceil(Math.max(0, seconds - (now.getTime() - known.failedAt.getTime()) / 1000))
}
