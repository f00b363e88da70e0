import { assetFailed } from '#ui/deferral/asset-failed'

/** A page that takes longer than this to arrive is asked for again as a document. */
const routeDeadlineMs = 3800

/** A page with a permanently missing asset reloads at most once in this time. */
const reloadPauseMs = 10_000

interface Transition {
  from: string
  to: string
}

let transition: Transition | undefined

/** Next calls this when a soft navigation begins. It has no deadline of its own and would wait for as long as it takes. */
export function onRouterTransitionStart(address: string) {
  const to = new URL(address, location.href)
  if (to.origin !== location.origin) return

  const started = { from: location.href, to: to.href }
  transition = started
  // Time during which this page kept the browser busy is not time the server took, so the clock starts when it rests.
  whenIdle(() => setTimeout(() => goInFullUnlessArrived(started), routeDeadlineMs))
}

function goInFullUnlessArrived(started: Transition) {
  if (started === transition && isUnderWay(started)) location.assign(started.to)
}

// A redirect ends at another address than was asked for, so arriving is leaving, wherever to.
const isUnderWay = ({ from, to }: Transition) => location.href === from && from !== to

const whenIdle = (then: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(then) : setTimeout(then, 1)

// An asset that fails to load is usually one that an upgrade has replaced: the new document names the new ones.
// Such errors do not bubble, so they are caught on their way down.
addEventListener(
  'error',
  ({ target }) => target instanceof Element && isOurAsset(target) && isNeeded() && loadInFull(),
  true,
)

/** What is loaded ahead of its use prevents the event (ui/deferral/deferred.ts), and the page stays. */
const isNeeded = () => document.dispatchEvent(new Event(assetFailed, { cancelable: true }))

function isOurAsset(element: Element) {
  if (element instanceof HTMLScriptElement) return isUnderNext(element.src)
  return element instanceof HTMLLinkElement && element.rel === 'stylesheet' && isUnderNext(element.href)
}

const isUnderNext = (address: string) => address.startsWith(`${location.origin}/_next/static/`)

function loadInFull() {
  const to = transition && isUnderWay(transition) ? transition.to : location.href
  if (!mayLoadAgain(to)) return

  if (to === location.href) location.reload()
  else location.assign(to)
}

function mayLoadAgain(address: string) {
  const key = `tilth-reloaded:${address}`
  const last = Number(sessionStorage.getItem(key))
  if (Date.now() - last < reloadPauseMs) return false

  sessionStorage.setItem(key, String(Date.now()))
  return true
}
