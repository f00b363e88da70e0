import type { IncomingEvent, Properties } from '#events/event'
import { uuidFrom } from '#ingest/uuid'
import { isProperties, parseJson } from '../decode-body'
import { numberField, textField, withoutUndefined } from '../read-fields'
import { trackerEvent } from '../internal/tracker-events'
import { uuidOf } from '../internal/uuid'

/** The page that sent a request, beside its own fields. */
export interface SendingPage {
  /** The host of the page, if it is not in the fields. */
  host: string | undefined
  /** The whole address of the page, if the browser names it. */
  url: string | undefined
}

const types: Readonly<Record<string, (fields: Properties, page: SendingPage) => IncomingEvent>> = {
  pageview: (fields, page) => messageEvent('$pageview', fields, pageOf(fields, page)),
  event: (fields, page) => messageEvent(textField(fields, 'event') ?? '', fields, pageOf(fields, page)),
  append: engagementEvent,
}

/** Converts a request, whose fields an import writes too; undefined for types that are no events, such as errors of the script itself. */
export function simpleAnalyticsEvent(fields: Properties, page: SendingPage): IncomingEvent | undefined {
  const type = textField(fields, 'type') ?? 'pageview'
  return Object.hasOwn(types, type) ? types[type]?.(fields, page) : undefined
}

function messageEvent(name: string, fields: Properties, page: Properties): IncomingEvent {
  const id = textField(fields, 'id')
  return trackerEvent({
    name,
    uuid: id === undefined ? undefined : uuidOf(id),
    properties: {
      ...metadataIn(fields),
      ...page,
      ...withoutUndefined({
        $referrer: referrerIn(fields),
        $screen_width: numberField(fields, 'screen_width'),
        $screen_height: numberField(fields, 'screen_height'),
        $viewport_width: numberField(fields, 'viewport_width'),
        $viewport_height: numberField(fields, 'viewport_height'),
        $browser_language: textField(fields, 'language'),
        $timezone: textField(fields, 'timezone'),
        $raw_user_agent: textField(fields, 'ua'),
      }),
      ...libraryOf(fields),
    },
  })
}

/** Reports reading time in seconds. It names the view by its id only, so its page is the one that the browser names. */
function engagementEvent(fields: Properties, page: SendingPage): IncomingEvent {
  const [id, seconds] = [textField(fields, 'original_id'), numberField(fields, 'duration')]
  const scrolled = numberField(fields, 'scrolled')
  return trackerEvent({
    name: '$engagement',
    uuid: id === undefined ? undefined : uuidFrom(`simple-analytics ${id} ${seconds} ${scrolled}`),
    properties: {
      ...pageOf(fields, page),
      ...withoutUndefined({
        $engaged_ms: seconds === undefined ? undefined : seconds * 1000,
        $scroll_depth: scrolled,
      }),
      ...libraryOf(fields),
    },
  })
}

const libraryOf = (fields: Properties): Properties =>
  withoutUndefined({ $lib: 'simple-analytics', $lib_version: textField(fields, 'version') })

/** The host as the page names it: without `www.`, and another one if the page overrides it, such as with the write key. */
export function hostIn(fields: Properties, page: SendingPage): string | undefined {
  const named = textField(fields, 'hostname')
  const actual = textField(fields, 'hostname_original') ?? page.host
  return named?.includes('.') === true && actual !== `www.${named}` ? named : (actual ?? named)
}

function addressOf(fields: Properties, page: SendingPage): string | undefined {
  const [host, path] = [hostIn(fields, page), textField(fields, 'path')]
  if (host === undefined || path === undefined) return undefined
  const scheme = textField(fields, 'https') === 'false' || fields['https'] === false ? 'http' : 'https'
  const address = URL.parse(`${scheme}://${host}`)
  if (!address) return undefined
  const [pathname = '', hash = ''] = path.split(/#(.*)/s, 2)
  return Object.assign(address, { pathname, hash, search: textField(fields, 'query') ?? '' }).href
}

/** The page that the browser names, on the host that counts. */
function addressAt(url: string | undefined, host: string | undefined): string | undefined {
  const address = URL.parse(url ?? '')
  if (address && host !== undefined) address.host = host
  return address?.href
}

/** Reading time is sent without a path. */
function pageOf(fields: Properties, page: SendingPage): Properties {
  const host = hostIn(fields, page)
  const url = addressOf(fields, page) ?? addressAt(page.url, host)
  return withoutUndefined(url === undefined ? { $host: host } : { $current_url: url })
}

/** Referrers are sent without a scheme. Those of the site itself begin with the name that the page sends for it. */
function referrerIn(fields: Properties): string | undefined {
  const referrer = textField(fields, 'referrer')
  const own = textField(fields, 'hostname')
  if (referrer === undefined || (own !== undefined && referrer.startsWith(own))) return undefined
  return /^[a-z][\w+.-]*:\/\//i.test(referrer) ? referrer : `https://${referrer}`
}

/** Metadata is JSON text in an address, and an object in a body. */
function metadataIn(fields: Properties): Properties {
  const { metadata } = fields
  if (typeof metadata !== 'string') return isProperties(metadata) ? metadata : {}
  const inside = parseJson(metadata)
  return inside.read && isProperties(inside.what) ? inside.what : {}
}
