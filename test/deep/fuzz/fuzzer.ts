import { Agent, request as open } from 'node:http'
import { apiRequest, mutatedRequest, type SentRequest } from './mutations'
import { type Pages, pageRequest } from './pages'
import { Random } from './random'
import { type ApiOperation, type Keys, otherPaths, type PlainRequest } from './requests'

interface Target {
  port: number
  project: string
  keys: Keys
  recorded: readonly PlainRequest[]
  /** The API's operations; empty without an API. */
  operations: readonly ApiOperation[]
  /** Absent where there are no pages. */
  pages?: Pages
}

/** A request whose answer breaks a promise. */
interface Fault {
  number: number
  what: string
  request: string
  answer: string
}

interface ReceivedRequest {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends one request after the other that no client would send, and judges the answers. */
export class Fuzzer {
  private readonly random: Random
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 })
  readonly faults: Fault[] = []
  readonly statuses = new Map<number, number>()
  sent = 0

  constructor(
    private readonly target: Target,
    seed: number,
    private readonly onFault: (fault: Fault) => void = () => {},
  ) {
    this.random = new Random(seed)
  }

  async sendOne(): Promise<void> {
    const number = ++this.sent
    const made = this.next()
    let request: ReceivedRequest
    try {
      request = await send(made, this.target.port, this.agent)
    } catch (problem) {
      const code = problem instanceof Error && 'code' in problem ? String(problem.code) : String(problem)
      // an early refusal may end the connection before the whole body was sent
      if (code === 'EPIPE' || code === 'ECONNRESET') return this.count(0)
      return this.note(number, `no answer: ${String(problem)}`, made, undefined)
    }
    this.count(request.status)
    const fault = faultIn(made, request)
    if (fault) this.note(number, fault, made, request)
  }

  close(): void {
    this.agent.destroy()
  }

  private next(): SentRequest {
    const { recorded, operations, pages, keys, project } = this.target
    const { random } = this
    if (pages && random.chance(0.3)) return pageRequest(pages, project, random)
    const operation = random.chance(0.4) ? random.pick(operations) : undefined
    if (operation) return apiRequest(operation, { project, keys }, random)
    const path = random.pick(otherPaths)
    const other: PlainRequest = {
      method: 'POST',
      path,
      query: {},
      headers: {},
      body: random.pick(recorded)?.body,
    }
    const base = random.chance(0.8) ? (random.pick(recorded) ?? other) : other
    return mutatedRequest(base, keys, random)
  }

  private count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  private note(
    number: number,
    what: string,
    { method, target, headers, body }: SentRequest,
    request: ReceivedRequest | undefined,
  ): void {
    const text = `${method} ${target}\n${JSON.stringify(headers)}\n${body?.toString('latin1').slice(0, 2000) ?? ''}`
    const answer = request ? `${request.status} ${request.body.slice(0, 500)}` : ''
    const fault = { number, what, request: text, answer }
    this.faults.push(fault)
    this.onFault(fault)
  }
}

/** Overload and a store that is away are said on purpose, with the time to try again. */
export function faultIn(
  { method }: Pick<SentRequest, 'method'>,
  { status, headers, body }: ReceivedRequest,
): string | undefined {
  const isDeliberate = (status === 503 || status === 504) && headers['retry-after'] !== undefined
  if (status >= 500 && !isDeliberate) return `answered ${status}`
  const type = String(headers['content-type'] ?? '')
  if (/\bjson\b/.test(type) && method !== 'HEAD' && status !== 304 && body !== '' && !isJson(body))
    return 'says it is JSON, and is not'
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const longestAnswerMs = 30_000

function send(
  { method, target, headers, body }: SentRequest,
  port: number,
  agent: Agent,
): Promise<ReceivedRequest> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {}
    const outgoing = open(
      { port, host: '127.0.0.1', method, path: target, agent, headers: { ...headers, ...length } },
      (answer) => {
        const chunks: Buffer[] = []
        const heard = (): ReceivedRequest => ({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString(),
        })
        // a stream never ends by itself
        if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
          resolve(heard())
          outgoing.destroy()
        }
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('end', () => resolve(heard()))
        answer.once('error', reject)
      },
    )
    outgoing.setTimeout(longestAnswerMs, () => outgoing.destroy(new Error('no answer within 30 s')))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
