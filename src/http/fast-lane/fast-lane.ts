import { type OutgoingHttpHeaders, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type PlainRequest, readPlainHead } from './plain-request'

/** A complete response. */
export interface PlainResponse {
  status: number
  /** Made by `formatHeaders`. */
  headerLines: string
  body: string | Uint8Array
}

/** A request of the fast lane, with a handler that was found for it. */
export interface PlainHandler {
  maxBodyBytes: number
  /** Resolves with undefined if `node:http` has to answer; nothing has come of the request then. */
  answer(body: Buffer): PlainResponse | undefined | Promise<PlainResponse | undefined>
}

interface FastLaneSettings {
  /** Returns undefined if `node:http` has to answer. */
  find: (request: PlainRequest, peer: string) => PlainHandler | undefined
  keepAliveMs: number
  /** The time for the first byte of a connection, or the rest of a body, before `node:http` takes it over. */
  patienceMs: number
}

/** Larger bodies are received by `node:http`, which limits the memory of all of them together. */
const maxBodyBytes = 128 * 1024

/**
 * Answers plain requests at the socket, which costs a fraction of what `node:http` costs, and gives everything else to
 * `node:http` with its bytes: any request that is not plain, not complete within a moment or followed by more bytes, and
 * any that its handler does not want. A connection that was given away stays away. So a request is refused by `node:http`
 * or by the front door, never here.
 */
export class FastLane {
  private readonly connections = new Set<LaneConnection>()
  /** Connections that `node:http` has, and on which nothing came before. */
  private readonly silent = new Set<Socket>()
  private readonly takeOver: (socket: Socket) => void
  private readonly refuseEnd: (socket: Socket) => void
  private isDraining = false

  constructor(
    server: Server,
    private readonly settings: FastLaneSettings,
  ) {
    const listeners = server.listeners('connection')
    this.takeOver = (socket) => listeners.forEach((listener) => void listener.call(server, socket))
    this.refuseEnd = (socket) => void server.emit('clientError', unexpectedEnd(), socket)
    server.removeAllListeners('connection')
    server.on('connection', (socket) => this.begin(socket))
  }

  /**
   * Closes idle connections, and those with a request in progress after its response. Browsers open connections that they
   * may never use; `node:http` would wait for their first request as long as for any.
   */
  drain(): void {
    this.isDraining = true
    for (const connection of this.connections) connection.drain()
    for (const socket of this.silent) if (socket.bytesRead === 0) socket.destroySoon()
  }

  /** Aborts what is still open. */
  destroy(): void {
    for (const connection of this.connections) connection.destroy()
  }

  private begin(socket: Socket): void {
    if (this.isDraining) return this.takeOver(socket)
    const connection: LaneConnection = new LaneConnection(socket, {
      ...this.settings,
      takeOver: this.takeOver,
      refuseEnd: this.refuseEnd,
      closed: () => this.connections.delete(connection),
      silent: () => {
        this.silent.add(socket)
        socket.once('close', () => this.silent.delete(socket))
      },
    })
    this.connections.add(connection)
  }
}

/** The error with which `node:http` reports a request that ends before it is complete. */
const unexpectedEnd = (): Error =>
  Object.assign(new Error('Parse Error: Invalid EOF state'), { code: 'HPE_INVALID_EOF_STATE' })

interface ConnectionSettings extends FastLaneSettings {
  takeOver: (socket: Socket) => void
  refuseEnd: (socket: Socket) => void
  /** Called when the connection ends or is given away. */
  closed: () => void
  /** Called when the connection is given away before anything came. */
  silent: () => void
}

/** A request whose body has not arrived completely. */
interface PartialRequest {
  handler: PlainHandler
  headBytes: number
  totalBytes: number
  chunks: Buffer[]
  bytes: number
  since: number
}

/** One connection: at most one request is in progress, and its bytes are kept until it is answered. */
class LaneConnection {
  private readonly peer: string
  private partial: PartialRequest | undefined
  /** The bytes of the request that is being answered. */
  private current: Buffer | undefined
  /** Bytes that arrived meanwhile; the socket is paused then. */
  private next: Buffer | undefined
  private hasAnswered = false
  private hasEnded = false
  private isDraining = false
  private isGivenAway = false

  constructor(
    private readonly socket: Socket,
    private readonly settings: ConnectionSettings,
  ) {
    this.peer = socket.remoteAddress ?? ''
    socket.on('data', this.onData).on('end', this.onEnd).on('error', this.onError)
    socket.on('close', this.onClose).on('timeout', this.onTimeout)
    socket.setTimeout(settings.patienceMs)
  }

  drain(): void {
    this.isDraining = true
    if (this.current) return
    if (this.partial) this.giveAway(this.partial.chunks)
    else if (this.hasAnswered) this.socket.destroySoon()
    // the first request of a new connection may be on its way; `onTimeout` closes it otherwise
  }

