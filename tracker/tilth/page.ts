import type { Tilth } from '../tilth'
import { pageLoad, watchVitals } from '../vitals'
import { deliver, deliverWaiting, type Details, script, store, type TrackedEvent } from './delivery'

export const { project, hash, exclude, tag, manual } = script.dataset

/** Of paths not to be counted. Without any it asks for a path that no page has: those begin with a slash. */
const excluded = RegExp(`^(${exclude?.replace(/\s*,\s*/g, '|').replace(/\*+/g, '.*')})$`)

/** A driven browser is no visitor, unless it says that it plays one. */
const isRobot = navigator.webdriver && !('__tilth' in window)

/** The page that is looked at: where it is, where its visitor came from, and what happened on it so far. */
let path = ''
export let url = location.href
export let { referrer } = document
export let distinctId: string | undefined
let events: TrackedEvent[] = []
let timer = 0

/** The time that the page was viewed since the last report, the start of the current view, and the scroll depth. */
let engaged = 0
let since = 0
let depth = 0
/** Reported once, when the page is first left; a page that was loaded in the background has none worth reporting. */
let vitals: Record<string, number> | 0 = document.hidden ? 0 : {}

/** Returns undefined for what is not sent. */
export function record(name: string, props?: object, details?: Details): number | undefined {
  if (isRobot || store.tilth_off || excluded.test(path)) return undefined
  // a page over plain http has no crypto.randomUUID, but chance and time are as good
  const uuid = crypto.randomUUID?.() || Math.random() + '' + Date.now()
  events.push({ ...details, uuid, name, time: Date.now(), props })
  return (timer ||= +setTimeout(flush, 250))
}

function flush(isLeaving?: boolean): void {
  clearTimeout(timer)
  timer = 0
  if (!events[0]) return
  deliver(
    {
      key: project,
      url,
      referrer,
      title: document.title,
      screen: screen.width + 'x' + screen.height,
      tag,
      distinctId,
      optedOut: navigator.globalPrivacyControl || navigator.doNotTrack,
      events,
    },
    isLeaving,
  )
  events = []
}

/** Time counts while the visitor works in the window of the page. */
function tick(): void {
  const now = performance.now()
  if (since) engaged += now - since
  since = document.hasFocus() ? now : 0
}

function look(): void {
  depth = Math.max(depth, ((scrollY + innerHeight) / document.documentElement.scrollHeight) * 100)
}

/** Reports the engagement when a page is left, hidden or moved on from: no later event of it may arrive. */
function leave(isLeaving?: boolean): void {
  tick()
  if (vitals) record('$web_vitals', vitals)
  vitals = 0
  if (engaged) {
    look()
    record('$engagement', { $engaged_ms: engaged, $scroll_depth: depth })
  }
  engaged = 0
  flush(isLeaving)
}

const pathNow = (): string => location.pathname + (hash === undefined ? '' : location.hash)

/** Whether the page that begins to be looked at is to be counted from here. */
let isToBeCounted: () => unknown
/** Whether no server of ours tells what it saw of the page. */
let isAlone: boolean

function view(): void {
  path = pathNow()
  url = location.href
  depth = 0
  tick()
  if (isToBeCounted()) record('$pageview')
}

/** Turns to another page if one has taken the place of the viewed one; `isAnother`: it has, whatever its address. */
export function turnPage(isAnother?: boolean): void {
  if (path && (isAnother || path !== pathNow())) {
    leave()
    referrer = url
    view()
  }
}

/** The first view begins when the page is seen: one that is only prepared or waits in the background is none. */
function begin(): void {
  if (path || document.hidden) return
  view()
  if (isAlone && (pageLoad().responseStatus === 404 || document.querySelector('[data-tilth-404]')))
    record('$not_found')
}

const downloads = /\.(pdf|docx?|xlsx?|pptx?|csv|txt|rtf|zip|rar|7z|t?gz|dmg|pkg|exe|apk|mp[34]|mov|wav)$/i

/** Clicks and sent forms, wherever they happen and whatever the page does with them. */
function acted({ type, target, button }: Event & { button?: number }): void {
  // a right click opens a menu
  if (button === 2 || !(target instanceof Element)) return
  const isSubmit = type === 'submit'
  const marked = target.closest('[data-tilth-event]')
  const link = target.closest<HTMLAnchorElement>('a[href]')
  if (marked?.matches('form') === isSubmit) recordMarked(marked)
  else if (isSubmit) record('$form_submit', { form: target.getAttribute('id') })
  else if (link) recordLink(link)
}

/** `data-tilth-event="signup" data-tilth-plan="pro"` is the event "signup" with the property "plan". */
function recordMarked({ attributes }: Element): void {
  const props: Record<string, string> = {}
  for (const { name, value } of attributes) if (name.startsWith('data-tilth-')) props[name.slice(11)] = value
  const { event = '', ...rest } = props
  record(event, rest)
}

function recordLink(link: HTMLAnchorElement): void {
  const { origin, pathname, host, href } = link
  if (!href.startsWith('http')) return
  if (link.matches('[download]') || downloads.test(pathname))
    record('$file_download', { url: origin + pathname })
  else if (host !== location.host) record('$outbound_click', { url: href })
}

export const tilth: Pick<Tilth, 'track' | 'identify' | 'optOut' | 'optIn'> = {
  track(name, details) {
    record(name, details?.props, details)
  },
  identify(id, set) {
    flush()
    distinctId = id
    record('$identify', {}, { set })
  },
  optIn() {
    delete store.tilth_off
  },
  optOut() {
    store.tilth_off = '1'
  },
}

export function on(types: string, listener: (event: Event & { persisted?: boolean }) => void): void {
  for (const type of types.split(' ')) addEventListener(type, listener, true)
}

/** Watches the page from now on. */
export function watchPage(counts: typeof isToBeCounted, alone: boolean): void {
  isToBeCounted = counts
  isAlone = alone
  on('pageshow', ({ persisted }) => persisted && view())
  on('visibilitychange focus blur', tick)
  // every page is hidden before it is gone; `pagehide` is for what happened after it was
  on('visibilitychange pagehide', () => (document.hidden ? leave(true) : begin()))
  on('scroll', look)
  on('click auxclick submit', acted)
  on('online', deliverWaiting)
  watchVitals((metric, value) => vitals && (vitals[`$web_vitals_${metric}_value`] = value))
  begin()
  deliverWaiting()
}
