import type { IncomingHttpHeaders } from 'node:http'
import type { DropReason, Envelope, IncomingEvent, Properties } from '../events/event'
import type { Decisions } from '../flags/deciding'
import type { Flag } from '../flags/flag'
import type { Project } from '../projects/project'

/** A request of an SDK, read whole (within the wire's limits) and not yet understood. */
export interface WireRequest {
  method: string
  /** From the vendor's own path on: a prefix the site put before it is gone, and so is a slash at the end. */
  path: string
  /** What stood before it: '' or '/ingest'. Scripts answer with addresses below it. */
  prefix: string
  /** What stood in the place of the `:names` of the route's path. */
  parts: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** As it came; see `unpacked` for compression. */
  body: Uint8Array
  /** The visitor's, from trusted hops alone. */
  address: string
  receivedAt: Date
}

export interface WireAnswer {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Goes on after the body: called once with what sends more, until whoever listens has gone. */
  goesOn?: (tell: (text: string) => void) => Stop
}

export type Stop = () => void

/** One address a vendor defined. `:name` stands for one part of the path. It matches under any prefix. */
export interface Route {
  methods: readonly ('GET' | 'POST')[]
  path: `/${string}`
  /** Where the path alone could as well be a page of the site's: whether the query shows that it is not. */
  when?: (query: URLSearchParams) => boolean
  /** Where only some names can stand for `:name`: whether these can. Others are the site's own. */
  knows?: (parts: Readonly<Record<string, string>>) => boolean
  answer: (request: WireRequest, desk: Desk) => WireAnswer | Promise<WireAnswer>
}

/** One vendor's way of talking to us: bytes to domain types and back, and nothing kept in between. */
export interface Dialect {
  name: string
  routes: readonly Route[]
}

/** What a dialect may ask of the house. */
export interface Desk {
  /** By write key, or by another name the project is known under at a vendor (an old token, a website id, a domain). */
  projectNamed(name: string): NamedProject | undefined
  /** By the host of a page: for scripts that carry no key. With a single project, every host is its own. */
  projectAt(host: string): Project | undefined
  /** The project that a secret key opens, if it may be read with it. Asked of the store: keys are revoked. */
  projectOfSecret(secret: string): Promise<NamedProject | undefined>
  /** Prepares and writes down; when it resolves with `taken`, every kept event is on disk. */
  take(events: readonly IncomingEvent[], envelope: Envelope): Promise<Receipt>
  /** Several deliveries of one request have one fate: a sender told to send again sends all of them again. */
  takeTogether(deliveries: readonly Delivered[]): Promise<JointReceipt>
  /** Counts what never became an event, so that the owner of the project sees it. */
  noteRefusal(refusal: Refusal): void
  /** All flags of a project that are not archived: what it has, before anybody is looked at. */
  flagsOf(projectId: number): readonly Flag[]
  /** What a visitor gets of a project's flags. At once, but where somebody has to be looked up. */
  decide(asking: Asking): Decisions | Promise<Decisions>
  /** What an SDK on a server needs in order to decide by itself. */
  definitions(projectId: number, environment: string): WrittenDefinitions
  /** A payload, opened where it is kept sealed; undefined where nobody can. Only for whoever has a secret key. */
  opened(flag: Flag, payload: string): string | undefined
  /** Tells of every change of an environment's flags; undefined where that network listens often enough. */
  listen(listener: FlagListener): Stop | undefined
  /** What a link for trying flags out forces in the browser that followed it; undefined once that is over. */
  forcedBy(token: string): Forced | undefined
}

/** A project by one of its names. */
export interface NamedProject extends Project {
  /** Where the name is an environment's key, and not the project's own. */
  environment?: string | undefined
  /** That key. */
  environmentKey?: string | undefined
}

/** Who asks about flags, as far as the client says it. */
export interface Asking {
  environment: string
  /** Undefined for a visitor without an id. */
  distinctId: string | undefined
  deviceId: string | undefined
  anonymousId: string | undefined
  groups: Readonly<Record<string, string>>
  person: Properties
  groupProperties: Readonly<Record<string, Properties>>
  /** The only ones wanted; undefined: all. */
  keys: readonly string[] | undefined
  /** Where the client names some, flags with other ones alone are not for it. */
  contexts: readonly string[] | undefined
  /** The host of the page that asks; '' where nobody says. */
  host: string
  /** Whether where the visitor is may be found by the address. */
  isToBePlaced: boolean
  /** How the question came: where and in what the visitor is can be seen by it. */
  envelope: Envelope
}

/** JSON as text, and what tells it from what it was before. */
export interface WrittenDefinitions {
  text: string
  etag: string
  /** The same while everything is decided the same: a flag counts its changes in all environments together. */
  substance: string
}

export interface FlagListener {
  projectId: number
  environment: string
  /** Whoever listens, by their address. */
  address: string
  tell: (change: { substance: string; at: Date }) => void
}

/** Values that somebody wants to see, by flag. */
export interface Forced {
  projectId: number
  values: Readonly<Record<string, boolean | string>>
  until: Date
}

/** Events that came the same way, for one project. */
export interface Delivered {
  events: readonly IncomingEvent[]
  envelope: Envelope
}

export type Receipt = Taken | NotTaken
export type JointReceipt = { taken: true; receipts: readonly Taken[] } | NotTaken

export interface Taken {
  taken: true
  kept: number
  dropped: readonly { index: number; reason: DropReason }[]
}

/** Passing trouble (queue full, disk near its reserve): answered 503 with Retry-After, never with a 4xx. */
export interface NotTaken {
  taken: false
  retryAfterSeconds: number
}

/** A request that was turned away whole. */
export interface Refusal {
  dialect: string
  reason: 'unknown-key' | 'no-key' | 'unreadable' | 'too-large' | 'mixed-keys'
  /** The key or host it named, for "somebody sends with a wrong key" on the waiting screen. */
  named?: string
  projectId?: number
}
