/** A JSON value, as SDKs send it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Properties = Record<string, Json>

/**
 * An event as every dialect returns it. Names and properties are PostHog's (`$pageview`, `$current_url`), the best
 * known ones: each dialect translates to them, and later steps do not depend on the dialect.
 */
export interface IncomingEvent {
  /** Retries carry the same uuid, by which they are deduplicated. Generated here if the client sent none. */
  uuid: string | undefined
  name: string
  /** Absent for a visitor without an id, who is then identified by a hash with a daily salt. */
  distinctId: string | undefined
  /** When it happened by the sender's clock. */
  timestamp: Date | undefined
  /** The event's age when it was sent; some old SDKs send this instead of a time. */
  ageMs: number | undefined
  properties: Properties
  /** Whether a server sent it for a visitor, if the event itself tells; otherwise the envelope does. */
  fromServer?: boolean | undefined
  /** False: the event is stored without a person, and its person changes are ignored. */
  hasPerson: boolean
  person: PersonChanges
  identity: IdentityClaim | undefined
  /** The visitor was counted without an id until now, and the events from then belong to the same person. */
  identifiesVisitor?: true
  /** The groups the visitor acted for: type → key. */
  groups: Readonly<Record<string, string>>
  /** The properties that this event sets on a group. */
  group: { type: string; key: string; set: Properties } | undefined
  /** Everything that another Tilth derived from the event, which is then not derived again. */
  derived?: DerivedFacts | undefined
}

/** The stored form of an event, as an export of Tilth has it. */
interface DerivedFacts {
  columns: Partial<EventColumns> & Pick<EventColumns, 'traffic'>
  /** '' if the event belongs to no session. */
  sessionId: string
  isCookieless: boolean
}

export interface PersonChanges {
  set: Properties
  setOnce: Properties
  unset: readonly string[]
  /** Numbers to add to the current values. */
  add: Readonly<Record<string, number>>
  /** Changes of properties that are lists, in order. */
  lists?: readonly ListChange[] | undefined
}

/** A change of a list, which is created if it is missing; a list in its place adds each of its items. */
export interface ListChange {
  kind: 'append' | 'prepend' | 'append-absent' | 'prepend-absent' | 'remove'
  name: string
  item: Json
}

/** Whether an event changes nothing about its person, as nearly all do. */
export function hasNoChanges({ set, setOnce, unset, add, lists = [] }: PersonChanges): boolean {
  return unset.length === 0 && lists.length === 0 && isEmpty(set) && isEmpty(setOnce) && isEmpty(add)
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
  /** Merges the two, even if both are identified. */
  | { kind: 'merge'; other: string }

/** The circumstances in which events arrived; shared by all events of one request. */
export interface Envelope {
  projectId: number
  /** The environment of the key, if it is not the project's own. */
  environment?: string | undefined
  dialect: string
  receivedAt: Date
  /** The sender's clock when the request left; the difference to the server's clock is its error. */
  sentAt: Date | undefined
  /** The IP address. It determines place and visitor and is never stored. */
  address: string
  userAgent: string
  language: string | undefined
  /** Whether the visitor's browser sent an opt-out (DNT, Sec-GPC). */
  optedOut: boolean
  /** Sent by a server for a visitor: neither address nor user agent is the visitor's. An event may tell otherwise. */
  fromServer: boolean
  /** Imported data: its times are accepted however old they are. */
  isHistorical: boolean
  /** Whether the sender showed a secret key of the project. Without one, nothing is history to a survey. */
  hasSecretKey?: boolean
  /** The import that brings the events; then the ids of sessions are taken as they are. */
  importId?: string | undefined
  /** Whether a page or endpoint of ours checked what the events say about a survey: access, limits and every answer. */
  hasCheckedAnswers?: boolean
  /** The id of a visitor without one, once it is computed: a page and its events are of the same visitor. */
  cookielessVisitor?: CookielessVisitor
}

/** An id, and what it was computed from. */
export interface CookielessVisitor {
  id: string
  /** The key of the day. */
  salt: object
  projectId: number
  domain: string
  address: string
  userAgent: string
}

/** Why an event was not kept. A closed set: "what was dropped, and why" is itself an insight. */
export const dropReasons = {
  bot: 'a bot',
  'spam-referrer': 'referrer spam',
  'shielded-address': 'its IP address is blocked',
  'shielded-country': 'its country is blocked',
  'shielded-page': 'its page is blocked',
  'shielded-host': 'its hostname is not allowed',
  'opted-out': 'the visitor opted out',
  'no-name': 'it has no event name',
  'no-distinct-id': 'it has no distinct id',
  'too-large': 'it is larger than 1 MB',
  malformed: 'it is not an event',
  replay: 'session recordings are not supported',
  'not-collected': 'logs, metrics, traces and heatmaps are not supported',
  'not-captured': 'the project does not capture it',
  'over-quota': 'the monthly event limit is reached',
  'unknown-survey': 'unknown survey id',
  'survey-closed': 'the survey takes no responses at that time',
  'survey-page-only': 'the survey takes answers through its own page only',
  'refused-answers': 'its answers to a survey were refused',
  'invalid-answer': 'the answer does not match the question',
  'too-many-answers': 'too many events in one submission',
} as const
export type DropReason = keyof typeof dropReasons

/** Kinds of traffic, which are all stored; numbers about people count only `human`. */
export const trafficKinds = ['human', 'ai', 'bot', 'feed'] as const
export type TrafficKind = (typeof trafficKinds)[number]

/** The standard properties that are columns of their own in the engine. */
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
  /** The names of properties sent as texts that read as another value, as a list in JSON. */
  string_keys: string
}

/** An event on its way through the steps of `prepare`. */
export interface EventDraft {
  event: IncomingEvent
  /** When it happened by the server's clock. */
  at: Date
  distinctId: string
  /** The event came without an id: its distinct id is a hash that changes daily. */
  isCookieless: boolean
  sessionId: string
  /** The session was derived from the times of the visitor's events; otherwise the client sent its id. */
  isSessionDerived?: boolean
  columns: Partial<EventColumns>
}

/** An event in the journal, which batches turn into a row. The person is resolved later, in journal order. */
export interface PreparedEvent {
  uuid: string
  projectId: number
  name: string
  at: Date
  receivedAt: Date
  distinctId: string
  sessionId: string
  /** Fronts that share a store agree on derived sessions before they are stored. */
  isSessionDerived?: boolean
  hasPerson: boolean
  isCookieless: boolean
  person: PersonChanges
  identity: IdentityClaim | undefined
  groups: Readonly<Record<string, string>>
  group: IncomingEvent['group']
  /** The import that brought the event; absent for one that a client sent. */
  importId?: string | undefined
  columns: Partial<EventColumns>
  /** Values as text, as the engine stores them: numbers keep their digits, nested values are JSON. */
  properties: Readonly<Record<string, string>>
}

export type PreparationOutcome =
  | { kept: true; event: PreparedEvent }
  | { kept: false; uuid: string; name: string; reason: DropReason }
