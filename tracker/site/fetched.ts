/** A page of this site as it was fetched. */
export interface FetchedPage {
  /** The final address, after redirects. */
  address: string
  html: string
  /** Whether the server has counted a view of it that was not shown yet. */
  isCounted: boolean
  /** The flag values that it shows and that were not reported yet: a prefetch comes before the visitor asks. */
  shows: string
}

const keptMs = 300e3
/** Browsers open six connections to an old server; the sixth is for the visitor's next click. */
const mostAtOnce = 5

const kept = new Map<string, Promise<FetchedPage>>()
let waiting: string[] = []
let underWay = 0

/** Returns a page that the visitor asked for: as it was prefetched, or fetched now, ahead of all prefetches. */
export function pageAt(address: string): Promise<FetchedPage> {
  waiting = waiting.filter((other) => other !== address)
  return kept.get(address) ?? fetchPage(address)
}

/** Prefetches a page that the visitor may ask for; `isLikely`: they point at it. */
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
    // a visitor who follows the link is shown the failure
    .catch(() => {})
    .finally(() => {
      underWay--
      prefetchNext()
    })
}

/** Requests a page ahead of its use, so that no view is counted. */
export const fetchAhead = (address: string): Promise<FetchedPage> =>
  fetchPage(address, { 'x-tilth-prefetch': '1' })

function fetchPage(address: string, headers?: Record<string, string>): Promise<FetchedPage> {
  const page = fetch(address, {
    headers: { accept: 'text/html', ...headers },
    priority: headers ? 'low' : 'high',
  }).then(async (response) => {
    const headerOf = (name: string): string => response.headers.get(name) || ''
    if (response.status !== 200 || !headerOf('content-type').startsWith('text/html')) throw response.status
    const isCounted = !headers && headerOf('server-timing').includes('view')
    return { address: response.url, html: await response.text(), isCounted, shows: headerOf('x-tilth-shows') }
  })
  kept.set(address, page)
  const forget = (): unknown => kept.delete(address)
  page.then(() => setTimeout(forget, keptMs), forget)
  return page
}
