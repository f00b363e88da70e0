import type { IncomingMessage, ServerResponse } from 'node:http'

/** Why a body is not read to its end. */
export type BodyRefusal = 'too-large' | 'too-slow'

interface BodyRules {
  mostBytes: number
  idleMs: number
}

const refused = 'refused'

/** The request's sender is gone, or was refused, before its body was complete: nobody waits for an answer. */
export class BodyIncomplete extends Error {
  override readonly name = 'BodyIncomplete'
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Watches a body while somebody else reads it: a page, the API or a dialect. Counts what comes, whatever was announced,
 * and notices when nothing comes any more. `refuse` is called once at most.
 */
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  { mostBytes, idleMs }: BodyRules,
  refuse: (why: BodyRefusal) => void,
): void {
  if (!hasBody(request)) return
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return refuse('too-large')
  if (request.headers.expect) response.writeContinue()

  const watch = new BodyWatch(request, { mostBytes, idleMs }, refuse)
  // paused first: a listener alone would set the body flowing before its reader is there
  request.pause()
  request.on('data', (chunk: Buffer) => watch.received(chunk.length))
  request.once('end', () => watch.stop())
  request.once('close', () => watch.stop())
}

class BodyWatch {
  private bytes = 0
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly request: IncomingMessage,
    private readonly rules: BodyRules,
    private readonly refuse: (why: BodyRefusal) => void,
  ) {
    this.timer = setTimeout(() => this.idle(), rules.idleMs)
  }

  received(bytes: number): void {
    this.timer.refresh()
    this.bytes += bytes
    if (this.bytes > this.rules.mostBytes) this.end('too-large')
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  /** A full buffer means that we are the slow ones, and the sender can do nothing about it. */
  private idle(): void {
    const isOurFault = this.request.readableLength >= this.request.readableHighWaterMark
    if (isOurFault) this.timer.refresh()
    else this.end('too-slow')
  }

  private end(why: BodyRefusal): void {
    this.stop()
    this.request.unpipe()
    this.request.removeAllListeners('data')
    this.request.emit(refused)
    this.refuse(why)
  }
}

/** The whole body, no larger than its route allows. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const giveUp = (): void => reject(new BodyIncomplete('The request ended before its body was complete.'))
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once(refused, giveUp)
    request.once('close', giveUp)
    request.once('error', giveUp)
    request.resume()
  })
}

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
