import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { initializesWithPictures, picturesSession } from './internal/picture-clients'

/** Sends one message to `/mcp`. A response with status 200 is written to `output` as it arrives. */
export type SendMessage = (message: {
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  output: NodeJS.WritableStream
  signal: AbortSignal
}) => Promise<{ status: number; body: string }>

interface RelayedStreams {
  input: NodeJS.ReadableStream
  /** Receives one message a line. */
  writeLine: (line: string) => void
  send: SendMessage
}

const messageSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .object({
      name: z.string().optional(),
      requestId: z.union([z.string(), z.number()]).optional(),
      _meta: z.object({ 'io.modelcontextprotocol/protocolVersion': z.string().optional() }).optional(),
    })
    .optional(),
  result: z.object({ protocolVersion: z.string().optional() }).optional(),
})
type Message = z.infer<typeof messageSchema>

/** Relays the messages of a client that speaks MCP by lines until its input ends and all are answered. */
export async function relayMessages(streams: RelayedStreams): Promise<void> {
  const relay = new MessageRelay(streams)
  const relayed: Promise<void>[] = []
  for await (const line of createInterface({ input: streams.input }))
    if (line.trim() !== '') relayed.push(relay.take(line))
  await Promise.all(relayed)
}

class MessageRelay {
  private readonly sent = new Map<string | number, AbortController>()
  /** The revision that an `initialize` agreed on; later revisions say theirs in each message. */
  private revision: string | undefined
  /** Later messages of such a client have the session of them. */
  private showsPictures = false

  constructor(private readonly streams: RelayedStreams) {}

  async take(line: string): Promise<void> {
    const message = readMessage(line)
    if (!message) return this.refuse(null, -32_700, 'Send one message of JSON-RPC a line.')
    if (message.method === 'initialize') this.showsPictures = initializesWithPictures(jsonIn(line))
    if (message.method === 'notifications/cancelled') this.abort(message.params?.requestId)
    const cancellation = new AbortController()
    if (message.id !== undefined) this.sent.set(message.id, cancellation)
    try {
      await this.pass(line, message, cancellation.signal)
    } catch (problem) {
      if (!cancellation.signal.aborted) this.answerTrouble(message, messageOf(problem))
    } finally {
      if (message.id !== undefined) this.sent.delete(message.id)
    }
  }

  private async pass(line: string, message: Message, signal: AbortSignal): Promise<void> {
    const output = new PassThrough()
    const answered = this.readAnswers(output)
    try {
      const { send } = this.streams
      const answer = await send({ headers: this.headersOf(message), body: Buffer.from(line), output, signal })
      if (answer.status >= 400) this.passRefusal(message, answer)
    } finally {
      output.end()
      await answered
    }
  }

  /** A body is one message of JSON, or a stream of events with one each. */
  private async readAnswers(output: PassThrough): Promise<void> {
    for await (const line of createInterface({ input: output })) {
      const text = line.startsWith('data:') ? line.slice('data:'.length).trim() : line
      if (!text.startsWith('{')) continue
      this.revision = readMessage(text)?.result?.protocolVersion ?? this.revision
      this.streams.writeLine(text)
    }
  }

  private headersOf({ method, params }: Message): Record<string, string> {
    const stated = params?.['_meta']?.['io.modelcontextprotocol/protocolVersion']
    const revision = stated ?? this.revision
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(revision !== undefined && { 'mcp-protocol-version': revision }),
      ...(this.showsPictures && { [picturesSession.name]: picturesSession.value }),
      // revisions that state themselves also have these two, and refuse a message that they do not fit
      ...(stated !== undefined && method !== undefined && { 'mcp-method': method }),
      ...(stated !== undefined && params?.name !== undefined && { 'mcp-name': params.name }),
    }
  }

  private abort(id: string | number | undefined): void {
    if (id !== undefined) this.sent.get(id)?.abort()
  }

  private passRefusal(message: Message, { status, body }: { status: number; body: string }): void {
    const refusal = readRefusal(body)
    if (message.id !== undefined && refusal?.jsonrpc !== undefined) this.streams.writeLine(body)
    else this.answerTrouble(message, refusal?.error?.message ?? `HTTP ${status}.`)
  }

  /** A notification has no answer. */
  private answerTrouble({ id }: Message, trouble: string): void {
    if (id !== undefined) this.refuse(id, -32_000, trouble)
  }

  private refuse(id: string | number | null, code: number, message: string): void {
    this.streams.writeLine(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
  }
}

const refusalSchema = z.object({
  jsonrpc: z.string().optional(),
  error: z.object({ message: z.string() }).optional(),
})

const readMessage = (text: string): Message | undefined => messageSchema.safeParse(jsonIn(text)).data
const readRefusal = (text: string) => refusalSchema.safeParse(jsonIn(text)).data

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))
