import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestListener, ServerResponse } from 'node:http'
import {
  contentHeader,
  keepHeader,
  missedHeader,
  PageVisit,
  readVisit,
  usesHeader,
  visitHeader,
  writeContent,
} from '#visits/visit'

/** The visit of the current rendering; pages read it through `app/(site)/current-visit.ts`. */
export const visits = new AsyncLocalStorage<PageVisit>()

/** A project may have thousands of flags, and only the front sends requests here. */
export const maxVisitBytes = 1024 ** 2

/** Renders for the visit that the front server started, and returns the decisions that the page used. */
export const withVisit =
  (pages: RequestListener): RequestListener =>
  (request, response) => {
    const header = request.headers[visitHeader]
    if (typeof header !== 'string') return pages(request, response)
    const address = request.headers['x-tilth-address']
    const visit = new PageVisit(readVisit(header), typeof address === 'string' ? address : undefined)
    sendVisitTrailers(response, visit)
    visits.run(visit, () => pages(request, response))
  }

/** A trailer: the used decisions are known at the end of the page, after its headers were sent. */
function sendVisitTrailers(response: ServerResponse, visit: PageVisit): void {
  const end = response.end.bind(response)
  // `end` has several signatures; all arguments are passed on unchanged
  response.end = ((...endArguments: Parameters<typeof end>) => {
    const sent = visitTrailers(visit)
    if (response.headersSent) response.addTrailers(sent)
    else for (const [name, value] of Object.entries(sent)) response.setHeader(name, value)
    return end(...endArguments)
  }) as typeof response.end
}

function visitTrailers({ uses, content, keep, isMarkedMissing }: PageVisit): Record<string, string> {
  const keys = uses.map((key) => encodeURIComponent(key)).join(',')
  return {
    [usesHeader]: keys,
    ...(content.size > 0 && { [contentHeader]: writeContent(content) }),
    ...(keep !== undefined && { [keepHeader]: keep }),
    ...(isMarkedMissing && { [missedHeader]: 'yes' }),
  }
}
