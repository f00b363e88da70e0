/** The page that was last in view. It outlives a provider that another one replaces. */
let path = ''
let url = ''

export interface PageView {
  referrer: string
  /** Whether it is the document's first page, which its server may have counted. */
  isDocument: boolean
}

/** Calls `show` for each page that becomes visible, and `leave` before another replaces it. Returns the end of it. */
export function watchPages(show: (view: PageView) => void, leave: (isLeaving?: boolean) => void): () => void {
  const look = (isRestored?: boolean): void => {
    // prerendered pages and pages in the background count when they are looked at
    if (document.hidden || (path === location.pathname && !isRestored)) return
    const view = { referrer: url || document.referrer, isDocument: !path }
    if (path) leave()
    path = location.pathname
    url = location.href
    show(view)
  }
  const turn = (): void => {
    if (path) look()
  }
  const onVisibility = (): void => (document.hidden ? leave(true) : look())
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) look(true)
  }
  const stopHistory = (['pushState', 'replaceState'] as const).map((change) => {
    const original = history[change]
    const watched: typeof original = (...state) => {
      original.apply(history, state)
      turn()
    }
    history[change] = watched
    return () => {
      if (history[change] === watched) history[change] = original
    }
  })
  addEventListener('popstate', turn)
  addEventListener('pageshow', onPageShow)
  document.addEventListener('visibilitychange', onVisibility)
  look()
  return () => {
    stopHistory.forEach((stop) => stop())
    removeEventListener('popstate', turn)
    removeEventListener('pageshow', onPageShow)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}
