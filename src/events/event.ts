/** What JSON can carry, which is what SDKs can send. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Properties = Record<string, Json>

/**
 * THE event, as every dialect hands it over. Names and properties are in PostHog's words (`$pageview`, `$current_url`),
 * the best known of them: a dialect translates, and nobody after it knows which one it was.
 */
export interface IncomingEvent {
  /** Retries carry the same one, which is how nothing is counted twice. Made here when the client made none. */
  uuid: string | undefined
  name: string
  /** Absent for a visitor without an id: then a daily-salted hash tells one from another. */
  distinctId: string | undefined
  /** When it happened by the sender's clock. */
  timestamp: Date | undefined
  /** How old it was when it left the sender; some old SDKs say this instead of a time. */
  ageMs: number | undefined
  properties: Properties
  /** False: stored, but nobody's: no person is made of it and its changes to one are ignored. */
  hasPerson: boolean
  person: PersonChanges
  identity: IdentityClaim | undefined
  /** The groups the visitor acted for: type → key. */
  groups: Readonly<Record<string, string>>
  /** What this event says about a group itself. */
  group: { type: string; key: string; set: Properties } | undefined
}

export interface PersonChanges {
  set: Properties
  setOnce: Properties
  unset: readonly string[]
  /** Numbers added to what is there. */
  add: Readonly<Record<string, number>>
}

/** As nearly every event: most say nothing of their person. */
export function saysNothing({ set, setOnce, unset, add }: PersonChanges): boolean {
  return unset.length === 0 && isEmpty(set) && isEmpty(setOnce) && isEmpty(add)
}

export function isEmpty(record: object): boolean {
  for (const _ in record) return false
  return true
}

export type IdentityClaim =
  /** "From now on I am `distinctId`; before, I was `anonymous`." */
  | { kind: 'identify'; anonymous: string }
  /** "`alias` is me as well." */
  | { kind: 'alias'; alias: string }
  /** Both, even where both are known persons already. */
  | { kind: 'merge'; other: string }

/** How events arrived: one for all that came in one request. */
export interface Envelope {
  projectId: number
  /** Whose key it was, where that was not the project's own. */
  environment?: string | undefined
  dialect: string
  receivedAt: Date
  /** The sender's clock when the request left; the difference to ours is its error. */
  sentAt: Date | undefined
  /** Never stored: place and visitor are found by it, then it is forgotten. */
  address: string
  userAgent: string
  language: string | undefined
  /** The visitor's wish not to be followed, as the browser sent it (DNT, Sec-GPC). */
  optedOut: boolean
  /** Sent by a server on somebody's behalf: then neither address nor user agent is the visitor's. */
  fromServer: boolean
  /** Old data brought along: its times are believed however old they are. */
  isHistorical: boolean
}

/** Why an event was not kept. A closed set: "what was dropped, and why" is itself an insight. */
export const dropReasons = {
  bot: 'a robot that is no visitor',
  'spam-referrer': 'referrer spam',
  'shielded-address': 'its address is on the project’s shield',
  'shielded-country': 'its country is on the project’s shield',
  'shielded-page': 'its page is on the project’s shield',
  'shielded-host': 'its host is not one of the project’s',
  'opted-out': 'the visitor does not want to be counted',
  'no-name': 'it has no event name',
  'no-distinct-id': 'it has no distinct id',
  'too-large': 'it is larger than 1 MB',
  malformed: 'it is not an event',
  replay: 'recordings of sessions are not kept yet',
  'not-collected': 'logs, metrics and traces are not kept',
  'over-quota': 'the project has had as many events this month as its owners allow',
} as const
export type DropReason = keyof typeof dropReasons

/** Kinds of traffic told apart rather than thrown away; numbers about people count `human` alone. */
export const trafficKinds = ['human', 'ai', 'bot', 'feed'] as const
export type TrafficKind = (typeof trafficKinds)[number]

/** The standard properties that are columns of their own in the engine: what every question is about. */
export interface EventColumns {
  traffic: TrafficKind
  host: string
  path: string
  title: string
  referrer: string
  referrer_host: string
  source: string
  channel: string
  utm_source: string
  utm_medium: string
  utm_campaign: string
  utm_content: string
  utm_term: string
  /** The name of the advertisement click id the address carried, such as gclid; never its value. */
  click_id: string
  country: string
  region: string
  city: string
  browser: string
  browser_version: string
  os: string
  os_version: string
  device: string
  screen: string
  language: string
  lib: string
  lib_version: string
  revenue: number
  currency: string
  engaged_ms: number
  scroll_depth: number
  elements: string
}

/** An event on its way through the steps of `prepare`. */
export interface Draft {
  event: IncomingEvent
  /** When it happened by our clock. */
  at: Date
  distinctId: string
  /** Without an id of its own: its distinct id is a hash that lasts a day. */
  isCookieless: boolean
  sessionId: string
  columns: Partial<EventColumns>
}

/** What the journal keeps and the batches turn into a row: everything but the person, who is found in journal order. */
export interface PreparedEvent {
  uuid: string
  projectId: number
  name: string
  at: Date
  receivedAt: Date
  distinctId: string
  sessionId: string
  hasPerson: boolean
  isCookieless: boolean
  person: PersonChanges
  identity: IdentityClaim | undefined
  groups: Readonly<Record<string, string>>
  group: IncomingEvent['group']
  columns: Partial<EventColumns>
  /** As text, the way the engine keeps them: numbers keep their digits, nested ones are JSON. */
  properties: Readonly<Record<string, string>>
}

export type Prepared =
  | { kept: true; event: PreparedEvent }
  | { kept: false; uuid: string; name: string; reason: DropReason }
