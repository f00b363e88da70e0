import type { IncomingMessage, ServerResponse } from 'node:http'

/** Why a body is not read to its end. */
type BodyRefusal = 'too-large' | 'too-slow' | 'overloaded'

interface BodyRules {
  mostBytes: number
  idleMs: number
  /** The least that must have arrived per second, once the sender has had its time of grace. */
  rate: BodyRate
  received?: ByteBudget
  /** The first bytes of a body, which are not counted; those of a small request if absent. */
  uncountedBytes?: number
}

/** A body that dribbles is refused, however often some of it arrives. */
export interface BodyRate {
  graceMs: number
  bytesPerSecond: number
}

/** Limits the bytes in memory. */
export interface ByteBudget {
  /** Returns false, and counts nothing, if the limit would be exceeded. */
  take(bytes: number): boolean
  release(bytes: number): void
}

/** Bodies up to this size are not counted, so that small requests are answered however many large ones arrive. */
const smallBodyBytes = 128 * 1024

/** Counts the bytes of large bodies over all requests that are still open. */
export class ReceivedBytes implements ByteBudget {
  private held = 0

  constructor(private readonly most: number) {}

  /** Returns false, and counts nothing, if the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.most) return false
    this.held += bytes
    return true
  }

  release(bytes: number): void {
    this.held -= bytes
  }
}

/** The client disconnected, or was refused, before its body was complete: it expects no response. */
export class IncompleteBodyError extends Error {
  override readonly name = 'IncompleteBodyError'
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The body of a request, with limits. Pages read it from the request itself, other handlers from here. */
export interface RequestBody {
  /** Returns the whole body, up to the limit of its route. Rejects if it will never be complete. */
  read(): Promise<Buffer>
}

const emptyBody: RequestBody = { read: async () => Buffer.alloc(0) }

/**
 * Counts the bytes of a body, whatever its announced length, and notices a stalled one. `refuse` is called at most
 * once; returns undefined if it was called at once.
 */
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  rules: BodyRules,
  refuse: (reason: BodyRefusal) => void,
): RequestBody | undefined {
  if (!hasBody(request)) return emptyBody
  if (Number(request.headers['content-length'] ?? 0) > rules.mostBytes) {
    refuse('too-large')
    return undefined
  }
  if (request.headers.expect) response.writeContinue()
  const watch = new BodyWatch(request, rules, refuse)
  response.once('close', () => watch.release())
  return watch
}

class BodyWatch implements RequestBody {
  private bytes = 0
  private readonly timer: NodeJS.Timeout
  private readonly rateTimer: NodeJS.Timeout
  private arrivingMs = 0
  private reader: PendingRead | undefined
  private hasEnded = false
  private counted = 0

  constructor(
    private readonly request: IncomingMessage,
    private readonly rules: BodyRules,
    private readonly refuse: (why: BodyRefusal) => void,
  ) {
    this.timer = setTimeout(() => this.onIdle(), rules.idleMs)
    const everyMs = rules.rate.graceMs / rateChecksInGrace
    this.rateTimer = setInterval(() => this.checkRate(everyMs), everyMs)
    // paused first: a listener alone would start the body before its reader is ready
    request.pause()
    request.on('data', (chunk: Buffer) => this.received(chunk))
    request.on('end', () => this.complete())
    request.on('close', () => this.stopWatching())
  }

  read(): Promise<Buffer> {
    return new Promise((complete, giveUp) => {
      if (this.hasEnded) return giveUp(incompleteBody())
      this.reader = { chunks: [], complete, giveUp }
      this.request.on('error', () => this.stopWatching())
      this.request.resume()
    })
  }

  private received(chunk: Buffer): void {
    this.bytes += chunk.length
    this.reader?.chunks.push(chunk)
    if (this.bytes > this.rules.mostBytes) this.end('too-large')
    else if (!this.count()) this.end('overloaded')
    else this.timer.refresh()
  }

  /** Counts the body until its response; a forwarded body is not held in memory. */
  private count(): boolean {
    const { received, uncountedBytes = smallBodyBytes } = this.rules
    const uncounted = this.bytes - uncountedBytes - this.counted
    if (!received || !this.reader || uncounted <= 0) return true
    if (!received.take(uncounted)) return false
    this.counted += uncounted
    return true
  }

  /** Releases the bytes once the response was sent, or will never be. */
  release(): void {
    this.rules.received?.release(this.counted)
    this.counted = 0
  }

  private complete(): void {
    this.stopTimers()
    if (this.reader) this.reader.complete(concatenate(this.reader.chunks))
  }

  private stopWatching(): void {
    if (this.hasEnded) return
    this.stopTimers()
    this.reader?.giveUp(incompleteBody())
  }

  private stopTimers(): void {
    this.hasEnded = true
    clearTimeout(this.timer)
    clearInterval(this.rateTimer)
  }

  /** Restarts the timer if the delay is not the client's. */
  private onIdle(): void {
    if (this.isOurDelay()) this.timer.refresh()
    else this.end('too-slow')
  }

  /** Counts the time in checks, so that a busy front counts less of it and never too much. */
  private checkRate(everyMs: number): void {
    if (this.isOurDelay()) return
    this.arrivingMs += everyMs
    const { graceMs, bytesPerSecond } = this.rules.rate
    const due = ((this.arrivingMs - graceMs) / 1000) * bytesPerSecond
    if (this.bytes < due) this.end('too-slow')
  }

  /** Whether bytes wait to be read: then the delay is Tilth's, not the client's. */
  private isOurDelay(): boolean {
    return this.request.isPaused() || this.request.readableLength >= this.request.readableHighWaterMark
  }

  private end(reason: BodyRefusal): void {
    this.request.unpipe()
    this.request.removeAllListeners('data')
    this.stopWatching()
    this.refuse(reason)
  }
}

const rateChecksInGrace = 10

const incompleteBody = () => new IncompleteBodyError('The request ended before its body was complete.')

interface PendingRead {
  chunks: Buffer[]
  complete: (body: Buffer) => void
  giveUp: (problem: IncompleteBodyError) => void
}

/** Most bodies arrive in one chunk, which needs no copy. */
const concatenate = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)

/**
 * Reads and drops the rest of the body after an early response, up to a limit. Closing with unread bytes resets the
 * connection, and the client would lose the response.
 */
export function discardRemainingBody(
  request: IncomingMessage,
  { mostBytes, idleMs }: { mostBytes: number; idleMs: number },
): void {
  let left = mostBytes
  const timer = setTimeout(() => request.destroy(), idleMs)
  const settle = (): void => clearTimeout(timer)
  request.once('end', settle)
  request.once('close', settle)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
    else timer.refresh()
  })
  request.resume()
}
