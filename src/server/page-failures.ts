import type { EngineFailure } from '#engine/engine'

/** An exception that ended a page, as far as members may read it. */
interface FailedPageRequest {
  /** The engine's own message, or the store's: it names what is broken and what happens next. */
  message: string
  /** Undefined if the store failed. */
  engine: EngineFailure | undefined
  since: Date
}

interface RecentFailure extends FailedPageRequest {
  lastAt: Date
}

const mostKept = 200
/** After a longer pause the same failure counts as a new one. */
const quietMs = 10 * 60_000

/** Recent failures of pages by digest, which the readers see instead of the exception. */
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

/**
 * Checks the name, because Next compiles classes again for its pages. Messages of other errors may contain anything.
 */
const isForReaders = ({ name }: Error): boolean =>
  name === 'EngineError' || name === 'StoreUnavailable' || name === 'StoreBusy'

const failureIn = (error: Error): EngineFailure | undefined =>
  // only the engine's errors have this name, and they have the field
  error.name === 'EngineError' ? (error as Error & { failure: EngineFailure }).failure : undefined
