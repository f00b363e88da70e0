import { isDriven, ownTag } from '../driven'
import { watchNavigation } from '../navigation'
import { watchVitals } from '../vitals'

type BeforeSend = (event: {
  type: 'vital'
  url: string
  route?: string
}) => { url: string; route?: string } | null | false | undefined

interface SpeedWindow {
  si?: (command: 'beforeSend', change: BeforeSend) => void
  siq?: ['beforeSend', BeforeSend][]
  sil?: boolean
}

const page = window as SpeedWindow
const tag = ownTag()
const { dataset } = tag
let beforeSend: BeforeSend | undefined
let values: Record<string, number> = {}
let isDone = false
const href = location.href

/** The package writes the route of the page on the tag, anew at each navigation: the first one is the loaded page's. */
let route: string | undefined

function send(): void {
  const found = Object.entries(values)
  if (isDone || found.length === 0) return
  // values go on changing, but to tell them twice would count them twice
  isDone = true
  const event = beforeSend ? beforeSend({ type: 'vital', url: href, route }) : { url: href, route }
  if (!event) return
  const metrics = found.map(([type, value]) => ({
    id: `v3-${Date.now()}-${Math.random().toString().slice(2)}`,
    type,
    value,
    href: event.url,
    route: event.route,
  }))
  const body = JSON.stringify({
    dsn: dataset.dsn,
    speed: (navigator as { connection?: { effectiveType?: string } }).connection?.effectiveType ?? '',
    metrics,
    scriptVersion: 'tilth',
    sdkName: dataset.sdkn,
    sdkVersion: dataset.sdkv,
  })
  const endpoint = dataset.endpoint ?? new URL('vitals', tag.src).href
  // as text and without a look at the answer, it needs no permission of another origin
  void fetch(endpoint, { method: 'POST', mode: 'no-cors', keepalive: true, body }).catch(() => undefined)
}

function start(): void {
  page.sil = true
  page.si = (command, change) => {
    if (command === 'beforeSend') beforeSend = change
  }
  for (const command of page.siq ?? []) page.si(...command)
  watchVitals((metric, value) => {
    route ??= dataset.route
    values[metric] = value
  })
  addEventListener('visibilitychange', () => document.hidden && send())
  addEventListener('pagehide', send)
  watchNavigation(() => {
    if (location.href !== href) send()
  })
}

/** Only a part of the visitors is measured where the tag asks for that; a page in the background measures nothing. */
const isChosen = Math.random() < Number(dataset.sampleRate ?? 1)
if (!page.sil && isChosen && !document.hidden && !isDriven('__vercel')) start()
