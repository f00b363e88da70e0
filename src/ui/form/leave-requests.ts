/** A navigation that waits for confirmation because changes are unsaved. */
export type LeaveRequest =
  | { by: 'address'; address: string; go?: undefined }
  /** Back and Forward: the browser alone knows the way. */
  | { by: 'history'; go: () => void }

const leaveEvent = 'tilth:leave'

/**
 * Whether the page may be left for an address. Shortcuts and menus that navigate without a link ask this first. Where
 * the answer is no, the page asks its reader, and goes there itself.
 */
export const mayLeave = (address: string): boolean =>
  document.dispatchEvent(
    new CustomEvent(leaveEvent, { cancelable: true, detail: new URL(address, location.href).href }),
  )

/** Holds back everything that leads away from this page, and tells of it. Returns how to stop that. */
export function listenToLeaveRequests(ask: (request: LeaveRequest) => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  let isLeaving = false

  window.addEventListener('beforeunload', (event) => !isLeaving && event.preventDefault(), { signal })
  document.addEventListener(
    'click',
    (event) => {
      const address = addressOfClick(event)
      if (address === undefined) return
      event.preventDefault()
      event.stopPropagation()
      ask({ by: 'address', address })
    },
    { capture: true, signal },
  )
  document.addEventListener(
    leaveEvent,
    (event) => {
      // only `mayLeave` sends it
      const address = (event as CustomEvent<string>).detail
      if (!leadsAway(new URL(address))) return
      event.preventDefault()
      ask({ by: 'address', address })
    },
    { signal },
  )
  // a browser without it lets Back go, as every browser did before
  window.navigation?.addEventListener(
    'navigate',
    (event) => {
      const { navigationType, cancelable, destination } = event
      if (isLeaving || navigationType !== 'traverse' || !cancelable) return
      if (!leadsAway(new URL(destination.url))) return
      event.preventDefault()
      ask({
        by: 'history',
        go() {
          isLeaving = true
          window.navigation.traverseTo(destination.key)
        },
      })
    },
    { signal },
  )
  return () => listening.abort()
}

/** The address of another page in this window that a click leads to. */
function addressOfClick(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download'))
    return undefined
  const isWanted = link.closest('[data-discards]') !== null
  // before a page of another origin is shown, the browser asks in its own words
  const isOurs = link.origin === location.origin
  return isOurs && leadsAway(new URL(link.href)) && !isWanted ? link.href : undefined
}

/** Unsaved changes survive a change of the query alone, except where that ends the editing. */
function leadsAway({ origin, pathname, searchParams }: URL): boolean {
  const isElsewhere = origin !== location.origin || pathname !== location.pathname
  if (isElsewhere) return true
  return new URLSearchParams(location.search).has('edit') && !searchParams.has('edit')
}
