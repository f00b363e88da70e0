import type { IncomingHttpHeaders } from 'node:http'
import type { DropReason, Envelope, IncomingEvent, Json, Properties } from '#events/event'
import type { Decisions } from '#flags/flag-decider'
import type { Flag } from '#flags/flag'
import type { FairScheduler } from '#ingest/fair-scheduler'
import type { Project } from '#projects/project'
import type { PosthogSurveyList } from '#surveys/posthog/survey-lists'
import type { SurveyAnswers } from '#surveys/answers/survey-answers'
import type { Decoded } from './decode-body'
import type { LeadingFields } from './leading-fields'

/** A request of an SDK, read completely (within the limits) but not yet parsed. */
export interface WireRequest {
  method: string
  /** The path from the vendor's own part on, without the prefix of the site and without a trailing slash. */
  path: string
  /** The prefix: '' or '/ingest'. Scripts use addresses below it. */
  prefix: string
  /** The values of the `{names}` in the route's path. */
  parts: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The body as received, or already uncompressed; see `isUncompressed`. */
  body: Uint8Array
  /** Whether a compressed body was uncompressed. */
  isUncompressed?: boolean
  /** The result for a large body, which is uncompressed and parsed in slices before the dialect runs. */
  parsedBody?: Decoded<Json>
  /** The visitor's address, from trusted proxies only. */
  address: string
  receivedAt: Date
}

export interface UnopenedRequest extends Pick<WireRequest, 'query' | 'headers'> {
  leading: LeadingFields | undefined
  /** The JSON of the body, once it is unpacked; it is not parsed yet. */
  content?: Uint8Array
}

export interface WireResponse {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /**
   * Continues after the body. It is called once with functions that send more and that end the response, until the
   * client disconnects.
   */
  stream?: (tell: (text: string) => void, end: () => void) => Unsubscribe
}

export type Unsubscribe = () => void

/** One path defined by a vendor. `{name}` stands for one part of the path. It matches under any prefix. */
export interface WireRoute {
  methods: readonly ('GET' | 'POST')[]
  path: `/${string}`
  /** Whether the query shows that the request is for this dialect, if the path could also be a page of the site. */
  matchesQuery?: (query: URLSearchParams) => boolean
  /** Whether the values of the names are valid, if only some are. Other paths are the site's own. */
  acceptsParts?: (parts: Readonly<Record<string, string>>) => boolean
  respond: (request: WireRequest, services: WireServices) => WireResponse | Promise<WireResponse>
  /** Whether it accepts events. Under overload these requests wait, and too many are refused; flags are still served. */
  takesEvents?: boolean
  /** Whether lists in its JSON hold events as texts. */
  hasEventsAsTexts?: boolean
  /**
   * Refuses a request by its address, its headers and the beginning of a large body, before that is uncompressed; and
   * once more before it is parsed, by all of it.
   */
  refuseEarly?: (request: UnopenedRequest, services: WireServices) => WireResponse | undefined
}

/** The protocol of one vendor: converts bytes to domain types and back, without state. */
export interface Dialect {
  name: string
  /** Whether some of its clients send credentials, and can read a response only if it allows them. */
  allowsCredentials?: boolean
  /**
   * Whether its clients send events again that were answered 503. Under overload, those of other clients are served first.
   */
  sendsAgain?: boolean
  routes: readonly WireRoute[]
}

