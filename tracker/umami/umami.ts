import { ownTag } from '../driven'
import { watchNavigation } from '../navigation'
import { watchVitals } from '../vitals'

type Data = Record<string, unknown>
type Type = 'event' | 'identify' | 'performance'
type BeforeSend = (
  type: Type,
  payload: Data,
) => Data | null | false | undefined | Promise<Data | null | false | undefined>

interface UmamiWindow extends Record<string, unknown> {
  umami?: { track: typeof track; identify: typeof identify }
}

const page = window as unknown as UmamiWindow
const tag = ownTag()
const { dataset } = tag
const website = dataset.websiteId
/** The script's own folder, unless the tag names a host; a trailing slash more or less is the same. */
const home = dataset.hostUrl ? new URL(`${dataset.hostUrl.replace(/\/+$/, '')}/`, location.href) : tag.src
const endpoint = new URL('api/send', home)
const isOn = (option: string | undefined): boolean => option === 'true'

let url = tidyUrl(location.href)
let referrer = document.referrer.startsWith(location.origin) ? '' : tidyUrl(document.referrer)
let id: string | undefined
/** The server's last token, by which it recognises this visitor; and whether it asked for no more events. */
let cache: string | undefined
let isDisabled = false

function tidyUrl(address: string): string {
  const place = address ? new URL(address, location.href) : undefined
  if (!place) return ''
  if (isOn(dataset.excludeSearch)) place.search = ''
  if (isOn(dataset.excludeHash)) place.hash = ''
  return place.href
}

const payloadNow = (): Data => ({
  website,
  screen: `${screen.width}x${screen.height}`,
  language: navigator.language,
  title: document.title,
  hostname: location.hostname,
  url,
  referrer,
  tag: dataset.tag,
  id,
})

function isSilent(): boolean {
  const domains = dataset.domains?.split(',').map((domain) => domain.trim())
  const asksNotTo =
    isOn(dataset.doNotTrack) && (navigator.doNotTrack === '1' || navigator.globalPrivacyControl)
  return (
    isDisabled ||
    !website ||
    isSwitchedOff() ||
    !!asksNotTo ||
    (!!domains && !domains.includes(location.hostname))
  )
}

function isSwitchedOff(): boolean {
  try {
    return !!localStorage.getItem('umami.disabled')
  } catch {
    return false
  }
}

async function send(type: Type, given: Data): Promise<void> {
  if (isSilent()) return
  const change = dataset.beforeSend ? page[dataset.beforeSend] : undefined
  // the page names a function of its own, which is to be of this kind
  const payload = typeof change === 'function' ? await (change as BeforeSend)(type, given) : given
  if (!payload) return
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      keepalive: true,
      body: JSON.stringify({ type, payload }),
      headers: { 'content-type': 'application/json', ...(cache !== undefined && { 'x-umami-cache': cache }) },
      // as the attribute says it; a browser refuses what it does not know
      credentials: (dataset.fetchCredentials as RequestCredentials | undefined) ?? 'omit',
    })
    const answer: { cache?: string; disabled?: boolean } = await response.json()
    isDisabled = !!answer.disabled
    cache = answer.cache
  } catch {
    // no server: counting must never disturb the page
  }
}

function track(what?: string | Data | ((payload: Data) => Data), data?: Data): Promise<void> {
  const payload = payloadNow()
  if (typeof what === 'string') return send('event', { ...payload, name: what, data })
  if (typeof what === 'function') return send('event', what(payload))
  return send('event', typeof what === 'object' ? { ...what } : payload)
}

function identify(who: string | Data, data?: Data): Promise<void> {
  if (typeof who === 'string') id = who
  // to the server, a visitor with a new name is another visitor
  cache = ''
  return send('identify', { ...payloadNow(), data: typeof who === 'object' ? who : data })
}

/** A title follows its address by a moment. */
const titleDelayMs = 300

function moved(): void {
  const next = tidyUrl(location.href)
  if (next === url) return
  report()
  vitals = {}
  since = performance.now()
  isReported = false
  referrer = url
  url = next
  setTimeout(() => void track(), titleDelayMs)
}

/** `data-umami-event="signup" data-umami-event-plan="pro"` */
function clicked({ target }: Event): void {
  const marked = target instanceof Element ? target.closest('[data-umami-event]') : null
  if (!marked) return
  const data: Data = {}
  for (const { name, value } of marked.attributes) {
    const key = /^data-umami-event-(.+)$/.exec(name)?.[1]
    if (key !== undefined) data[key] = value
  }
  void track(marked.getAttribute('data-umami-event') ?? '', data)
}

let vitals: Data = {}
let since = performance.now()
let isReported = false

/** Reports the speed of the page once, when it is first left. */
function report(): void {
  if (!isOn(dataset.performance) || isReported) return
  isReported = true
  void send('performance', { ...payloadNow(), ...vitals, duration: Math.round(performance.now() - since) })
}

function start(): void {
  page.umami = { track, identify }
  watchNavigation(moved)
  document.addEventListener('click', clicked, true)
  if (isOn(dataset.performance)) {
    watchVitals((metric, value) => (vitals[metric.toLowerCase()] = value))
    addEventListener('visibilitychange', () => document.hidden && report())
  }
  if (dataset.autoTrack === 'false') return
  const begin = (): void => {
    if (document.hidden || document.readyState !== 'complete') return
    removeEventListener('visibilitychange', begin)
    removeEventListener('load', begin)
    void track()
  }
  addEventListener('visibilitychange', begin)
  addEventListener('load', begin)
  begin()
}

// a driven browser is told by the server, which keeps it apart
if (!page.umami) start()
