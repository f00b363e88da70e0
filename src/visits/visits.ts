import type { IncomingHttpHeaders } from 'node:http'
import type { Envelope, Json } from '#events/event'
import type { CompiledFlags } from '#flags/compile'
import type { FlagDecider } from '#flags/flag-decider'
import type { Decision } from '#flags/decision'
import type { FlagDefinitions } from '#flags/definitions'
import { isForServersOnly, mainEnvironment } from '#flags/flag'
import {
  isCrawler,
  mayBeIdentified,
  type RequestVisitor,
  visitorPropertiesOf,
  cookielessVisitorId,
} from '#ingest/request-visitor'
import { parseVisitorCookie } from '#ingest/cookies'
import type { IngestContext } from '#ingest/prepare'
import { newUuid } from '#ingest/uuid'
import { originalOf } from './internal/originals'
import type { Visit } from './visit'
import { type RequestNeeds, requestNeedsOf } from './internal/request-needs'
import { variantBucketOf } from '#flags/bucket'
import type { Trial } from '#posts/post'

interface VisitsDependencies {
  definitions: Pick<FlagDefinitions, 'compiled'>
  decider: Pick<FlagDecider, 'decideNow'>
  /** Has the same salts and rules as event ingestion, so that both compute the same visitor. */
  ingestContext: IngestContext
  /** Returns the running trials of published posts. */
  trialsOf: (projectId: number) => readonly VisitTrial[]
  /** Applies a preview link's overrides to the decisions; undefined if the browser follows none. */
  applyPreview(
    decide: () => readonly Decision[],
    projectId: number,
    headers: IncomingHttpHeaders,
  ): Decision[] | undefined
}

/** A request for a page of a project's site. */
export interface VisitRequest {
  projectId: number
  /** The way in which the site identifies visitors. */
  visitors: 'daily' | 'cookie'
  host: string
  /** The visitor's IP address, from trusted proxies only. */
  address: string
  headers: IncomingHttpHeaders
  receivedAt: Date
}

export interface StartedVisit {
  visit: Visit
  /** Whether this is the first visit, which sets the cookie. */
  isNew: boolean
  /** The envelope of this visit's events. */
  envelope: Envelope
}

/**
 * Begins the visit of each page request: identifies the visitor, and decides all flags when one of them is first asked
 * for, synchronously from memory. Most pages show none.
 */
export class Visits {
  constructor(private readonly dependencies: VisitsDependencies) {}

  begin(request: VisitRequest): StartedVisit {
    const context = stepContextOf(request)
    const identified = this.visitorOf(request, context)
    const { projectId, headers } = request
    const decide = once(() => this.decide(context, identified))
    // stored properties of a visitor are looked up in the background, for the next page
    if (!isNobody(identified) && this.needsOf(projectId).isStored) decide()
    const tried = this.dependencies.applyPreview(decide, projectId, headers)
    const decisions = once(() => this.decisionsFor(tried ?? decide(), context, identified))
    const withheld = once(() => this.withheldIn(projectId))
    const visit: Visit = {
      projectId,
      visitor: identified.visitor,
      isCookieless: identified.isCookieless,
      get decisions() {
        return decisions().decisions
      },
      get payloads() {
        return decisions().payloads
      },
      get withheld() {
        return withheld()
      },
      isTried: tried !== undefined,
    }
    return { visit, isNew: identified.isNew, envelope: context.envelope }
  }

  private needsOf(projectId: number): RequestNeeds {
    return requestNeedsOf(this.dependencies.definitions.compiled(projectId, mainEnvironment))
  }

  private visitorOf({ visitors, headers }: VisitRequest, context: RequestVisitor): IdentifiedVisitor {
    const { ingestContext } = this.dependencies
    if (visitors === 'daily' || !mayBeIdentified(context.envelope, ingestContext))
      return { visitor: cookielessVisitorId(context, ingestContext), isCookieless: true, isNew: false }
    const known = parseVisitorCookie(headers.cookie)
    return { visitor: known ?? newUuid(ingestContext.world), isCookieless: false, isNew: known === undefined }
  }

