import { Agent, type IncomingMessage, request } from 'node:http'
import type { Config } from './config'

/** Where a program on this machine reaches the Tilth that runs with these settings. */
export const localAddress = ({ port, host }: Config): string => {
  const name =
    !host || host === '::' || host === '0.0.0.0' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Who answers there, if anybody. */
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

interface Saying {
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
}

export interface Said {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** The Tilth that runs with these settings, for a program on this machine that has something to say to it. */
export interface Running {
  ask(saying: Saying): Promise<Said>
  close(): void
}

/** It is addressed by its public name, the only one it may answer to, at the place where this machine finds it. */
export function running(config: Config): Running {
  const agent = new Agent({ keepAlive: true })
  const place = localAddress(config)
  const name = config.addressesAreGiven ? { host: config.addresses[0].host } : {}
  return {
    ask: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const asking = request(place + path, { method, agent, headers: { ...name, ...headers } }, (answer) =>
          resolve(read(answer, place)),
        )
        asking.setTimeout(answersWithinMs, () => asking.destroy(new Error('Tilth did not answer in time.')))
        asking.once('error', (problem) => reject(new Unanswered(place, problem))).end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** It was there, and is not any more. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  constructor(place: string, cause: Error) {
    super(`Tilth at ${place} stopped answering (${cause.message}).`, { cause })
  }
}

const answersWithinMs = 60_000

async function read(answer: IncomingMessage, place: string): Promise<Said> {
  let body = ''
  try {
    for await (const part of answer.setEncoding('utf8')) body += String(part)
  } catch (problem) {
    throw problem instanceof Error ? new Unanswered(place, problem) : problem
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body }
}
