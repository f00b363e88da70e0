import type { IncomingHttpHeaders } from 'node:http'
import type { DropReason, Envelope, IncomingEvent, Json, Properties } from '#events/event'
import type { Decisions } from '#flags/flag-decider'
import type { Flag } from '#flags/flag'
import type { FairScheduler } from '#ingest/fair-scheduler'
import type { Project } from '#projects/project'
import type { Decoded } from './decode-body'

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
  /** As it came, or already uncompressed; see `unpacked`. */
  body: Uint8Array
  /** The body came compressed and no longer is. */
  isUncompressed?: boolean
  /** A large body, uncompressed and parsed in slices before the dialect sees it. */
  parsedBody?: Decoded<Json>
  /** The visitor's, from trusted hops alone. */
  address: string
  receivedAt: Date
}

export interface WireResponse {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Goes on after the body: called once with what sends more and what ends it, until the client has gone. */
  stream?: (tell: (text: string) => void, end: () => void) => Unsubscribe
}

export type Unsubscribe = () => void

/** One address a vendor defined. `:name` stands for one part of the path. It matches under any prefix. */
export interface WireRoute {
  methods: readonly ('GET' | 'POST')[]
  path: `/${string}`
  /** Where the path alone could as well be a page of the site's: whether the query shows that it is not. */
  matchesQuery?: (query: URLSearchParams) => boolean
  /** Where only some names can stand for `:name`: whether these can. Others are the site's own. */
  acceptsParts?: (parts: Readonly<Record<string, string>>) => boolean
  respond: (request: WireRequest, services: WireServices) => WireResponse | Promise<WireResponse>
  /** Whether it takes events in. Under overload these requests are refused first, and flags are still decided. */
  takesEvents?: boolean
  /** Refuses by what the address and the headers say alone, before a body is uncompressed. */
  refuseEarly?: (
    request: Pick<WireRequest, 'query' | 'headers'>,
    services: WireServices,
  ) => WireResponse | undefined
}

/** One vendor's way of talking to us: bytes to domain types and back, and nothing kept in between. */
export interface Dialect {
  name: string
  /** Whether some of its clients send with credentials, and so are shown an answer only if it allows them. */
  allowsCredentials?: boolean
  routes: readonly WireRoute[]
}

/** The services that dialects use. */
export interface WireServices {
  /** By write key, or by another name the project is known under at a vendor (an old token, a website id, a domain). */
  findProject(name: string): ResolvedProject | undefined
  /** By the host of a page: for scripts that carry no key. With a single project, every host is its own. */
  findProjectByHost(host: string): Project | undefined
  /** Finds the project of a secret key that may read it. Reads the store each time, because keys can be revoked. */
  findProjectBySecret(secret: string): Promise<ResolvedProject | undefined>
  /** Prepares and writes down; when it resolves with `taken`, every kept event is on disk. */
  accept(events: readonly IncomingEvent[], envelope: Envelope): Promise<Receipt>
  /**
   * Accepts several deliveries of one request together: all are stored, or the client has to send all of them again.
   */
  acceptTogether(deliveries: readonly EventDelivery[]): Promise<JointReceipt>
  /** Shares the time of the event loop between senders. */
  readonly scheduler: FairScheduler
  /** Counts what never became an event, so that the owner of the project sees it. */
  noteRefusal(refusal: WireRefusal): void
  /** All flags of a project that are not archived, before any decision. */
  flagsOf(projectId: number): readonly Flag[]
  /** Decides a project's flags for a visitor. Returns a promise only if the visitor has to be looked up. */
  decide(asking: FlagRequest): Decisions | Promise<Decisions>
  /** What an SDK on a server needs in order to decide by itself. */
  flagDefinitions(projectId: number, environment: string): SerializedDefinitions
  /** Opens a sealed payload; undefined if this server lacks the key. Only for clients with a secret key. */
  openPayload(flag: Flag, payload: string): string | undefined
  /** Calls the listener on every change of an environment's flags. Undefined if the network has too many listeners. */
  listenForFlagChanges(listener: FlagListener): Unsubscribe | undefined
  /** What a link for trying flags out forces in the browser that followed it; undefined once that is over. */
  findForcedFlags(token: string): ForcedFlags | undefined
}

/** A project by one of its names. */
export interface ResolvedProject extends Project {
  /** Where the name is an environment's key, and not the project's own. */
  environment?: string | undefined
  /** That key. */
  environmentKey?: string | undefined
}

/** The visitor of a flag request, as the client describes them. */
export interface FlagRequest {
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
  /** The host of the page that sends the request; '' if the client does not name one. */
  host: string
  /** Whether where the visitor is may be found by the address. */
  mayLocate: boolean
  /** How the question came: where and in what the visitor is can be seen by it. */
  envelope: Envelope
}

/** Flag definitions as JSON text, with their version tags. */
export interface SerializedDefinitions {
  text: string
  etag: string
  /** The same while everything is decided the same: a flag counts its changes in all environments together. */
  substance: string
}

export interface FlagListener {
  projectId: number
  environment: string
  /** The key it listens with. The stream ends when the key no longer names this environment. */
  key: string
  /** Address of the client. */
  address: string
  notify: (change: { substance: string; at: Date }) => void
  end: () => void
}

/** Flag values that a preview link forces in a browser. */
export interface ForcedFlags {
  projectId: number
  values: Readonly<Record<string, boolean | string>>
  until: Date
}

/** Events that came the same way, for one project. */
export interface EventDelivery {
  events: readonly IncomingEvent[]
  envelope: Envelope
}

export type Receipt = AcceptedReceipt | DeferredReceipt
export type JointReceipt = { taken: true; receipts: readonly AcceptedReceipt[] } | DeferredReceipt

export interface AcceptedReceipt {
  taken: true
  kept: number
  dropped: readonly { index: number; reason: DropReason }[]
}

/** Passing trouble (queue full, disk near its reserve): answered 503 with Retry-After, never with a 4xx. */
export interface DeferredReceipt {
  taken: false
  retryAfterSeconds: number
}

/** A request that was turned away whole. */
export interface WireRefusal {
  dialect: string
  reason: 'unknown-key' | 'no-key' | 'unreadable' | 'too-large' | 'mixed-keys'
  /** The key or host that the request named. The waiting screen shows it, to point out a wrong key. */
  named?: string
  projectId?: number
}
