import { hash } from 'node:crypto'
import type { Decisions } from '#flags/flag-decider'
import { cookielessVisitorId, isCrawler, mayBeIdentified, type RequestVisitor } from '#ingest/request-visitor'
import type { IngestContext } from '#ingest/prepare'
import { newUuid } from '#ingest/uuid'
import { originalOf } from '../../internal/originals'
import { applyForcedFlag } from '#wire/forced-flags'
import type { FlagRequest, ForcedFlags, RemoteVisit, RemoteVisitRequest } from '#wire/dialect'

interface Dependencies {
  decide: (request: FlagRequest) => Decisions | Promise<Decisions>
  findForcedFlags: (token: string) => ForcedFlags | undefined
  context: IngestContext
}

/** Begins a visit as the front does for its own site (`#visits/visits`), for a page that another server renders. */
export async function beginRemoteVisit(
  request: RemoteVisitRequest,
  { decide, findForcedFlags, context }: Dependencies,
): Promise<RemoteVisit> {
  const { envelope, environment, host, previewToken } = request
  const requestVisitor: RequestVisitor = { envelope, properties: {}, host }
  const forCrawler = isCrawler(requestVisitor)
  const visitor = forCrawler ? undefined : identifyVisitor(request, context)
  const found = await decide(flagRequestOf(request, visitor))
  const decisions = forCrawler ? found.decisions.map(originalOf) : found.decisions
  const forced = previewToken === undefined ? undefined : findForcedFlags(previewToken)
  const isPreview = forced?.projectId === envelope.projectId
  return {
    visitor,
    isNew: visitor !== undefined && visitor !== request.visitor,
    isCrawler: forCrawler,
    isPreview,
    exposureSeed: exposureSeedOf(request, visitor ?? cookielessVisitorId(requestVisitor, context)),
    decisions: isPreview ? decisions.map((one) => applyForcedFlag(one, forced, environment)) : decisions,
  }
}

/** The request for every flag. */
export const flagRequestOf = (
  { environment, host, envelope, deviceId }: RemoteVisitRequest,
  visitor: string | undefined,
): FlagRequest => ({
  environment,
  host,
  envelope,
  distinctId: visitor,
  deviceId: visitor && (deviceId ?? visitor),
  anonymousId: undefined,
  groups: {},
  person: {},
  groupProperties: {},
  keys: undefined,
  contexts: undefined,
  mayLocate: true,
  asks: 'page',
})

const identifyVisitor = (
  { envelope, visitor, mayIdentify }: RemoteVisitRequest,
  context: IngestContext,
): string | undefined =>
  mayIdentify && mayBeIdentified(envelope, context) ? (visitor ?? newUuid(context.world)) : undefined

/** The same for a visitor all day, so that the same exposure, reported by server and browser, has one id. */
const exposureSeedOf = ({ envelope: { projectId, receivedAt } }: RemoteVisitRequest, id: string): string =>
  hash('sha256', JSON.stringify([projectId, id, receivedAt.toISOString().slice(0, 10)]), 'base64url').slice(
    0,
    22,
  )
