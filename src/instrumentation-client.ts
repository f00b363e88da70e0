import { assetFailed } from '#ui/deferral/asset-failed'

/** The limit for the code of a page, after which it has failed to load. */
const scriptDeadlineMs = 3800

/** A page with a permanently missing asset reloads at most once in this time. */
const reloadPauseMs = 10_000

interface Transition {
  from: string
  to: string
}

let transition: Transition | undefined

/**
 * Next calls this when a soft navigation begins. It is not timed: work that is almost done would be thrown away when the
 * server is slowest. What fails, Next loads as a document.
 */
export function onRouterTransitionStart(address: string) {
  const to = new URL(address, location.href)
  if (to.origin === location.origin) transition = { from: location.href, to: to.href }
}

// A redirect ends at another address than was asked for, so arriving is leaving, wherever to.
const isUnderWay = ({ from, to }: Transition) => location.href === from && from !== to

// An asset that fails to load is usually one that an upgrade has replaced: the new document names the new ones.
// Such errors do not bubble, so they are caught on their way down.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof Element && isOurAsset(target) && isNeeded()) void loadInFull()
  },
  true,
)

/** A failed asset that was loaded ahead of its use prevents the event (ui/deferral/deferred.ts): the page stays. */
const isNeeded = () => document.dispatchEvent(new Event(assetFailed, { cancelable: true }))

function isOurAsset(element: Element) {
  if (element instanceof HTMLScriptElement) return isUnderNext(element.src)
  return element instanceof HTMLLinkElement && element.rel === 'stylesheet' && isUnderNext(element.href)
}

// A script that never comes fires no event, and Next would wait for it as long as the page is open.
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node instanceof HTMLScriptElement && isUnderNext(node.src)) expectSoon(node)
}).observe(document.head, { childList: true })

function expectSoon(script: HTMLScriptElement) {
  const deadline = setTimeout(() => {
    if (transition && isUnderWay(transition) && isNeeded()) void loadInFull()
  }, scriptDeadlineMs)
  for (const end of ['load', 'error']) script.addEventListener(end, () => clearTimeout(deadline))
}

const isUnderNext = (address: string) => address.startsWith(`${location.origin}/_next/static/`)

async function loadInFull() {
  const from = location.href
  const to = transition && isUnderWay(transition) ? transition.to : from
  if (!(await isServerThere()) || location.href !== from || !mayLoadAgain(to)) return

  if (to === from) location.reload()
  else location.assign(to)
}

/** While it is away, a page that loads again gives way to an error of the browser, with what was typed in it. */
const isServerThere = () =>
  fetch('/_tilth/ready', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

function mayLoadAgain(address: string) {
  const key = `tilth-reloaded:${address}`
  const last = Number(sessionStorage.getItem(key))
  if (Date.now() - last < reloadPauseMs) return false

  sessionStorage.setItem(key, String(Date.now()))
  return true
}
