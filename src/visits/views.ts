import type { IncomingEvent, Properties } from '#events/event'
import type { Visit } from './visit'

/** The `$lib` value of these events. */
const siteLibrary = 'tilth-site'

/** Returns an event of a visit in the form that its browser would send. */
export const visitEvent = (
  { visitor, isCookieless }: Pick<Visit, 'visitor' | 'isCookieless'>,
  name: string,
  uuid: string,
  properties: Properties,
): IncomingEvent => ({
  uuid,
  name,
  // a cookieless visitor is identified by the same hash as the visit
  distinctId: isCookieless ? undefined : visitor,
  timestamp: undefined,
  ageMs: undefined,
  properties: { ...properties, $lib: siteLibrary },
  hasPerson: !isCookieless,
  person: { set: {}, setOnce: {}, unset: [], add: {} },
  identity: undefined,
  groups: {},
  group: undefined,
})

/** The page that was viewed, and its referrer. */
interface ViewedPage {
  /** The requested URL, with its query. */
  address: string
  title: string
  referrer: string | undefined
}

export const viewedProperties = ({ address, title, referrer }: ViewedPage): Properties => ({
  $current_url: address,
  ...(title !== '' && { title }),
  ...(referrer !== undefined && { $referrer: referrer }),
})

/** Whether the browser prefetches the page, which it may never show. If it does, the script counts the view. */
export const isPrefetch = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  'x-tilth-prefetch' in headers ||
  prefetchHeaders.some((name) => /prefetch|preview|prerender/.test(String(headers[name] ?? '')))

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']