  destroy(): void {
    this.socket.destroy()
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.current) {
      this.next = this.next ? Buffer.concat([this.next, chunk]) : chunk
      this.socket.pause()
    } else if (this.partial) this.continue(this.partial, chunk)
    else this.begin(chunk)
  }

  private readonly onEnd = (): void => {
    this.hasEnded = true
    if (this.partial) this.settings.refuseEnd(this.socket)
    else if (!this.current) this.socket.destroySoon()
  }

  private readonly onError = (): void => {
    this.socket.destroy()
  }

  private readonly onClose = (): void => {
    this.settings.closed()
  }

  private readonly onTimeout = (): void => {
    if (this.current) return
    if (this.partial) return this.giveAway(this.partial.chunks)
    if (this.hasAnswered || this.isDraining) return this.destroy()
    this.settings.silent()
    this.giveAway([])
  }

  private begin(chunk: Buffer): void {
    const request = readPlainHead(chunk)
    const totalBytes = request ? request.headBytes + request.bodyBytes : 0
    if (!request || chunk.length > totalBytes || request.bodyBytes > maxBodyBytes)
      return this.giveAway([chunk])
    const handler = this.settings.find(request, this.peer)
    if (!handler || request.bodyBytes > handler.maxBodyBytes) return this.giveAway([chunk])
    const { headBytes } = request
    if (chunk.length === totalBytes) return this.answer(handler, chunk, headBytes)
    const since = performance.now()
    this.partial = { handler, headBytes, totalBytes, chunks: [chunk], bytes: chunk.length, since }
    this.socket.setTimeout(this.settings.patienceMs)
  }

  private continue(partial: PartialRequest, chunk: Buffer): void {
    partial.chunks.push(chunk)
    partial.bytes += chunk.length
    const isLate = performance.now() - partial.since > this.settings.patienceMs
    if (partial.bytes > partial.totalBytes || (isLate && partial.bytes < partial.totalBytes))
      return this.giveAway(partial.chunks)
    if (partial.bytes < partial.totalBytes) return
    this.partial = undefined
    this.socket.setTimeout(this.settings.keepAliveMs + keepAliveBufferMs)
    this.answer(partial.handler, Buffer.concat(partial.chunks, partial.bytes), partial.headBytes)
  }

  private answer(handler: PlainHandler, bytes: Buffer, headBytes: number): void {
    this.current = bytes
    const answered = handler.answer(bytes.subarray(headBytes))
    if (answered instanceof Promise) answered.then(this.finish).catch(this.onError)
    else this.finish(answered)
  }

  private readonly finish = (response: PlainResponse | undefined): void => {
    const { current, next, socket } = this
    this.current = undefined
    if (!current || socket.destroyed) return
    if (!response) return this.giveAway(next ? [current, next] : [current])
    const isLast = this.isDraining || this.hasEnded
    writeResponse(socket, response, isLast ? closes : keptAlive(this.settings.keepAliveMs))
    if (isLast) return socket.destroySoon()
    if (!this.hasAnswered) socket.setTimeout(this.settings.keepAliveMs + keepAliveBufferMs)
    this.hasAnswered = true
    this.next = undefined
    // a client that does not read its responses is sent no more of them
    if (socket.writableNeedDrain) {
      socket.pause()
      socket.once('drain', () => this.proceed(next))
    } else if (next) this.proceed(next)
  }

  private proceed(next: Buffer | undefined): void {
    if (next) this.begin(next)
    if (!this.next && !this.isGivenAway) this.socket.resume()
  }

  /** Gives the connection to `node:http`, with the bytes of the request that it has to read. */
  private giveAway(chunks: readonly Buffer[]): void {
    const { socket, settings } = this
    // as `node:http` with a client that has closed its half; bytes cannot be put back after the end
    if (this.hasEnded) return socket.destroySoon()
    this.isGivenAway = true
    socket.off('data', this.onData).off('end', this.onEnd).off('error', this.onError)
    socket.off('close', this.onClose).off('timeout', this.onTimeout)
    settings.closed()
    socket.setTimeout(0)
    socket.pause()
    if (chunks.length > 0) socket.unshift(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    settings.takeOver(socket)
    socket.resume()
  }
}

/** The time that `node:http` adds, too: a client that uses the connection at the last moment finds it open. */
const keepAliveBufferMs = 1000

/** The header lines as `node:http` writes them. */
const closes = 'connection: close\r\n'
const keptAlive = (ms: number): string =>
  `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(ms / 1000)}\r\n`

/** Head and body of this size together are copied into one buffer, which costs less than a write of two. */
const maxCopiedBytes = 32 * 1024

function writeResponse(
  socket: Socket,
  { status, headerLines, body }: PlainResponse,
  connection: string,
): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines}${dateLine()}${connection}\r\n`
  if (typeof body === 'string') return void socket.write(head + body)
  if (body.length > maxCopiedBytes) {
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    return socket.uncork()
  }
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 0, 'latin1')
  bytes.set(body, head.length)
  socket.write(bytes)
}

/** Anything else could begin another header, or another response. */
const isHeaderValue = /^[\t -~]*$/

const formattedHeaders = new WeakMap<object, string>()

/** Formats headers for a response, those of a frozen object only once. Throws if a value may not be sent. */
export function formatHeaders(headers: Readonly<OutgoingHttpHeaders>): string {
  const known = formattedHeaders.get(headers)
  if (known !== undefined) return known
  const lines = formatEach(headers)
  if (Object.isFrozen(headers)) formattedHeaders.set(headers, lines)
  return lines
}

function formatEach(headers: Readonly<OutgoingHttpHeaders>): string {
  let lines = ''
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) {
      if (!isHeaderValue.test(String(one))) throw new TypeError(`The header ${name} has an invalid value.`)
      lines += `${name}: ${one}\r\n`
    }
  }
  return lines
}

let date = ''
let dateUntil = 0

function dateLine(): string {
  const now = Date.now()
  if (now >= dateUntil || now < dateUntil - 1000) {
    dateUntil = now - (now % 1000) + 1000
    date = `date: ${new Date(now).toUTCString()}\r\n`
  }
  return date
}
