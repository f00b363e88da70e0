import type { OutgoingHttpHeaders } from 'node:http'
import { formatHeaders, type PlainHandler, type PlainResponse } from '#http/fast-lane/fast-lane'
import { isSingleHost } from '#http/hosts'
import { wireRefusal } from '#http/refusals'
import { strictTransportSecurity } from '#http/security-headers'
import { readTrustedRequest, type RequestHead, type RequestToAnswer } from '#http/trusted-request'
import type { SiteHandler } from '#site-serving/site-request'
import type { PlainRouteHandler, Route } from './route'
import { type FrontContext, isAt, logFailure, needsTls, proxiesOf, recordResponse } from './run-route'

/**
 * Finds the handler of a request in the fast lane; undefined where `handleRequest` has to answer. The rules for all
 * requests hold here too: requests that they refuse are left to `handleRequest`.
 */
export function findPlainHandler(
  request: RequestHead,
  peer: string,
  routes: readonly Route[],
  context: FrontContext,
): PlainHandler | undefined {
  const { method, url, headers } = request
  const arrived = { method, url, headers, socket: { remoteAddress: peer } }
  const asked = { request, trustedRequest: readTrustedRequest(arrived, proxiesOf(context)) }
  const routed = matchPlainRoute(asked, routes, context)
  if (!routed) return undefined
  const { route, handler } = routed
  const { host } = asked.trustedRequest
  if (!isSingleHost(host) || !isAt(asked.trustedRequest, route.hosts, context)) return undefined
  return {
    maxBodyBytes: route.maxBodyBytes,
    answer: (body) => answerPlainly(asked, route, () => handler(body), context),
  }
}

function matchPlainRoute(
  request: RequestToAnswer,
  routes: readonly Route[],
  { services }: FrontContext,
): { route: Route; handler: PlainRouteHandler } | undefined {
  for (const route of routes) {
    const handler = route.plainHandlerFor?.(request, services)
    if (handler) return { route, handler }
    if (route.handlerFor(request, services)) return undefined
  }
  return undefined
}

/** Records the response. A failure of a dialect is answered here, because the request may have been stored. */
function answerPlainly(
  request: RequestToAnswer,
  route: Route,
  respond: () => ReturnType<PlainRouteHandler>,
  context: FrontContext,
): ReturnType<PlainRouteHandler> {
  const began = performance.now()
  const record = (response: PlainResponse | undefined): PlainResponse | undefined => {
    if (response) recordResponse(request, route, { status: response.status, began }, context)
    return response
  }
  const fail = (problem: unknown): PlainResponse | undefined => {
    // a page is asked for again, by `handleRequest`
    if (route.format !== 'wire') return undefined
    const refusal = logFailure(problem, request.trustedRequest, route, context)
    const { status, headers, body } = wireRefusal(request.request, refusal)
    const id = { 'x-request-id': request.trustedRequest.requestId }
    return record({ status, headerLines: formatHeaders({ ...headers, ...id }), body })
  }
  try {
    const response = respond()
    return response instanceof Promise ? response.then(record, fail) : record(response)
  } catch (problem) {
    return fail(problem)
  }
}

/** Returns the page that the site has in memory for this visitor. */
export function cachedPageResponse(
  request: RequestToAnswer,
  site: SiteHandler,
  { sendsHsts }: FrontContext['config'],
): PlainResponse | undefined {
  const found = site.cachedPage(request)
  if (!found) return undefined
  const { status, page, own, body } = found
  const headerLines = formatPageHeaders(page, own)
  return {
    status,
    headerLines: sendsHsts && needsTls(request) ? headerLines + hstsLine : headerLines,
    body: body ?? '',
  }
}

const hstsLine = formatHeaders({ 'strict-transport-security': strictTransportSecurity })
const formattedHeaders = new WeakMap<object, string>()

/** Formats what all responses with a page have in common once, unless a response has another value for it. */
function formatPageHeaders(page: OutgoingHttpHeaders, own: OutgoingHttpHeaders): string {
  for (const name in own) if (name in page) return formatHeaders({ ...page, ...own })
  const known = formattedHeaders.get(page) ?? formatHeaders(page)
  formattedHeaders.set(page, known)
  return known + formatHeaders(own)
}
