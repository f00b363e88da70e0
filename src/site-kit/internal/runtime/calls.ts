import type { CallAnswer, CalledKit, CalledRequest, CallInput } from '../../protocol'
import { callLimits } from './call-limits'
import { callAction } from './form-actions'
import { PageExitError } from './page-exits'
import type { Rendering } from './rendering'

type RouteHandler = (request: Request, context: { params: CallInput['params'] }) => unknown

/** A file `route.ts`, with a function for each method that it answers. */
export type RouteModule = Readonly<Record<string, unknown>>

/** Answers a request to a route, or a form of a page. */
export async function answerCall(
  input: CallInput,
  module: RouteModule,
  rendering: Rendering,
): Promise<CalledKit> {
  const answer = await (input.kind === 'route' ? callRoute(input, module) : callForm(input)).catch(exitOf)
  const { tags, paths } = rendering.revalidated
  return { answer, revalidated: { tags: [...tags], paths: [...paths] } }
}

function exitOf(problem: unknown): CallAnswer {
  if (problem instanceof PageExitError) return { kind: 'exit', exit: problem.exit }
  throw problem
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

async function callRoute({ file, params, request }: CallInput, module: RouteModule): Promise<CallAnswer> {
  const { method } = request
  const handler = handlerFor(method, module)
  if (!handler) return withoutHandler(method, module)
  const response = await handler(requestOf(request), { params })
  if (!(response instanceof Response) || response.status < 200)
    throw new Error(`${method} of ${file} has to return a Response.`)
  const headers = [...response.headers]
  const seconds = module['revalidate']
  if (method === 'GET' && isCacheTime(seconds) && !response.headers.has('cache-control'))
    headers.push(['cache-control', `public, max-age=${Math.ceil(seconds)}`])
  if (headers.join('').length > callLimits.headerBytes)
    throw new Error(`${file} answers with headers of more than ${callLimits.headerBytes / 1024} kB.`)
  return { kind: 'response', status: response.status, headers, body: await bodyOf(response, file) }
}

const isCacheTime = (value: unknown): value is number => typeof value === 'number' && value > 0

function handlerFor(method: string, module: RouteModule): RouteHandler | undefined {
  const found = module[method] ?? (method === 'HEAD' ? module['GET'] : undefined)
  return methods.includes(method) && typeof found === 'function' ? (found as RouteHandler) : undefined // its author has typed it
}

function withoutHandler(method: string, module: RouteModule): CallAnswer {
  const allow = methods.filter((each) => each === 'OPTIONS' || handlerFor(each, module)).join(', ')
  const status = method === 'OPTIONS' ? 204 : 405
  return { kind: 'response', status, headers: [['allow', allow]], body: new Uint8Array() }
}

function requestOf({ method, url, headers, body }: CalledRequest): Request {
  const hasBody = body.byteLength > 0 && method !== 'GET' && method !== 'HEAD'
  return new Request(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(hasBody && { body: new Uint8Array(body) }),
  })
}

/** Reads what a route answers with, which may be a stream without an end. */
async function bodyOf({ body }: Response, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    // streams of a team may hold anything
    if (!((part as unknown) instanceof Uint8Array))
      throw new Error(`${file} answers with a stream that holds no bytes.`)
    size += part.byteLength
    if (size > callLimits.bodyBytes)
      throw new Error(`${file} answers with more than ${callLimits.bodyBytes / 1024 ** 2} MB.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function callForm({ file, request: { headers, body } }: CallInput): Promise<CallAnswer> {
  const [, type = ''] = headers.find(([name]) => name === 'content-type') ?? []
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  const called = form && (await callAction(file, form))
  if (!called) return { kind: 'no-form' }
  return called.state ? { kind: 'state', state: called.state } : { kind: 'done' }
}
