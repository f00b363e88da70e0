import type { IncomingMessage, ServerResponse } from 'node:http'

/** Why a body is not read to its end. */
export type BodyRefusal = 'too-large' | 'too-slow'

interface BodyRules {
  mostBytes: number
  idleMs: number
}

/** The request's sender is gone, or was refused, before its body was complete: nobody waits for an answer. */
export class BodyIncomplete extends Error {
  override readonly name = 'BodyIncomplete'
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What a request brings along, watched whoever reads it: a page from the request itself, everybody else from here. */
export interface Body {
  /** The whole of it, no larger than its route allows. Rejects when it will never be complete. */
  read(): Promise<Buffer>
}

const nothing: Body = { read: async () => Buffer.alloc(0) }

/**
 * Counts what comes of a body, whatever was announced, and notices when nothing comes any more. `refuse` is called once
 * at most; undefined when it was called at once.
 */
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  { mostBytes, idleMs }: BodyRules,
  refuse: (why: BodyRefusal) => void,
): Body | undefined {
  if (!hasBody(request)) return nothing
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
    refuse('too-large')
    return undefined
  }
  if (request.headers.expect) response.writeContinue()
  return new BodyWatch(request, { mostBytes, idleMs }, refuse)
}

class BodyWatch implements Body {
  private bytes = 0
  private readonly timer: NodeJS.Timeout
  private reader: Reader | undefined
  private hasEnded = false

  constructor(
    private readonly request: IncomingMessage,
    private readonly rules: BodyRules,
    private readonly refuse: (why: BodyRefusal) => void,
  ) {
    this.timer = setTimeout(() => this.idle(), rules.idleMs)
    // paused first: a listener alone would set the body flowing before its reader is there
    request.pause()
    request.on('data', (chunk: Buffer) => this.received(chunk))
    request.on('end', () => this.complete())
    request.on('close', () => this.leave())
  }

  read(): Promise<Buffer> {
    return new Promise((complete, giveUp) => {
      if (this.hasEnded) return giveUp(incomplete())
      this.reader = { chunks: [], complete, giveUp }
      this.request.on('error', () => this.leave())
      this.request.resume()
    })
  }

  private received(chunk: Buffer): void {
    this.bytes += chunk.length
    this.reader?.chunks.push(chunk)
    if (this.bytes > this.rules.mostBytes) this.end('too-large')
    else this.timer.refresh()
  }

  private complete(): void {
    this.hasEnded = true
    clearTimeout(this.timer)
    if (this.reader) this.reader.complete(whole(this.reader.chunks))
  }

  private leave(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    clearTimeout(this.timer)
    this.reader?.giveUp(incomplete())
  }

  /** A full buffer means that we are the slow ones, and the sender can do nothing about it. */
  private idle(): void {
    const isOurFault = this.request.readableLength >= this.request.readableHighWaterMark
    if (isOurFault) this.timer.refresh()
    else this.end('too-slow')
  }

  private end(why: BodyRefusal): void {
    this.request.unpipe()
    this.request.removeAllListeners('data')
    this.leave()
    this.refuse(why)
  }
}

const incomplete = () => new BodyIncomplete('The request ended before its body was complete.')

interface Reader {
  chunks: Buffer[]
  complete: (body: Buffer) => void
  giveUp: (problem: BodyIncomplete) => void
}

/** Most come in one piece, which needs no copy. */
const whole = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)

/**
 * After an early answer the rest of the body still comes. Closing at once would make the network throw our answer away
 * with the bytes nobody read, so they are read and forgotten: up to a bound, after which the sender has had its chance.
 */
export function forgetTheRest(
  request: IncomingMessage,
  { mostBytes, ms }: { mostBytes: number; ms: number },
): void {
  let left = mostBytes
  const patience = setTimeout(() => request.destroy(), ms)
  const settle = (): void => clearTimeout(patience)
  request.once('end', settle)
  request.once('close', settle)
  request.on('data', (chunk: Buffer) => (left -= chunk.length) < 0 && request.destroy())
  request.resume()
}
