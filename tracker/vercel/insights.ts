import { isDriven, ownTag } from '../driven'
import { watchNavigation } from '../navigation'
import { flagValues } from './flags'

type Data = Record<string, unknown>
type BeforeSend = (event: {
  type: 'pageview' | 'event'
  url: string
}) => { url: string } | null | false | undefined

/** A call of the package: a command and its subject. */
type Command =
  | ['beforeSend', BeforeSend]
  | ['event', { name: string; data?: Data; options?: { flags?: string[] | Data } }]
  | ['pageview', { route?: string | null; path?: string | null } | undefined]
  | ['enableCookie']

interface VercelWindow {
  va?: (...command: Command) => void
  vaq?: Command[]
  vai?: boolean
}

const page = window as VercelWindow
const tag = ownTag()
const { dataset } = tag
let beforeSend: BeforeSend | undefined
let route: string | null | undefined
let lastPath = ''
let isFirst = true

/** The address of the tag's attribute; else a path beside the script, wherever that was loaded from. */
function endpoint(name: 'view' | 'event'): string {
  const own = name === 'view' ? dataset.viewEndpoint : dataset.eventEndpoint
  return own ?? (dataset.endpoint ? `${dataset.endpoint}/${name}` : new URL(name, tag.src).href)
}

function send(name: 'view' | 'event', url: string, more: Data): void {
  const type = name === 'view' ? 'pageview' : 'event'
  const event = beforeSend ? beforeSend({ type, url }) : { url }
  if (!event) return
  const body = JSON.stringify({
    o: event.url,
    sv: 'tilth',
    sdkn: dataset.sdkn,
    sdkv: dataset.sdkv,
    dsn: dataset.dsn,
    ts: Date.now(),
    ...(route && { dp: route }),
    ...more,
  })
  void fetch(endpoint(name), {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body,
  }).catch(() => undefined)
}

/** The page that the visitor came from, unless it is on the site itself. */
const referrer = (): Data =>
  document.referrer && URL.parse?.(document.referrer)?.host !== location.host ? { r: document.referrer } : {}

function view(path?: string | null): void {
  lastPath = location.pathname
  send('view', path ? location.origin + path : location.href, isFirst ? referrer() : {})
  isFirst = false
}

/** Vercel's own bound for names and texts. */
const cut = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 255) : value)

function track({
  name,
  data,
  options,
}: {
  name: string
  data?: Data
  options?: { flags?: string[] | Data }
}): void {
  const told = data && Object.fromEntries(Object.entries(data).map(([key, value]) => [cut(key), cut(value)]))
  const flags = flagValues(options?.flags)
  send('event', location.href, {
    ...referrer(),
    en: cut(name),
    ...(told && { ed: told }),
    ...(flags && { f: { p: flags } }),
  })
}

function obey(...command: Command): void {
  if (command[0] === 'beforeSend') beforeSend = command[1]
  if (command[0] === 'event') track(command[1])
  if (command[0] === 'pageview') {
    route = command[1]?.route
    view(command[1]?.path)
  }
}

function start(): void {
  page.vai = true
  page.va = obey
  for (const command of page.vaq ?? []) obey(...command)
  if ('disableAutoTrack' in dataset) return
  view()
  watchNavigation(() => {
    if (location.pathname !== lastPath) view()
  })
}

if (!page.vai && !isDriven('__vercel')) start()
