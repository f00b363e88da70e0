import { announce, pageIn, showPage } from './document'
import { type FetchedPage, pageAt, prefetch } from './fetched'

/** The longest wait for a page. Then the browser loads it and shows that it does, which a script cannot. */
const limitMs = 3800

/** The current entry of the browser's history, the scroll positions of all entries, and the current page. */
let entry: number = history.state?.tilth || Date.now()
const places: Record<number, number> = {}
const pathOf = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string => pathname + search
let shown = pathOf(location)
/** Grows with every wish to see another page: what was wished for before is not shown any more. */
let wishes = 0

/** Callbacks for when the next page is about to be shown, while the address is its own already, and once it is. */
interface Watching {
  leaving: (page: FetchedPage) => void
  arrived: () => void
}

/** Follows links of this site within the document, as far as that goes; else the browser does. */
export function followLinks({ leaving, arrived }: Watching): void {
  const nameEntry = (): void => history.replaceState({ ...history.state, tilth: entry }, '')

  async function go(url: URL, scrolled?: number): Promise<void> {
    const wish = ++wishes
    const isBack = scrolled !== undefined
    const loadDocument = (): void => {
      if (wish !== wishes) return
      wishes++
      if (isBack) location.reload()
      else location.assign(url)
    }
    setTimeout(loadDocument, limitMs)
    try {
      const fetched = await pageAt(url.origin + pathOf(url))
      const page = await pageIn(fetched.html)
      if (wish !== wishes) return
      if (!isBack) pushEntry(fetched.address + url.hash)
      shown = pathOf(location)
      leaving(fetched)
      showPage(page)
      scrollTo({ top: scrolled || 0, behavior: 'instant' })
      announce()
      arrived()
      wishes++
      if (!isBack && url.hash)
        document.getElementById(decodeURIComponent(url.hash.slice(1)))?.scrollIntoView()
    } catch {
      loadDocument()
    }
  }

  function pushEntry(address: string): void {
    history.scrollRestoration = 'manual'
    history.replaceState({ ...history.state, scrolled: scrollY }, '')
    entry = Date.now()
    history.pushState({ tilth: entry }, '', address)
  }

  nameEntry()
  // the browser left this to a script, which was not there when the visitor came back
  if (history.scrollRestoration === 'manual') scrollTo(0, history.state.scrolled || 0)
  addEventListener('click', (event) => {
    const url = isPlain(event) && urlOf(event)
    if (!url) return
    event.preventDefault()
    void go(url)
  })
  addEventListener('popstate', () => {
    const { tilth, scrolled } = history.state || {}
    if (!tilth) {
      // a part of this page was followed to
      entry = Date.now()
      return nameEntry()
    }
    entry = tilth
    const place = places[entry] ?? scrolled ?? 0
    if (pathOf(location) !== shown) return void go(new URL(location.href), place)
    wishes++
    scrollTo({ top: place, behavior: 'instant' })
  })
  addEventListener('scroll', () => (places[entry] = scrollY), { passive: true })
  // visitors who come back to a document that is gone find the place by the browser's own means
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'))
  for (const type of ['pointerover', 'focusin'])
    addEventListener(type, (event) => {
      const url = urlOf(event)
      if (url) prefetchAt(url, true)
    })
}

const isPlain = (event: MouseEvent): boolean =>
  !(
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )

const urlOf = ({ target }: Event): URL | undefined => {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]')
  return link ? pageOf(link) : undefined
}

/** The address of a link to another page of this site. */
export function pageOf(link: HTMLAnchorElement): URL | undefined {
  const isPage =
    link.origin === location.origin &&
    pathOf(link) !== shown &&
    // a path that begins or ends so is no page of the site's
    !/^\/(_|(studio|share|api)\b)|\.\w+$/.test(link.pathname) &&
    /^(_self)?$/.test(link.target) &&
    !link.matches('[download], [data-no-nav], [data-no-nav] *')
  return isPage ? new URL(link.href) : undefined
}

/** Prefetches a page, unless the visitor saves data: they may pay for every byte. */
export function prefetchAt(url: URL, isLikely?: boolean): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (!connection?.saveData) prefetch(url.origin + pathOf(url), isLikely)
}
