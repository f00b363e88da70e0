import type { Draft, Envelope, IncomingEvent, Prepared } from '../events/event'
import { readElements } from './steps/elements'
import { readEngagement } from './steps/engagement'
import { noteEnvironment } from './steps/environment'
import { readEquipment } from './steps/equipment'
import { refuseNonEvents } from './steps/event'
import { heedOptOut } from './steps/opt-out'
import { readUrl } from './steps/page'
import { cleanPerson } from './steps/person'
import { locate } from './steps/place'
import { writeProperties } from './steps/properties'
import { heedQuota } from './steps/quota'
import { readReferrer } from './steps/referrer'
import { readRevenue } from './steps/revenue'
import { findSession } from './steps/session'
import { shieldAddresses, shieldCountries, shieldHosts, shieldPages } from './steps/shields'
import { readSource } from './steps/source'
import { dropSpamReferrers } from './steps/spam-referrers'
import { type Arrival, type House, type Step, type Underway, underway } from './steps/step'
import { correctTime } from './steps/time'
import { findSender, tellTraffic } from './steps/traffic'
import { readUserAgent } from './steps/user-agent'
import { findVisitor } from './steps/visitor'
import { isUuid, newUuid } from './uuid'

export type { House } from './steps/step'

/**
 * The order is the meaning. Texts are made fit to be kept before anything reads them. What can be dropped is dropped
 * before what it takes more to find out, and each shield stands where what it looks at is first known. The visitor and
 * the session come when nothing can drop the event any more: one that is not kept leaves no trace in either.
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
  heedQuota,
  findVisitor,
  findSession,
  cleanPerson,
  noteEnvironment,
  writeProperties,
} satisfies Record<string, Step>

/** Looking at the clock after every step of every event would take as long as three of the steps. */
const timedOneIn = 16

const inOrder: readonly [string, Step][] = Object.entries(steps)

/** Everything an event goes through before it is written down. Nothing here waits: it runs between a request and its answer. */
export function prepare(event: IncomingEvent, envelope: Envelope, house: House): Prepared {
  const { counts } = house
  const uuid = uuidOf(event, house)
  const arrival: Arrival = { envelope, house, rules: house.rulesOf(envelope.projectId) }
  const draft = underway(event, envelope)
  const isTimed = counts.step('refuseNonEvents').runs % timedOneIn === 0
  let before = isTimed ? counts.clock() : 0
  for (const [name, step] of inOrder) {
    const reason = step(draft, arrival)
    const count = counts.step(name)
    count.runs++
    if (isTimed) {
      const after = counts.clock()
      count.milliseconds += (after - before) * timedOneIn
      before = after
    }
    if (!reason) continue
    count.drops++
    return { kept: false, uuid, name: draft.event.name, reason }
  }
  return keep(uuid, draft, envelope)
}

function uuidOf({ uuid }: IncomingEvent, { world }: House): string {
  return uuid !== undefined && isUuid(uuid) ? uuid.toLowerCase() : newUuid(world)
}

function keep(uuid: string, draft: Draft & Pick<Underway, 'properties'>, envelope: Envelope): Prepared {
  const { event, at, distinctId, sessionId, isCookieless, columns, properties } = draft
  const { name, hasPerson, person, identity, groups, group } = event
  const { projectId, receivedAt } = envelope
  const prepared = { uuid, projectId, name, at, receivedAt, distinctId, sessionId, hasPerson, isCookieless }
  return { kept: true, event: { ...prepared, person, identity, groups, group, columns, properties } }
}