/** The services that dialects use. */
export interface WireServices {
  /** Finds a project by write key, or by another name it has at a vendor (an old token, a website id, a domain). */
  findProject(name: string): ResolvedProject | undefined
  /** Finds a project by the host of a page, for scripts without a key. With a single project, every host is its own. */
  findProjectByHost(host: string): Project | undefined
  /** Finds the project of a secret key that may read it. Reads the store each time, because keys can be revoked. */
  findProjectBySecret(secret: string): Promise<ResolvedProject | undefined>
  /**
   * Prepares and stores events; when it resolves with `taken`, every accepted event is on disk. Each event is asked for
   * once, so that those of a large batch need not be in memory together.
   */
  accept(events: Iterable<IncomingEvent>, envelope: Envelope): Promise<Receipt>
  /** Accepts several deliveries of one request together: either all are stored, or the client must send all again. */
  acceptTogether(deliveries: readonly EventDelivery[]): Promise<JointReceipt>
  /** Shares the time of the event loop between senders. */
  readonly scheduler: FairScheduler
  /** Counts a refused request, so that the owner of the project sees it. */
  noteRefusal(refusal: WireRefusal): void
  /** Returns the flags of a project that are not archived. */
  flagsOf(projectId: number): readonly Flag[]
  /** Decides a project's flags for a visitor. Returns a promise only if the visitor has to be looked up. */
  decide(asking: FlagRequest): Decisions | Promise<Decisions>
  /** Begins the visit of a page that another server renders. */
  beginRemoteVisit(request: RemoteVisitRequest): Promise<RemoteVisit>
  /** Returns the definitions for SDKs that evaluate flags on a server. */
  flagDefinitions(projectId: number, environment: string): SerializedDefinitions
  /** The surveys that posthog-js may show now, from memory. */
  posthogSurveys(projectId: number): PosthogSurveyList
  /** The body of posthog-js’s list of experiments that change pages, from memory. */
  posthogWebExperiments(projectId: number): string
  /** Opens a sealed payload; undefined if this server lacks the key. Only for clients with a secret key. */
  openPayload(flag: Flag, payload: string): string | undefined
  /** Calls the listener on every change of an environment's flags. Undefined if the network has too many listeners. */
  listenForFlagChanges(listener: FlagListener): Unsubscribe | undefined
  /** Running surveys, and what people answer in our own places. */
  readonly surveyAnswers: SurveyAnswersService
  /** Returns the flag values that a preview link forces in a browser; undefined if the link has expired. */
  findForcedFlags(token: string): ForcedFlags | undefined
}

export type SurveyAnswersService = Pick<
  SurveyAnswers,
  'find' | 'runningSurveys' | 'hasSurveysForPages' | 'publicSurvey' | 'flagsOf' | 'isFor' | 'take'
>

/** A project, found by one of its names. */
export interface ResolvedProject extends Project {
  /** Set if the name is an environment's key. */
  environment?: string | undefined
  /** The key of that environment. */
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
  /** The keys of the requested flags; undefined for all. */
  keys: readonly string[] | undefined
  /** If set, flags that have only other contexts are excluded. */
  contexts: readonly string[] | undefined
  /** The host of the page that sends the request; '' if the client does not name one. */
  host: string
  /** Whether the visitor's place may be looked up by the address. */
  mayLocate: boolean
  /** Set by a server that renders pages; other clients get only the flags for browsers or those for servers. */
  asks?: 'page'
  /** The circumstances of the request; place and device are derived from them. */
  envelope: Envelope
}

/** A request for a page that another server renders. */
export interface RemoteVisitRequest {
  environment: string
  /** The id that the site's cookies hold. */
  visitor: string | undefined
  /** The id of the browser before sign-in; undefined if it is the visitor's. */
  deviceId: string | undefined
  /** Whether the site identifies visitors by a cookie, rather than for a day. */
  mayIdentify: boolean
  host: string
  /** The token of the preview link that the visitor follows. */
  previewToken: string | undefined
  /** The visitor's own request, as the server describes it. */
  envelope: Envelope
}

export interface RemoteVisit {
  /** Undefined for visitors who are identified for a day. */
  visitor: string | undefined
  /** Whether the site has to set its cookie. */
  isNew: boolean
  isCrawler: boolean
  /** Whether a preview link overrides decisions: such a visit is not counted. */
  isPreview: boolean
  exposureSeed: string
  decisions: Decisions['decisions']
}

/** Flag definitions as JSON text, with their version tags. */
export interface SerializedDefinitions {
  text: string
  etag: string
  /** A tag that changes only when decisions may change: a flag's version counts changes in all environments. */
  substance: string
}

export interface FlagListener {
  projectId: number
  environment: string
  /** The key of the listener. The stream ends when the key no longer belongs to this environment. */
  key: string
  /** The client's address. */
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

/** Events of one project that arrived in the same way. */
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

/** A temporary failure (queue full, disk nearly full): answered 503 with Retry-After, never with a 4xx. */
export interface DeferredReceipt {
  taken: false
  retryAfterSeconds: number
}

/** Answered 503: `not-now` by a client that sends the request again, `lost` by one that does not. */
export type NotNowReason = 'not-now' | 'lost'

/** A request that was refused as a whole. */
export interface WireRefusal {
  dialect: string
  reason:
    | 'unknown-key'
    | 'no-key'
    | 'unreadable'
    | 'too-large'
    | 'mixed-keys'
    | 'survey-answers'
    | NotNowReason
  /**
   * The key or host that the request named. The waiting screen shows it, to point out a wrong key. Of answers to a survey,
   * the sentence that says why.
   */
  named?: string
  projectId?: number
}
