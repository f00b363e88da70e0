import { once } from 'node:events'
import { type IncomingMessage, request as ask } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/**
 * The origin at which Next requests its own pages: for the target of a redirect after an action, and for an action of
 * another page. Such a request has the visitor's cookies. Without this, Next uses port 3000, where another program may
 * listen. Names under `.invalid` are never resolved (RFC 6761, 6.4), so a request that `fetchOwnPages` does not handle
 * fails instead of leaving this machine.
 */
export const ownPagesOrigin = 'http://pages.invalid'

/** The variable from which Next 16 reads that origin: next/dist/server/app-render/action-handler.js, in two places. */
export const ownPagesVariable = '__NEXT_PRIVATE_ORIGIN'

/** A `fetch` that requests our own pages over their socket, and leaves all other requests to `fetchElsewhere`. */
export const fetchOwnPages =
  (socketPath: string, fetchElsewhere: typeof fetch): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    return url.origin === ownPagesOrigin
      ? await requestOverSocket(socketPath, new Request(input, init))
      : await fetchElsewhere(input, init)
  }

async function requestOverSocket(
  socketPath: string,
  { method, url, headers, body, signal }: Request,
): Promise<Response> {
  const { pathname, search } = new URL(url)
  const path = pathname + search
  // the address of the requested page, not of the page with the action
  const requestHeaders = { ...Object.fromEntries(headers), 'x-tilth-address': path }
  const upstream = ask({ socketPath, agent: false, method, path, headers: requestHeaders, signal })
  // the DOM's and Node's types of the same stream are incompatible
  if (body) Readable.fromWeb(body as ReadableStream).pipe(upstream)
  else upstream.end()
  // the event's arguments
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage]
  return responseOf(answer)
}

const bodilessStatuses = new Set([204, 205, 304])

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 502, headersDistinct } = answer
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  if (bodilessStatuses.has(status)) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  // as above
  return new Response(Readable.toWeb(answer) as BodyInit, { status, headers })
}
