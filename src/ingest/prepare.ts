import type { EventDraft, Envelope, IncomingEvent, PreparationOutcome } from '#events/event'
import { readElements } from './steps/elements'
import { readEngagement } from './steps/engagement'
import { noteEnvironment } from './steps/environment'
import { readEquipment } from './steps/client-details'
import { refuseNonEvents } from './steps/event'
import { heedOptOut } from './steps/opt-out'
import { readUrl } from './steps/page'
import { cleanPerson } from './steps/person'
import { locate } from './steps/locate'
import { writeProperties } from './steps/properties'
import { heedQuota } from './steps/quota'
import { readReferrer } from './steps/referrer'
import { readRevenue } from './steps/revenue'
import { findSession } from './steps/session'
import { shieldAddresses, shieldCountries, shieldHosts, shieldPages } from './steps/shields'
import { readSource } from './steps/source'
import { dropSpamReferrers } from './steps/spam-referrers'
import { readSurvey } from './steps/survey'
import {
  type StepContext,
  type IngestContext,
  type IngestStep,
  type PipelineDraft,
  createPipelineDraft,
} from './steps/step'
import { correctTime } from './steps/time'
import { findSender, tellTraffic } from './steps/traffic'
import { readUserAgent } from './steps/user-agent'
import { findVisitor } from './steps/visitor'
import { isUuid, newUuid } from './uuid'

export type { IngestContext } from './steps/step'

/**
 * The order matters. Texts are sanitised before any step reads them. Steps that drop events come before expensive
 * look-ups, and each shield stands where its input is first known. The visitor and the session come last, when no step
 * can drop the event any more: a dropped event must not change either.
 */
const steps = {
  refuseNonEvents,
  findSender,
  shieldAddresses,
  tellTraffic,
  heedOptOut,
  correctTime,
  readUrl,
  shieldHosts,
  shieldPages,
  readReferrer,
  dropSpamReferrers,
  locate,
  shieldCountries,
  readSource,
  readUserAgent,
  readEquipment,
  readRevenue,
  readEngagement,
  readElements,
  readSurvey,
  heedQuota,
  findVisitor,
  findSession,
  cleanPerson,
  noteEnvironment,
  writeProperties,
} satisfies Record<string, IngestStep>

/** Only one event in this many is timed: reading the clock after every step would cost as much as three steps. */
const timedEvery = 16

const stepsInOrder: readonly [string, IngestStep][] = Object.entries(steps)

/**
 * Runs every step before an event is written. It is synchronous, because it runs between a request and its response.
 */
export function prepare(event: IncomingEvent, envelope: Envelope, ingest: IngestContext): PreparationOutcome {
  const { counts } = ingest
  const uuid = eventUuid(event, ingest)
  const context: StepContext = { envelope, ingest, rules: ingest.rulesOf(envelope.projectId) }
  const draft = createPipelineDraft(event, envelope)
  const isTimed = counts.step('refuseNonEvents').runs % timedEvery === 0
  let before = isTimed ? counts.clock() : 0
  for (const [name, step] of stepsInOrder) {
    const reason = step(draft, context)
    const count = counts.step(name)
    count.runs++
    if (isTimed) {
      const after = counts.clock()
      count.milliseconds += (after - before) * timedEvery
      before = after
    }
    if (!reason) continue
    count.drops++
    return { kept: false, uuid, name: draft.event.name, reason }
  }
  return keep(uuid, draft, envelope)
}

function eventUuid({ uuid }: IncomingEvent, { world }: IngestContext): string {
  return uuid !== undefined && isUuid(uuid) ? uuid.toLowerCase() : newUuid(world)
}

function keep(
  uuid: string,
  draft: EventDraft & Pick<PipelineDraft, 'properties'>,
  envelope: Envelope,
): PreparationOutcome {
  const { event, at, distinctId, sessionId, isSessionDerived, isCookieless, columns, properties } = draft
  const { name, hasPerson, person, identity, groups, group } = event
  const { projectId, receivedAt } = envelope
  const prepared = { uuid, projectId, name, at, receivedAt, distinctId, sessionId, hasPerson, isCookieless }
  const session = isSessionDerived ? { isSessionDerived } : {}
  return {
    kept: true,
    event: { ...prepared, ...session, person, identity, groups, group, columns, properties },
  }
}
