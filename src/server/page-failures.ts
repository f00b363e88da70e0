import type { RequestListener } from 'node:http'
import type { EngineFailure } from '#engine/engine'
import { storeFailedHeader } from '#http/forward'

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
  /** The requests in progress, and whether the store failed them. */
  private readonly failedByStore = new Map<string, boolean>()

  /** Tells the front of pages that the store failed, which are not mistakes of Tilth: they work later. */
  markedBy(pages: RequestListener): RequestListener {
    return (request, response) => {
      const id = String(request.headers['x-request-id'])
      this.failedByStore.set(id, false)
      response.once('close', () => this.failedByStore.delete(id))
      const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => typeof response
      response.writeHead = (status: number, ...more: unknown[]) => {
        if (status >= 500 && this.failedByStore.get(id)) response.setHeader(storeFailedHeader, 'yes')
        return writeHead(status, ...more)
      }
      pages(request, response)
    }
  }

  note(digest: string, error: unknown, now: Date, requestId?: string): void {
    if (!(error instanceof Error) || !isForReaders(error)) return
    if (requestId !== undefined && isOfStore(error) && this.failedByStore.has(requestId))
      this.failedByStore.set(requestId, true)
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
const isForReaders = (error: Error): boolean => error.name === 'EngineError' || isOfStore(error)

const isOfStore = ({ name }: Error): boolean => name === 'StoreUnavailable' || name === 'StoreBusy'

const failureIn = (error: Error): EngineFailure | undefined =>
  // only the engine's errors have this name, and they have the field
  error.name === 'EngineError' ? (error as Error & { failure: EngineFailure }).failure : undefined
