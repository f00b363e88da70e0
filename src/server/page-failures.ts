import type { EngineFailure } from '#engine/engine'

/** An exception that pages ended in, as far as a member may read of it. */
export interface FailedPageRequest {
  /** The engine's own sentence, or the store's: it names what is broken and what happens next. */
  message: string
  /** Undefined for a failure of the store. */
  engine: EngineFailure | undefined
  since: Date
}

interface RecentFailure extends FailedPageRequest {
  lastAt: Date
}

const mostKept = 200
/** The same failure after a longer quiet time is a new one. */
const quietMs = 10 * 60_000

/** What pages have failed on lately, by the digest that their readers are shown instead of the exception. */
export class PageFailures {
  private readonly seen = new Map<string, RecentFailure>()

  note(digest: string, error: unknown, now: Date): void {
    if (!(error instanceof Error) || !isForReaders(error)) return
    const before = this.seen.get(digest)
    const isSame = before && now.getTime() - before.lastAt.getTime() < quietMs
    const since = isSame ? before.since : now
    this.seen.delete(digest)
    this.seen.set(digest, { message: error.message, engine: failureIn(error), since, lastAt: now })
    const [oldest] = this.seen.keys()
    if (this.seen.size > mostKept && oldest !== undefined) this.seen.delete(oldest)
  }

  find(digest: string): FailedPageRequest | undefined {
    return this.seen.get(digest)
  }
}

/** By name: Next compiles classes anew for its pages. The messages of all others may hold anything. */
const isForReaders = ({ name }: Error): boolean =>
  name === 'EngineError' || name === 'StoreUnavailable' || name === 'StoreBusy'

const failureIn = (error: Error): EngineFailure | undefined =>
  // an error of that name is the engine's, which has the field
  error.name === 'EngineError' ? (error as Error & { failure: EngineFailure }).failure : undefined
