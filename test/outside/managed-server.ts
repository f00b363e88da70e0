import { once } from 'node:events'
import { createServer, request as sendTo, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A refusal as ClickHouse words it. */
interface Refusal {
  of: RegExp
  code: number
  name: string
  message: string
}

/** The statement of a request, with the settings that were sent beside it. */
interface SeenStatement {
  statement: string
  settings: Readonly<Record<string, string>>
}

const setting = (name: string): Refusal => ({
  of: new RegExp(`^\\s*create table[^]*settings[^]*\\b${name}\\b`, 'i'),
  code: 452,
  name: 'SETTING_CONSTRAINT_VIOLATION',
  message: `Setting ${name} should not be changed`,
})

/** Refusals of managed servers, with ClickHouse's own codes (src/Common/ErrorCodes.cpp), and its messages where 26.7 refuses the same. */
export const refusals = {
  fsync: {
    of: /^\s*create table[^]*\bfsync_/i,
    code: 115,
    name: 'UNKNOWN_SETTING',
    message: "Unknown setting 'fsync_after_insert': for storage MergeTree",
  },
  blockNumbers: setting('enable_block_number_column'),
  dropLimit: {
    of: /\bmax_table_size_to_drop\b/,
    code: 164,
    name: 'READONLY',
    message: "Cannot modify 'max_table_size_to_drop' setting in readonly mode",
  },
  update: {
    of: /^\s*update\b/i,
    code: 48,
    name: 'NOT_IMPLEMENTED',
    message:
      'Lightweight updates are not supported. Lightweight updates are supported only for tables with materialized _block_number column',
  },
  patches: {
    of: /\bapply patches\b/i,
    code: 344,
    name: 'SUPPORT_IS_DISABLED',
    message: 'Support is disabled',
  },
  clone: {
    of: /\bclone as\b/i,
    code: 344,
    name: 'SUPPORT_IS_DISABLED',
    message: 'CREATE CLONE AS is not supported with Replicated databases',
  },
  attach: {
    of: /\battach partition all from\b/i,
    code: 48,
    name: 'NOT_IMPLEMENTED',
    message: 'Cannot attach partition from another table',
  },
} as const satisfies Record<string, Refusal>

interface ManagedServerOptions {
  refused?: readonly Refusal[]
  /** Says that its tables have replicas. It is one server all the same. */
  hasReplicas?: boolean
  /** Whether the account may find and stop what runs on them. */
  mayReachReplicas?: boolean
  onStatement?: (statement: string) => void
}

/** A server that behaves like a managed one, before a real engine, and knows every statement that reached it. */
export async function aManagedServer(
  url: string,
  { refused = [], hasReplicas = false, mayReachReplicas = true, onStatement }: ManagedServerOptions = {},
) {
  const real = new URL(url)
  const seen: SeenStatement[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', url)
    const body = await buffer(request)
    const { query = body.toString('latin1'), ...settings } = Object.fromEntries(searchParams)
    const statement = /name="query"\r\n[^]*?\r\n\r\n([^]*?)\r\n--/.exec(query)?.[1] ?? query
    seen.push({ statement, settings })
    onStatement?.(statement)
    const refusal = refused.find(({ of }) => of.test(statement))
    if (refusal) return refuse(response, refusal)
    const isRight = statement.startsWith('check grant')
    const told =
      hasReplicas && (mayReachReplicas || !isRight)
        ? replicaAnswers.find(({ to }) => to.test(statement))
        : undefined
    if (told) return void response.end(told.answer)
    pass(request, response, hasReplicas ? asOneServer(body) : body)
  }

  const pass = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const { host: _, 'transfer-encoding': __, ...headers } = request.headers
    const passed = sendTo(
      {
        host: real.hostname,
        port: real.port,
        path: request.url,
        method: request.method,
        headers: { ...headers, 'content-length': body.length },
      },
      (answered) => {
        response.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(response)
      },
    )
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    passed.end(body)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // it listens on a port, so its address is not a text
  const { port } = server.address() as AddressInfo
  const managed = new URL(url)
  managed.port = String(port)
  return { url: managed.href, seen }
}

function refuse(response: ServerResponse, { code, name, message }: Refusal): void {
  response.writeHead(500, { 'x-clickhouse-exception-code': String(code) })
  response.end(`Code: ${code}. DB::Exception: ${message}. (${name}) (version 26.7.2.1 (official build))`)
}

/** The answers by which a server shows that it has replicas. */
const replicaAnswers = [
  {
    to: /select engine from system\.databases/,
    answer: '{"engine":"Atomic"}\n{"engine":"ReplicatedMergeTree"}\n',
  },
  { to: /from system\.clusters/, answer: '{"name":"all-replicas"}\n' },
  { to: /from system\.macros/, answer: '' },
  // the statement runs on another one
  { to: /^kill query where/, answer: '' },
  { to: /check grant (?:remote|cluster|select on system\.`(?:clusters|macros))/, answer: '1\n' },
]

const asOneServer = (body: Buffer): Buffer =>
  Buffer.from(
    body
      .toString('latin1')
      .replaceAll("clusterAllReplicas('all-replicas', system.processes)", 'system.processes')
      .replaceAll("on cluster 'all-replicas' ", ''),
    'latin1',
  )
