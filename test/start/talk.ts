import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came back over a bare connection. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * A bare connection, for saying what no HTTP client would. What the other side says is kept; `answers` reads it as
 * complete HTTP answers, so that one answer too many is seen, too.
 */
export class Talk {
  private heard = Buffer.alloc(0)
  private isOver = false

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.heard = Buffer.concat([this.heard, chunk])))
    socket.on('error', () => {})
    socket.once('close', () => (this.isOver = true))
  }

  static async with(port: number, host = '127.0.0.1'): Promise<Talk> {
    const socket = connect(port, host)
    await once(socket, 'connect')
    return new Talk(socket)
  }

  say(text: string | Buffer): this {
    this.socket.write(text)
    return this
  }

  async untilAnswers(number: number): Promise<Answer[]> {
    await this.until(() => this.answers().length >= number)
    return this.answers()
  }

  async untilClosed(): Promise<Answer[]> {
    await this.until(() => this.isOver)
    return this.answers()
  }

  close(): void {
    this.socket.destroy()
  }

  /** Only answers with a content-length, or what is there when the connection ends. */
  answers(): Answer[] {
    const answers: Answer[] = []
    let rest = this.heard
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
      if (this.isOver && !isSo())
        throw new Error(`The connection ended after ${JSON.stringify(this.heard.toString())}`)
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

function readHead(head: string): Omit<Answer, 'body'> {
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line) ?? ['', '', ''])
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([, name = '', value = '']) => [name.toLowerCase(), value])),
  }
}
