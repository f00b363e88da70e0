/** A page of this site as it was fetched. */
export interface FetchedPage {
  /** Where it was found in the end. */
  address: string
  html: string
  /** Whether the server has counted a view of it that nobody has had yet. */
  isCounted: boolean
  /** Of what it shows, which values of which flags nobody was told of yet: it was asked for before somebody wanted it. */
  shows: string
}

const keptMs = 300e3
/** Browsers open six connections to an old server; the sixth is for what somebody clicks on. */
const mostAtOnce = 5

const kept = new Map<string, Promise<FetchedPage>>()
let waiting: string[] = []
let underWay = 0

/** A page that somebody wants to see: as it was fetched before, or fetched now, ahead of all that only might be wanted. */
export function pageAt(address: string): Promise<FetchedPage> {
  waiting = waiting.filter((other) => other !== address)
  return kept.get(address) ?? fetchPage(address)
}

/** A page that somebody may want to see; `isLikely`: they point at it. */
export function prefetch(address: string, isLikely?: boolean): void {
  if (kept.has(address)) return
  waiting = waiting.filter((other) => other !== address)
  if (isLikely) waiting.unshift(address)
  else waiting.push(address)
  prefetchNext()
}

function prefetchNext(): void {
  if (underWay === mostAtOnce) return
  const address = waiting.shift()
  if (!address) return
  underWay++
  void fetchAhead(address)
    // whoever follows the link is shown what is wrong
    .catch(() => {})
    .finally(() => {
      underWay--
      prefetchNext()
    })
}

/** Asks for a page that nobody is shown yet, so that no view is counted. */
export const fetchAhead = (address: string): Promise<FetchedPage> =>
  fetchPage(address, { 'x-tilth-prefetch': '1' })

function fetchPage(address: string, headers?: Record<string, string>): Promise<FetchedPage> {
  const page = fetch(address, {
    headers: { accept: 'text/html', ...headers },
    priority: headers ? 'low' : 'high',
  }).then(async (response) => {
    const said = (name: string): string => response.headers.get(name) || ''
    if (response.status !== 200 || !said('content-type').startsWith('text/html')) throw response.status
    const isCounted = !headers && said('server-timing').includes('view')
    return { address: response.url, html: await response.text(), isCounted, shows: said('x-tilth-shows') }
  })
  kept.set(address, page)
  const forget = (): unknown => kept.delete(address)
  page.then(() => setTimeout(forget, keptMs), forget)
  return page
}
