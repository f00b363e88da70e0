import { Socket } from 'node:net'
import { Client, DatabaseError } from 'pg'

/** A statement that takes longer makes the server suspect. Migrations and waits for locks may take much longer. */
const suspectAfterMs = 3_000

/**
 * Gives up connections to a server that does not respond any more: one that is stopped or cut off closes none of them,
 * and statements would wait for it forever. A slow statement is not enough: another connection has to fail too.
 */
export class ServerWatch {
  private readonly sockets = new Set<Socket>()
  private probing: Promise<void> | undefined

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

  /** Waits for a statement, and checks the server while it takes long. */
  async during<Outcome>(statement: Promise<Outcome>): Promise<Outcome> {
    const timer = setInterval(() => void this.check().catch(() => {}), suspectAfterMs)
    try {
      return await statement
    } finally {
      clearInterval(timer)
    }
  }

  private check(): Promise<void> {
    this.probing ??= this.probe().finally(() => (this.probing = undefined))
    return this.probing
  }

  private async probe(): Promise<void> {
    const open = [...this.sockets]
    if (await this.responds()) return
    for (const socket of open) socket.destroy(new Error('Connection terminated unexpectedly'))
  }

  private async responds(): Promise<boolean> {
    const socket = new Socket()
    const client = new Client({ connectionString: this.url, stream: () => socket })
    // destroying the socket ends the attempt in whatever state it is
    const giveUp = setTimeout(() => socket.destroy(), this.connectTimeoutMs)
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch (problem) {
      // a refusal is a response
      return problem instanceof DatabaseError
    } finally {
      clearTimeout(giveUp)
      socket.destroySoon()
    }
  }
}
