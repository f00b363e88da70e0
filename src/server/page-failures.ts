import type { RequestListener } from 'node:http'
import type { EngineFailure } from '#engine/engine'
import { type FailureCause, failureCauseHeader } from '#http/forward'

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

interface FailedRequest {
  id: string
  method: string
  /** The page that the reader sees instead of the exception; none if no page was begun. */
  digest: string | undefined
}

const mostKept = 200
/** After a longer pause the same failure counts as a new one. */
const quietMs = 10 * 60_000

/** Recent failures of pages by digest, which the readers see instead of the exception. */
export class PageFailures {
  private readonly seen = new Map<string, RecentFailure>()
  /** The requests in progress, and what has failed them if it was no mistake of Tilth. */
  private readonly causes = new Map<string, FailureCause | undefined>()

  /** Tells the front of failures that are not mistakes of Tilth. */
  markedBy(pages: RequestListener): RequestListener {
    return (request, response) => {
      const id = String(request.headers['x-request-id'])
      this.causes.set(id, undefined)
      response.once('close', () => this.causes.delete(id))
      const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => typeof response
      response.writeHead = (status: number, ...more: unknown[]) => {
        const cause = this.causes.get(id)
        if (status >= 500 && cause) response.setHeader(failureCauseHeader, cause)
        return writeHead(status, ...more)
      }
      pages(request, response)
    }
  }

  /** Returns what failed the request if it was no mistake of Tilth. */
  note(error: unknown, { id, method, digest }: FailedRequest, now: Date): FailureCause | undefined {
    if (!(error instanceof Error)) return undefined
    const cause = causeOf(error, method)
    if (cause && this.causes.has(id)) this.causes.set(id, cause)
    if (digest !== undefined && isForReaders(error)) this.keep(digest, error, now)
    return cause
  }

  private keep(digest: string, error: Error, now: Date): void {
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

function causeOf(error: Error, method: string): FailureCause | undefined {
  if (isOfStore(error)) return 'store'
  return method === 'POST' && isThrownByReader(error) ? 'input' : undefined
}

/**
 * Whether Next could not read what was sent: its own code threw before any of ours ran. The forms and arguments that
 * Next's client writes can all be read.
 */
const isThrownByReader = ({ stack = '' }: Error): boolean => {
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line))
  return frames.length > 0 && frames.every((line) => foreignFrame.test(line))
}

const foreignFrame = /[( ](?:node:|<anonymous>|native|\S*\/node_modules\/next\/dist\/)/

/**
 * Checks the name, because Next compiles classes again for its pages. Messages of other errors may contain anything.
 */
const isForReaders = (error: Error): boolean => error.name === 'EngineError' || isOfStore(error)

const isOfStore = ({ name }: Error): boolean => name === 'StoreUnavailableError' || name === 'StoreBusyError'

const failureIn = (error: Error): EngineFailure | undefined =>
  // only the engine's errors have this name, and they have the field
  error.name === 'EngineError' ? (error as Error & { failure: EngineFailure }).failure : undefined
