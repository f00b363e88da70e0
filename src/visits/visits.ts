import type { IncomingHttpHeaders } from 'node:http'
import type { Envelope, Json } from '../events/event'
import type { CompiledFlags } from '../flags/compile'
import type { Deciding } from '../flags/deciding'
import type { Decision } from '../flags/decision'
import type { Definitions } from '../flags/definitions'
import { mainEnvironment } from '../flags/flag'
import { type Asker, circumstancesOf, cookielessVisitor, placesReadyFor } from '../ingest/asker'
import type { House } from '../ingest/prepare'
import { newUuid } from '../ingest/uuid'
import { visitorIn } from './cookie'
import { type Tried, variantFor } from './trials'
import type { Visit } from './visit'
import { wantedOf } from './wanted'

export interface VisitsGround {
  definitions: Pick<Definitions, 'compiled'>
  deciding: Pick<Deciding, 'decideNow'>
  /** With the same salts and rules as events, so that both see one visitor. */
  house: House
  /** Those of published posts that are still tried. */
  trialsOf: (projectId: number) => readonly Tried[]
  /** What a link for trying flags out makes of decisions in this browser; undefined where it follows none. */
  tryOut(
    decisions: readonly Decision[],
    projectId: number,
    headers: IncomingHttpHeaders,
  ): Decision[] | undefined
}

/** Somebody asks for a page of a project's site. */
export interface VisitRequest {
  projectId: number
  /** How the site tells its visitors apart. */
  visitors: 'daily' | 'cookie'
  host: string
  /** The visitor's own, from trusted hops alone. */
  address: string
  headers: IncomingHttpHeaders
  receivedAt: Date
}

export interface Begun {
  visit: Visit
  /** The visitor comes for the first time, and is to be known again by a cookie. */
  isNew: boolean
  /** How this visit's events come. */
  envelope: Envelope
}

/** Begins the visit of every page of a site: who it is and what they get, from memory and at once. */
export class Visits {
  constructor(private readonly ground: VisitsGround) {}

  /** Something to wait for before the first visits can be begun; undefined nearly always. */
  readyFor(request: VisitRequest): Promise<void> | undefined {
    const { definitions, house } = this.ground
    const { place } = wantedOf(definitions.compiled(request.projectId, mainEnvironment))
    return place ? placesReadyFor(askerOf(request), house) : undefined
  }

  begin(request: VisitRequest): Begun {
    const asker = askerOf(request)
    const { visitor, isCookieless, isNew } = this.visitorOf(request, asker)
    const { projectId, headers } = request
    const decided = this.decide(asker, visitor, isCookieless || isNew)
    const tried = this.ground.tryOut(decided, projectId, headers)
    const visit: Visit = {
      projectId,
      visitor,
      isCookieless,
      ...this.said(tried ?? decided, projectId, visitor),
      withheld: this.withheldIn(projectId),
      isTried: tried !== undefined,
    }
    return { visit, isNew, envelope: asker.envelope }
  }

  /** Who does not want to be followed is nobody beyond the day, whatever the site chose. */
  private visitorOf({ projectId, visitors, headers }: VisitRequest, asker: Asker): WhoIsHere {
    const { house } = this.ground
    const mayBeFollowed = !asker.envelope.optedOut || house.rulesOf(projectId).optOut === 'ignore'
    if (visitors === 'daily' || !mayBeFollowed)
      return { visitor: cookielessVisitor(asker, house), isCookieless: true, isNew: false }
    const known = visitorIn(headers.cookie)
    return { visitor: known ?? newUuid(house.world), isCookieless: false, isNew: known === undefined }
  }

  private decide(asker: Asker, visitor: string, isNobody: boolean): Decision[] {
    const { definitions, deciding, house } = this.ground
    const { projectId, receivedAt } = asker.envelope
    const wanted = wantedOf(definitions.compiled(projectId, mainEnvironment))
    return deciding.decideNow(projectId, mainEnvironment, {
      distinctId: visitor,
      deviceId: visitor,
      ofRequest: wanted.circumstances ? circumstancesOf(asker, house) : undefined,
      asks: 'page',
      isNobody,
      now: receivedAt,
    })
  }

  private withheldIn(projectId: number): readonly string[] {
    const { definitions, trialsOf } = this.ground
    const flags = withheldBy(definitions.compiled(projectId, mainEnvironment))
    const trials = trialsOf(projectId)
    return trials.length === 0 ? flags : [...flags, ...trials.map(({ key }) => key)]
  }

  private said(
    decided: readonly Decision[],
    projectId: number,
    visitor: string,
  ): Pick<Visit, 'decisions' | 'payloads'> {
    const decisions: Record<string, boolean | string> = {}
    const payloads: Record<string, Json> = {}
    for (const trial of this.ground.trialsOf(projectId))
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

interface WhoIsHere {
  visitor: string
  isCookieless: boolean
  isNew: boolean
}

function askerOf({ projectId, host, address, headers, receivedAt }: VisitRequest): Asker {
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

const read = new WeakMap<Decision, Json>()

/** Everybody who gets a value is given the same decision, and its payload is JSON that was checked when it was written. */
function payloadIn(decision: Decision, payload: string): Json {
  const known = read.get(decision)
  if (known !== undefined) return known
  const made = JSON.parse(payload) as Json
  read.set(decision, made)
  return made
}

const withheld = new WeakMap<CompiledFlags, readonly string[]>()

function withheldBy(compiled: CompiledFlags): readonly string[] {
  const known = withheld.get(compiled)
  if (known) return known
  const those = compiled.flags
    .filter(({ flag }) => flag.servedTo === 'servers' || flag.isSecret)
    .map(({ flag }) => flag.key)
  withheld.set(compiled, those)
  return those
}
