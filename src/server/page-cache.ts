import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { answerUnavailable } from './honest-page'
import { isPublic, keep, type KeptPage, sizeOf } from './kept-page'
import type { Pages } from './pages-child'
import { handOn } from './pass-on'
import { contentSecurityPolicy, newNonce, securityHeaders } from './security-headers'

interface PageCacheSettings {
  pages: Pick<Pages, 'serve'>
  maxBytes: number
}

interface Visiting {
  /** Which variants this visitor gets, in one word: what differs by variant is another page. */
  variants?: string
  /** Said to the pages about this visit, besides what the browser said. */
  headers?: OutgoingHttpHeaders
  /** Whose pages may show this one in a frame. */
  framedBy?: readonly string[]
}

/** Everything that Next renders is served through here: public pages from memory, all others straight on. */
export interface PageCache {
  serve(request: IncomingMessage, response: ServerResponse, visiting?: Visiting): void
  /** A post or a flag has changed: whatever is kept, or was begun before now, may be out of date. */
  clear(): void
}

export function openPageCache({ pages, maxBytes }: PageCacheSettings): PageCache {
  const shelf = new LRUCache<string, KeptPage>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  let edition = 0

  function ask(
    request: IncomingMessage,
    response: ServerResponse,
    { headers, framedBy }: Visiting,
    receive = handOn,
  ) {
    const policy = contentSecurityPolicy({ nonce: newNonce(), framedBy })
    say(response, { ...securityHeaders, 'content-security-policy': policy })
    // Next does not tell its pages which address they were asked for
    const told = { 'content-security-policy': policy, 'x-tilth-address': request.url }
    pages.serve(request, response, { headers: { ...headers, ...told }, receive })
  }

  function takeIn(answer: IncomingMessage, key: string, begunIn: number): Promise<KeptPage> {
    return keep(answer).then((page) => {
      if (begunIn === edition) shelf.set(key, page, { ttl: page.freshForMs })
      return page
    })
  }

  return {
    serve(request, response, visiting = {}) {
      if (!isForADocument(request)) return ask(request, response, visiting)

      const key = keyOf(request, visiting)
      const page = shelf.get(key)
      if (page) return answerWith(page, request, response, 'hit')

      const begunIn = edition
      ask(request, response, visiting, (answer) => {
        // The answer to HEAD says the same of itself as the page would, without being one.
        if (request.method === 'HEAD' || !isPublic(answer)) return handOn(answer, response)

        takeIn(answer, key, begunIn).then(
          (taken) => answerWith(taken, request, response, 'miss'),
          () => answerUnavailable(request, response, 'lost'),
        )
      })
    },
    clear() {
      edition += 1
      shelf.clear()
    },
  }
}

/** Soft navigations ask the same address for its payload, and say so. */
const isForADocument = ({ method, headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && !('rsc' in headers) && !!headers.accept?.includes('text/html')

const keyOf = ({ headers, url }: IncomingMessage, { variants = '' }: Visiting) =>
  [headers['x-forwarded-proto'], headers['x-forwarded-host'] ?? headers.host, url, variants].join(' ')

function answerWith(
  page: KeptPage,
  request: IncomingMessage,
  response: ServerResponse,
  cache: 'hit' | 'miss',
) {
  // While the page was being taken in, the front may have refused the request's body.
  if (response.headersSent) return

  say(response, { ...securityHeaders, ...page.headers, 'x-tilth-cache': cache })
  if (isKnown(page.tag, request.headers['if-none-match'])) {
    response.writeHead(304).end()
    return
  }

  const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const body = zips ? page.zipped : page.html
  if (zips) response.setHeader('content-encoding', 'gzip')
  response.writeHead(200, { 'content-length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const isKnown = (tag: string, known = '') => known === '*' || known.split(/\s*,\s*/).includes(tag)

const say = (response: ServerResponse, headers: OutgoingHttpHeaders) => {
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) response.setHeader(name, value)
}