  private decide(context: RequestVisitor, identified: IdentifiedVisitor): Decision[] {
    const { decider, ingestContext } = this.dependencies
    const { projectId, receivedAt } = context.envelope
    const { visitor } = identified
    const decided = decider.decideNow(projectId, mainEnvironment, {
      distinctId: visitor,
      deviceId: visitor,
      ofRequest: this.needsOf(projectId).circumstances
        ? visitorPropertiesOf(context, ingestContext)
        : undefined,
      asks: 'page',
      isNobody: isNobody(identified),
      now: receivedAt,
    })
    return isCrawler(context) ? decided.map(originalOf) : decided
  }

  private withheldIn(projectId: number): readonly string[] {
    const { definitions, trialsOf } = this.dependencies
    const flags = withheldBy(definitions.compiled(projectId, mainEnvironment))
    const trials = trialsOf(projectId)
    return trials.length === 0 ? flags : [...flags, ...trials.map(({ key }) => key)]
  }

  /** Crawlers see the original of the trials of posts. */
  private decisionsFor(
    decided: readonly Decision[],
    context: RequestVisitor,
    { visitor }: IdentifiedVisitor,
  ): Pick<Visit, 'decisions' | 'payloads'> {
    const decisions: Record<string, boolean | string> = {}
    const payloads: Record<string, Json> = {}
    for (const trial of this.dependencies.trialsOf(context.envelope.projectId))
      decisions[trial.key] = isCrawler(context) ? false : (variantFor(trial, visitor) ?? false)
    for (const decision of decided) {
      const { flag, value, payload, reason } = decision
      if (reason.code === 'undecided') continue
      decisions[flag.key] = value
      if (payload !== undefined) payloads[flag.key] = payloadIn(decision, payload)
    }
    return { decisions, payloads }
  }
}

interface IdentifiedVisitor {
  visitor: string
  isCookieless: boolean
  isNew: boolean
}

/** Whether the visitor has no id or a new one, so that nothing can be stored for them. */
const isNobody = ({ isCookieless, isNew }: IdentifiedVisitor): boolean => isCookieless || isNew

/** Makes a value when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function stepContextOf({ projectId, host, address, headers, receivedAt }: VisitRequest): RequestVisitor {
  const envelope: Envelope = {
    projectId,
    dialect: 'site',
    receivedAt,
    sentAt: undefined,
    address,
    userAgent: headers['user-agent'] ?? '',
    language: headers['accept-language'],
    optedOut: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
    fromServer: false,
    isHistorical: false,
  }
  return { envelope, properties: {}, host }
}

const parsedPayloads = new WeakMap<Decision, Json>()

/** Parses a payload once for each decision object. Payloads were validated as JSON when they were saved. */
function payloadIn(decision: Decision, payload: string): Json {
  const known = parsedPayloads.get(decision)
  if (known !== undefined) return known
  const parsed = JSON.parse(payload) as Json
  parsedPayloads.set(decision, parsed)
  return parsed
}

const withheldKeys = new WeakMap<CompiledFlags, readonly string[]>()

function withheldBy(compiled: CompiledFlags): readonly string[] {
  const known = withheldKeys.get(compiled)
  if (known) return known
  const keys = compiled.flags.filter(({ flag }) => isForServersOnly(flag)).map(({ flag }) => flag.key)
  withheldKeys.set(compiled, keys)
  return keys
}

/** The fields of a trial that a visit needs. */
export type VisitTrial = Pick<Trial, 'key'> & { variants: readonly { key: string }[] }

/** Returns the visitor's variant. Variants have equal shares and are assigned by hash as those of flags are. */
function variantFor({ key, variants }: VisitTrial, visitor: string): string | undefined {
  const place = Math.floor(variantBucketOf(key, visitor) * variants.length)
  return variants.at(Math.min(place, variants.length - 1))?.key
}
