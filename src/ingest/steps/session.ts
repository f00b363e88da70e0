import { newUuid, timeOfUuid } from '../uuid'
import { longestMs } from '../sessions'
import { textOf, type Arrival, type Step, type Underway } from './step'
import { idOfYesterday } from './visitor'

/** Clocks of senders and ours agree no better, even after correction. */
const clockTolerance = 5 * 60_000

/**
 * An SDK's own session where it has one and its id can be true; otherwise the run of the visitor's events that this one
 * belongs to, which is noted under the SDK's id as well: a server's event then joins the session of the browser.
 */
export const findSession: Step = (draft, arrival) => {
  const { projectId } = arrival.envelope
  const { sessions, world } = arrival.house
  const at = draft.at.getTime()
  const told = toldSession(draft, at)
  const known = told === undefined ? goingOn(draft, arrival, at) : undefined
  draft.sessionId = told ?? known?.id ?? newUuid(world, at)
  sessions.note(projectId, draft.distinctId, draft.sessionId, at, known?.start)
}

/** PostHog's rule: version 7 uuids, whose time is the session's start: not after the event, nor more than a day before. */
function toldSession(draft: Underway, at: number): string | undefined {
  const told = draft.isCookieless ? '' : textOf(draft.event.properties, '$session_id').toLowerCase()
  const start = timeOfUuid(told)
  if (start === undefined) return undefined
  return start <= at + clockTolerance && at - start <= longestMs + clockTolerance ? told : undefined
}

/** By the visitor's id now, and by those the same visitor had before. */
function goingOn(draft: Underway, arrival: Arrival, at: number): { id: string; start: number } | undefined {
  const { sessions } = arrival.house
  const find = (distinctId: string) => sessions.find(arrival.envelope.projectId, distinctId, at)
  const found = find(draft.distinctId)
  if (found) return found
  const before = idOfYesterday(draft, arrival) ?? idBefore(draft)
  return before === undefined ? undefined : find(before)
}

function idBefore({ event: { identity } }: Underway): string | undefined {
  if (identity?.kind === 'identify') return identity.anonymous
  return identity?.kind === 'alias' ? identity.alias : identity?.other
}
