import type { IncomingHttpHeaders } from 'node:http'
import type { Envelope, Json } from '#events/event'
import type { CompiledFlags } from '#flags/compile'
import type { FlagDecider } from '#flags/flag-decider'
import type { Decision } from '#flags/decision'
import type { FlagDefinitions } from '#flags/definitions'
import { mainEnvironment } from '#flags/flag'
import {
  type RequestVisitor,
  visitorPropertiesOf,
  cookielessVisitorId,
  whenPlaceReady,
} from '#ingest/request-visitor'
import { parseVisitorCookie } from '#ingest/cookies'
import type { IngestContext } from '#ingest/prepare'
import { newUuid } from '#ingest/uuid'
import { type VisitTrial, variantFor } from './trials'
import type { Visit } from './visit'
import { requestNeedsOf } from './request-needs'

export interface VisitsDependencies {
  definitions: Pick<FlagDefinitions, 'compiled'>
  decider: Pick<FlagDecider, 'decideNow'>
  /** Has the same salts and rules as event ingestion, so that both compute the same visitor. */
  ingestContext: IngestContext
  /** Returns the running trials of published posts. */
  trialsOf: (projectId: number) => readonly VisitTrial[]
  /** Applies a preview link's overrides to the decisions; undefined if the browser follows none. */
  applyPreview(
    decisions: readonly Decision[],
    projectId: number,
    headers: IncomingHttpHeaders,
  ): Decision[] | undefined
}

/** A request for a page of a project's site. */
export interface VisitRequest {
  projectId: number
  /** How the site identifies visitors. */
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

/** Begins the visit of each page request: identifies the visitor and decides all flags, synchronously from memory. */
export class Visits {
  constructor(private readonly dependencies: VisitsDependencies) {}

  /** Returns a promise if the data of the first visits is still loading; undefined otherwise. */
  readyFor(request: VisitRequest): Promise<void> | undefined {
    const { definitions, ingestContext } = this.dependencies
    const { place: location } = requestNeedsOf(definitions.compiled(request.projectId, mainEnvironment))
    return location ? whenPlaceReady(stepContextOf(request), ingestContext) : undefined
  }

  begin(request: VisitRequest): StartedVisit {
    const context = stepContextOf(request)
    const { visitor, isCookieless, isNew } = this.visitorOf(request, context)
    const { projectId, headers } = request
    const decided = this.decide(context, visitor, isCookieless || isNew)
    const tried = this.dependencies.applyPreview(decided, projectId, headers)
    const visit: Visit = {
      projectId,
      visitor,
      isCookieless,
      ...this.decisionsFor(tried ?? decided, projectId, visitor),
      withheld: this.withheldIn(projectId),
      isTried: tried !== undefined,
    }
    return { visit, isNew, envelope: context.envelope }
  }

  /** Visitors who opted out get a daily id, whatever the site's setting. */
  private visitorOf(
    { projectId, visitors, headers }: VisitRequest,
    context: RequestVisitor,
  ): IdentifiedVisitor {
    const { ingestContext } = this.dependencies
    const mayBeFollowed = !context.envelope.optedOut || ingestContext.rulesOf(projectId).optOut === 'ignore'
    if (visitors === 'daily' || !mayBeFollowed)
      return { visitor: cookielessVisitorId(context, ingestContext), isCookieless: true, isNew: false }
    const known = parseVisitorCookie(headers.cookie)
    return { visitor: known ?? newUuid(ingestContext.world), isCookieless: false, isNew: known === undefined }
  }

  private decide(context: RequestVisitor, visitor: string, isNobody: boolean): Decision[] {
    const { definitions, decider, ingestContext } = this.dependencies
    const { projectId, receivedAt } = context.envelope
    const needs = requestNeedsOf(definitions.compiled(projectId, mainEnvironment))
    return decider.decideNow(projectId, mainEnvironment, {
      distinctId: visitor,
      deviceId: visitor,
      ofRequest: needs.circumstances ? visitorPropertiesOf(context, ingestContext) : undefined,
      asks: 'page',
      isNobody,
      now: receivedAt,
    })
  }

  private withheldIn(projectId: number): readonly string[] {
    const { definitions, trialsOf } = this.dependencies
    const flags = withheldBy(definitions.compiled(projectId, mainEnvironment))
    const trials = trialsOf(projectId)
    return trials.length === 0 ? flags : [...flags, ...trials.map(({ key }) => key)]
  }

  private decisionsFor(
    decided: readonly Decision[],
    projectId: number,
    visitor: string,
  ): Pick<Visit, 'decisions' | 'payloads'> {
    const decisions: Record<string, boolean | string> = {}
    const payloads: Record<string, Json> = {}
    for (const trial of this.dependencies.trialsOf(projectId))
      decisions[trial.key] = variantFor(trial, visitor) ?? false
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
  const those = compiled.flags
    .filter(({ flag }) => flag.servedTo === 'servers' || flag.isSecret)
    .map(({ flag }) => flag.key)
  withheldKeys.set(compiled, those)
  return those
}
