import type { IncomingEvent, Properties } from '../events/event'
import type { Visit } from './visit'

/** By whom such events were sent. */
export const siteLibrary = 'tilth-site'

/** An event of a visit, as if its browser had sent it. */
export const anEventOf = (
  { visitor, isCookieless }: Pick<Visit, 'visitor' | 'isCookieless'>,
  name: string,
  uuid: string,
  properties: Properties,
): IncomingEvent => ({
  uuid,
  name,
  // who has none is found by the same trail as the visit was
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

/** What was looked at, and from where. */
export interface Viewed {
  /** As the browser asked for it, with its question. */
  address: string
  title: string
  referrer: string | undefined
}

export const viewedProperties = ({ address, title, referrer }: Viewed): Properties => ({
  $current_url: address,
  ...(title !== '' && { title }),
  ...(referrer !== undefined && { $referrer: referrer }),
})

/** Asked for ahead of time, perhaps to be never looked at; whoever looks after all is counted by the script. */
export const isAhead = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  'x-tilth-prefetch' in headers ||
  aheadSayings.some((name) => /prefetch|preview|prerender/.test(String(headers[name] ?? '')))

const aheadSayings = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']
