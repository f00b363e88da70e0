import type { PersonChanges } from '../../events/event'
import { cookielessId, type Trail } from '../salts'
import { siteOf } from './sites'
import type { Arrival, Step, Underway } from './step'

const noChanges: PersonChanges = { set: {}, setOnce: {}, unset: [], add: {} }

/**
 * A visitor without an id is known for a day by a hash that nobody can undo once the day's salt is gone. Whatever such
 * an event says about a person is left out: a hash is nobody.
 */
export const findVisitor: Step = (draft, arrival) => {
  if (!draft.isCookieless) return
  draft.distinctId = cookielessId(arrival.house.salts.current(), trailOf(draft, arrival))
  draft.event.hasPerson = false
  draft.event.person = noChanges
  draft.event.identity = undefined
}

/** The id the visitor had before midnight, while a session of then can still go on. */
export function idOfYesterday(draft: Underway, arrival: Arrival): string | undefined {
  const salt = draft.isCookieless ? arrival.house.salts.previous() : undefined
  return salt && cookielessId(salt, trailOf(draft, arrival))
}

/** A server that names no visitor is its own. */
function trailOf({ address, userAgent, columns }: Underway, { envelope }: Arrival): Trail {
  return {
    projectId: envelope.projectId,
    domain: siteOf(columns.host ?? '').domain,
    address: address || envelope.address,
    userAgent: userAgent || envelope.userAgent,
  }
}
