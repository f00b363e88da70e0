import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { bearerChallenge, issuerAt } from '#agent-access/addresses'
import { failure } from '#http/api-failure'
import type { RequestBody } from '#http/body'
import { answerJson } from '#http/json-response'
import type { Exchange } from '#http/trusted-request'
import type { Viewer } from '#projects/access'
import { requestOrigin } from '#projects/origin'
import type { Project } from '#projects/project'
import type { Log } from '#server/log'
import type { Product } from '#server/product'
import { agentServer } from './internal/agent-server'
import { type PictureClient, pictureClient, picturesSession } from './internal/picture-clients'
import type { PictureMaker } from './internal/pictures'

interface Dependencies {
  product: Product
  log: Log
  /** The addresses of this Tilth, the main one first. */
  addresses: readonly URL[]
  /** Without it there are no pictures. */
  pictures?: PictureMaker
}

/** A tool waits for queries that may take half a minute. */
const longestMs = 120_000

/** Answers a request of an assistant that has signed in for a member, or has a key. */
export async function answerMcp(
  exchange: Exchange,
  body: RequestBody,
  { product, log, addresses, pictures }: Dependencies,
): Promise<void> {
  await answerMessage(exchange, body, {
    log,
    addresses,
    authorize: async (signal) => {
      const caller = await callerOf(exchange, product)
      if (!caller) return undefined
      if (!(await product.agentAccess.mayConnect(caller.project.id))) return 'switched-off'
      const studio = new URL(`/studio/${caller.project.slug}`, addresses[0])
      return ({ showsPictures }) =>
        agentServer({ product, ...caller, studio, signal, pictures: showsPictures ? pictures : undefined })
    },
  })
}

interface MessageSettings extends Pick<Dependencies, 'log' | 'addresses'> {
  /** Returns what makes the server of one message. Undefined refuses the sender, 'switched-off' all assistants. */
  authorize: (
    signal: AbortSignal,
  ) => Promise<((client: PictureClient) => McpServer) | 'switched-off' | undefined>
}

/** Answers a message of MCP: one message, one answer, and nothing is kept in between. */
export async function answerMessage(
  exchange: Exchange,
  body: RequestBody,
  { log, addresses, authorize }: MessageSettings,
): Promise<void> {
  const { request, response } = exchange
  const { origin } = request.headers
  // a page of another site, or of a name that now leads here, must not ask with what a browser has
  if (origin !== undefined && !addresses.some((own) => own.origin === origin))
    return refuse(exchange, 403, 'not-allowed', `Pages of ${origin} may not ask here.`)
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return refuse(
      exchange,
      405,
      'method-not-allowed',
      'Send messages with POST: there are no streams to open.',
    )
  }
  const left = new AbortController()
  response.once('close', () => left.abort())
  const signal = AbortSignal.any([left.signal, AbortSignal.timeout(longestMs)])
  const makeServer = await authorize(signal)
  if (!makeServer) return askToSignIn(exchange, addresses)
  if (makeServer === 'switched-off')
    return refuse(
      exchange,
      403,
      'switched-off',
      'Assistants may not connect to this project. An admin can allow them in Settings → Agents.',
    )
  const bytes = await body.read()
  const client = pictureClient(bytes, request.headers[picturesSession.name])
  const handler = createMcpHandler(() => makeServer(client), {
    maxSubscriptions: 1,
    onerror: (problem) => log.debug({ err: problem }, 'a message of an assistant was refused'),
  })
  // no revision that clients speak has lists of messages, and each would be a query
  if (/^\s*\[/.test(bytes.toString('latin1', 0, 100)))
    return refuse(exchange, 400, 'bad-request', 'Send one message in a request.')
  if (client.needsSession) response.setHeader(picturesSession.name, picturesSession.value)
  await send(await handler.fetch(webRequest(exchange, bytes, signal)), exchange)
}

function askToSignIn(exchange: Exchange, addresses: readonly URL[]): void {
  const { request, response, trustedRequest } = exchange
  const hasToken = request.headers.authorization !== undefined
  response.setHeader(
    'www-authenticate',
    bearerChallenge(issuerAt(trustedRequest.host, addresses), { hasToken }),
  )
  refuse(
    exchange,
    401,
    'unauthorized',
    'Sign in, or send a secret key of the project as "Authorization: Bearer tilth_…". Create one in Settings → Keys.',
  )
}

async function callerOf(
  { request, trustedRequest }: Exchange,
  { projects, agentAccess }: Product,
): Promise<{ viewer: Viewer; project: Project } | undefined> {
  const [, text] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (text === undefined) return undefined
  const origin = requestOrigin({
    address: trustedRequest.client,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: trustedRequest.requestId,
  })
  const viewer = (await agentAccess.viewer(text, origin)) ?? (await projects.keys.viewer(text, origin))
  const project = viewer && projects.numbered(viewer.projectId)
  return viewer && project ? { viewer, project } : undefined
}

const headersRead = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

function webRequest(
  { request: { headers }, trustedRequest: { path } }: Exchange,
  bytes: Buffer,
  signal: AbortSignal,
): Request {
  const read = headersRead.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return new Request(new URL(path, 'http://localhost'), {
    method: 'POST',
    headers: read,
    body: new Uint8Array(bytes),
    signal,
  })
}

async function send(answer: Response, { response }: Exchange): Promise<void> {
  const headers = Object.fromEntries(answer.headers)
  response.writeHead(answer.status, {
    ...headers,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  try {
    // not `pipeline`, whose listeners beside the front's own are more than Node allows without a warning
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  } catch {
    // the client has left, or its time is over
    response.destroy()
  }
}

function refuse({ response }: Exchange, status: number, code: string, message: string): void {
  answerJson(response, status, failure(status, code, message).body)
}
