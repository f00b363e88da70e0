import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestListener, ServerResponse } from 'node:http'
import { keepHeader, missedHeader, PageVisit, readVisit, usesHeader, visitHeader } from '../visits/visit'

/** The visit of whatever is being rendered; pages reach it through `app/(site)/visit.ts`. */
export const visits = new AsyncLocalStorage<PageVisit>()

/** A project may have thousands of flags, and the front is the only one who asks here. */
export const longestVisit = 1024 ** 2

/** Renders for the visit that the front has begun, and tells the front what the page made of it. */
export const withVisit =
  (pages: RequestListener): RequestListener =>
  (request, response) => {
    const header = request.headers[visitHeader]
    if (typeof header !== 'string') return pages(request, response)
    const visit = new PageVisit(readVisit(header))
    tellAtTheEnd(response, visit)
    visits.run(visit, () => pages(request, response))
  }

/** Only at its end does a page know what it has used, and by then the headers of most are gone. */
function tellAtTheEnd(response: ServerResponse, visit: PageVisit): void {
  const end = response.end.bind(response)
  // `end` has several forms of arguments, all of which are handed on as they came
  response.end = ((...given: Parameters<typeof end>) => {
    const told = wordsOf(visit)
    if (response.headersSent) response.addTrailers(told)
    else for (const [name, value] of Object.entries(told)) response.setHeader(name, value)
    return end(...given)
  }) as typeof response.end
}

function wordsOf({ uses, keep, missed }: PageVisit): Record<string, string> {
  const said = uses.map((key) => encodeURIComponent(key)).join(',')
  return {
    [usesHeader]: said,
    ...(keep !== undefined && { [keepHeader]: keep }),
    ...(missed && { [missedHeader]: 'yes' }),
  }
}
