import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The response over a bare connection. */
export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * A bare connection, for saying what no HTTP client would. What the other side says is kept; `answers` reads it as
 * complete HTTP answers, so that one answer too many is seen, too.
 */
export class RawConnection {
  private received = Buffer.alloc(0)
  private isClosed = false

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk])))
    socket.on('error', () => {})
    socket.once('close', () => (this.isClosed = true))
  }

  static async open(port: number, host = '127.0.0.1'): Promise<RawConnection> {
    const socket = connect(port, host)
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  send(text: string | Buffer): this {
    this.socket.write(text)
    return this
  }

  async waitForResponses(number: number): Promise<RawResponse[]> {
    await this.until(() => this.responses().length >= number)
    return this.responses()
  }

  async waitUntilClosed(): Promise<RawResponse[]> {
    await this.until(() => this.isClosed)
    return this.responses()
  }

  close(): void {
    this.socket.destroy()
  }

  /** Only answers with a content-length, or what is there when the connection ends. */
  responses(): RawResponse[] {
    const answers: RawResponse[] = []
    let rest = this.received
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return answers
      const { status, headers } = readHead(rest.subarray(0, end).toString('latin1'))
      const length = status < 200 ? 0 : Number(headers['content-length'] ?? 0)
      const body = rest.subarray(end + 4, end + 4 + length)
      if (body.length < length) return answers
      if (status >= 200) answers.push({ status, headers, body: body.toString() })
      rest = rest.subarray(end + 4 + length)
    }
  }

  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.isClosed && !isSo())
        throw new Error(`The connection ended after ${JSON.stringify(this.received.toString())}`)
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.socket.off('data', go).off('close', go)
          resolve()
        }
        this.socket.once('data', go).once('close', go)
      })
    }
  }
}

function readHead(head: string): Omit<RawResponse, 'body'> {
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line) ?? ['', '', ''])
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([, name = '', value = '']) => [name.toLowerCase(), value])),
  }
}
