import { Agent, type IncomingMessage, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Config } from '#server/config'

/** Returns the URL at which programs on this machine reach the Tilth with these settings. */
export const localAddress = ({ port, host }: Config): string => {
  const name =
    !host || host === '::' || host === '0.0.0.0' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Checks whether a Tilth, another server or nothing answers at an address. */
export async function healthAt(address: string): Promise<'alive' | 'somebody' | 'nobody'> {
  try {
    const answer = await fetch(`${address}/_tilth/health`, {
      signal: AbortSignal.timeout(5000),
      redirect: 'manual',
    })
    return (await answer.text()).includes('"status":"alive"') ? 'alive' : 'somebody'
  } catch (problem) {
    const isRefused = problem instanceof Error && isCausedBy(problem, 'ECONNREFUSED')
    return isRefused ? 'nobody' : 'somebody'
  }
}

function isCausedBy(problem: Error, code: string): boolean {
  const { cause } = problem
  if (cause instanceof AggregateError)
    return cause.errors.every((each) => each instanceof Error && codeOf(each) === code)
  return cause instanceof Error && codeOf(cause) === code
}

const codeOf = (problem: Error): unknown => ('code' in problem ? problem.code : undefined)

interface LocalRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Receives the body of a response with status 200 as it arrives; the response then has none. */
  output?: NodeJS.WritableStream
  signal?: AbortSignal
}

interface LocalResponse {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** A client of the running Tilth, for programs on this machine. */
export interface RunningTilth {
  send(saying: LocalRequest): Promise<LocalResponse>
  close(): void
}

/** Connects to the local address and sends the public host name, the only one that Tilth may answer to. */
export function connectToRunning(config: Config): RunningTilth {
  const agent = new Agent({ keepAlive: true })
  const place = localAddress(config)
  const name = config.addressesAreGiven ? { host: config.addresses[0].host } : {}
  return {
    send: ({ method, path, headers, body, output, signal }) =>
      new Promise((resolve, reject) => {
        const asking = request(
          place + path,
          { method, agent, headers: { ...name, ...headers }, signal },
          (answer) => resolve(readResponse(answer, place, output)),
        )
        asking.setTimeout(responseTimeoutMs, () => asking.destroy(new Error('Tilth did not answer in time.')))
        asking.once('error', (problem) => reject(new ConnectionLostError(place, problem))).end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** The connection to the running Tilth was lost. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  constructor(place: string, cause: Error) {
    super(`Tilth at ${place} stopped answering (${cause.message}).`, { cause })
  }
}

const responseTimeoutMs = 60_000

async function readResponse(
  answer: IncomingMessage,
  place: string,
  output: NodeJS.WritableStream | undefined,
): Promise<LocalResponse> {
  let body = ''
  try {
    // standard output stays open for what comes after
    if (output && answer.statusCode === 200) await pipeline(answer, output, { end: false })
    else for await (const part of answer.setEncoding('utf8')) body += String(part)
  } catch (problem) {
    throw problem instanceof Error ? new ConnectionLostError(place, problem) : problem
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body }
}
