import { Socket } from 'node:net'
import { Client, DatabaseError } from 'pg'

/** A statement that takes longer makes the server suspect. Migrations and waits for locks may take much longer. */
const suspectAfterMs = 3_000

/** The words of the client for a connection that breaks. */
const noResponse = (): Error => new Error('Connection terminated unexpectedly')

/**
 * Gives up connections to a server that does not respond any more: one that is stopped or cut off closes none of them,
 * and statements would wait for it forever. A slow statement is not enough: another connection has to fail too.
 */
export class ServerWatch {
  private readonly sockets = new Set<Socket>()
  private readonly waiting = new Set<(problem: Error) => void>()
  private probing: Promise<void> | undefined
  private isSilent = false

  constructor(
    private readonly url: string,
    private readonly connectTimeoutMs: number,
  ) {}

  /** Opens the socket of a connection. */
  readonly openSocket = (): Socket => {
    const socket = new Socket()
    this.sockets.add(socket)
    return socket.once('close', () => this.sockets.delete(socket))
  }

  /**
   * Waits for a connection. While the server is known not to respond, each attempt fails at once: a page makes several
   * after each other. Each also makes the watch look again.
   */
  async connect<Connection>(
    open: () => Promise<Connection>,
    release: (connection: Connection) => Promise<void>,
  ): Promise<Connection> {
    if (this.isSilent) {
      this.check()
      throw noResponse()
    }
    const opening = open()
    const { promise: silence, reject } = Promise.withResolvers<never>()
    this.waiting.add(reject)
    try {
      return await Promise.race([this.during(opening), silence])
    } catch (problem) {
      opening.then(release).catch(() => {})
      throw problem
    } finally {
      this.waiting.delete(reject)
    }
  }

  /** Waits for a statement, and checks the server while it takes long. */
  async during<Outcome>(statement: Promise<Outcome>): Promise<Outcome> {
    const timer = setInterval(() => this.check(), suspectAfterMs)
    try {
      return await statement
    } finally {
      clearInterval(timer)
    }
  }

  private check(): void {
    this.probing ??= this.probe()
      .catch(() => {})
      .finally(() => (this.probing = undefined))
  }

  private async probe(): Promise<void> {
    const open = [...this.sockets]
    const outcome = await this.tryConnection()
    this.isSilent = outcome === 'silent'
    if (outcome === 'responds') return
    for (const socket of open) socket.destroy(noResponse())
    for (const reject of this.waiting) reject(noResponse())
  }

  private async tryConnection(): Promise<'responds' | 'fails' | 'silent'> {
    const socket = new Socket()
    const client = new Client({ connectionString: this.url, stream: () => socket })
    // destroying the socket ends the attempt in whatever state it is
    let isSilent = false
    const giveUp = setTimeout(() => {
      isSilent = true
      socket.destroy()
    }, this.connectTimeoutMs)
    client.on('error', () => {})
    try {
      await client.connect()
      return 'responds'
    } catch (problem) {
      if (isSilent) return 'silent'
      // a refusal is a response
      return problem instanceof DatabaseError ? 'responds' : 'fails'
    } finally {
      clearTimeout(giveUp)
      socket.destroySoon()
    }
  }
}
