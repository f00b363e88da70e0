import type { EventDraft, Envelope, IncomingEvent, PreparationOutcome } from '#events/event'
import type { Counts, StepCount } from './counts'
import { readElements } from './steps/internal/elements'
import { readEngagement } from './steps/internal/engagement'
import { noteEnvironment, noteImport } from './steps/internal/environment'
import { refuseRobots, takeDerivedFacts, writeDerivedProperties } from './steps/internal/derived'
import { readEquipment } from './steps/internal/client-details'
import { refuseNonEvents } from './steps/internal/event'
import { heedOptOut } from './steps/internal/opt-out'
import { readUrl } from './steps/internal/page'
import { cleanPerson } from './steps/internal/person'
import { locate } from './steps/internal/locate'
import { writeProperties } from './steps/internal/properties'
import { heedQuota } from './steps/internal/quota'
import { readReferrer } from './steps/internal/referrer'
import { readRevenue } from './steps/internal/revenue'
import { findSession } from './steps/internal/session'
import { shieldAddresses, shieldCountries, shieldHosts, shieldPages } from './steps/internal/shields'
import { readSource } from './steps/internal/source'
import { dropSpamReferrers } from './steps/internal/spam-referrers'
import { readSurvey } from './steps/internal/survey'
import {
  type StepContext,
  type IngestContext,
  type IngestStep,
  type PipelineDraft,
  createPipelineDraft,
} from './steps/internal/step'
import { correctTime } from './steps/internal/time'
import { findSender, tellTraffic } from './steps/internal/traffic'
import { readUserAgent } from './steps/internal/user-agent'
import { findVisitor } from './steps/internal/visitor'
import { isUuid, newUuid, uuidFrom } from './uuid'

export type { IngestContext } from './steps/internal/step'

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
  noteImport,
  writeProperties,
} satisfies Record<string, IngestStep>

/** The steps of an event that another Tilth prepared: nothing is derived again, and what the project refuses stays out. */
const stepsOfDerived = {
  refuseNonEvents,
  correctTime,
  takeDerivedFacts,
  refuseRobots,
  shieldHosts,
  shieldPages,
  shieldCountries,
  cleanPerson,
  noteImport,
  writeDerivedProperties,
} satisfies Record<string, IngestStep>

/** Only one event in this many is timed: reading the clock after every step would cost as much as three steps. */
const timedEvery = 16

/** A step and its counter. */
interface CountedStep {
  step: IngestStep
  count: StepCount
}

interface CountedLists {
  sent: readonly CountedStep[]
  derived: readonly CountedStep[]
}

const countedSteps = new WeakMap<Counts, CountedLists>()

/** Finds the counters once: looking up the names of all steps for every event costs more than most steps. */
function stepsCountedBy(counts: Counts): CountedLists {
  const known = countedSteps.get(counts)
  if (known) return known
  const counted = (list: Record<string, IngestStep>): CountedStep[] =>
    Object.entries(list).map(([name, step]) => ({ step, count: counts.step(name) }))
  const lists = { sent: counted(steps), derived: counted(stepsOfDerived) }
  countedSteps.set(counts, lists)
  return lists
}

/**
 * Runs every step before an event is written. It is synchronous, because it runs between a request and its response.
 */
export function prepare(event: IncomingEvent, envelope: Envelope, ingest: IngestContext): PreparationOutcome {
  const { counts } = ingest
  const uuid = eventUuid(event, envelope, ingest)
  const context: StepContext = { envelope, ingest, rules: ingest.rulesOf(envelope.projectId) }
  const draft = createPipelineDraft(event, envelope)
  const stepsInOrder = stepsCountedBy(counts)[event.derived ? 'derived' : 'sent']
  const isTimed = (stepsInOrder[0]?.count.runs ?? 0) % timedEvery === 0
  let before = isTimed ? counts.clock() : 0
  for (const { step, count } of stepsInOrder) {
    const reason = step(draft, context)
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

function eventUuid(event: IncomingEvent, { projectId }: Envelope, { world }: IngestContext): string {
  const { uuid } = event
  if (uuid !== undefined && isUuid(uuid)) return uuid.toLowerCase()
  const content = distinctContent(event)
  return content === undefined ? newUuid(world) : uuidFrom(`event ${projectId} ${content}`)
}

/**
 * Returns the content of an event without a uuid, by which a second copy is recognised: SDKs of before 2023 send no
 * uuid and repeat a request that failed unchanged. Undefined if nothing in it tells two events of the same kind apart.
 */
function distinctContent(event: IncomingEvent): string | undefined {
  const { name, distinctId, timestamp, ageMs, properties, person, identity, groups, group } = event
  const hasOwnId = typeof properties['$insert_id'] === 'string' && properties['$insert_id'] !== ''
  // two events may well happen within a second, and hardly within a millisecond
  const hasOwnTime = (timestamp?.getTime() ?? 0) % 1000 > 0
  if (!hasOwnId && !hasOwnTime) return undefined
  try {
    return JSON.stringify([
      name,
      distinctId,
      timestamp?.getTime(),
      ageMs,
      properties,
      person,
      identity,
      groups,
      group,
    ])
  } catch (problem) {
    // nested deeper than the stack is: a later step cuts it, and no SDK sends it twice
    if (problem instanceof RangeError) return undefined
    throw problem
  }
}

function keep(
  uuid: string,
  draft: EventDraft & Pick<PipelineDraft, 'properties'>,
  envelope: Envelope,
): PreparationOutcome {
  const { event, at, distinctId, sessionId, isSessionDerived, isCookieless, columns, properties } = draft
  const { name, hasPerson, person, identity, groups, group } = event
  const { projectId, receivedAt, importId } = envelope
  const prepared = { uuid, projectId, name, at, receivedAt, distinctId, sessionId, hasPerson, isCookieless }
  const session = isSessionDerived ? { isSessionDerived } : {}
  const origin = importId === undefined ? {} : { importId }
  return {
    kept: true,
    event: { ...prepared, ...session, ...origin, person, identity, groups, group, columns, properties },
  }
}
