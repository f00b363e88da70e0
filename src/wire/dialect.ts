import type { IncomingHttpHeaders } from 'node:http'
import type { DropReason, Envelope, IncomingEvent } from '../events/event'
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
}

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
  projectNamed(name: string): Project | undefined
  /** By the host of a page: for scripts that carry no key. With a single project, every host is its own. */
  projectAt(host: string): Project | undefined
  /** The project that a secret key opens, if it may be read with it. Asked of the store: keys are revoked. */
  projectOfSecret(secret: string): Promise<Project | undefined>
  /** Prepares and writes down; when it resolves with `taken`, every kept event is on disk. */
  take(events: readonly IncomingEvent[], envelope: Envelope): Promise<Receipt>
  /** Several deliveries of one request have one fate: a sender told to send again sends all of them again. */
  takeTogether(deliveries: readonly Delivered[]): Promise<JointReceipt>
  /** Counts what never became an event, so that the owner of the project sees it. */
  noteRefusal(refusal: Refusal): void
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
