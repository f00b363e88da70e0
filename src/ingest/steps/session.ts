import { newUuid, timeOfUuid } from '../uuid'
import { maxSessionMs } from '../sessions'
import { textOf, type StepContext, type IngestStep, type PipelineDraft } from './step'
import { yesterdaysVisitorId } from './visitor'

/** Clocks of senders and ours agree no better, even after correction. */
const clockTolerance = 5 * 60_000

/**
 * An SDK's own session where it has one and its id can be true; otherwise the run of the visitor's events that this one
 * belongs to, which is noted under the SDK's id as well: a server's event then joins the session of the browser.
 */
export const findSession: IngestStep = (draft, context) => {
  const { projectId } = context.envelope
  const { sessions, world } = context.ingest
  const at = draft.at.getTime()
  const claimedId = claimedSessionId(draft, at)
  const ongoing = claimedId === undefined ? ongoingSession(draft, context, at) : undefined
  draft.sessionId = claimedId ?? ongoing?.id ?? newUuid(world, at)
  draft.isSessionDerived = claimedId === undefined
  sessions.record(projectId, draft.distinctId, draft.sessionId, at, ongoing?.start)
}

/** PostHog's rule: version 7 uuids, whose time is the session's start: not after the event, nor more than a day before. */
function claimedSessionId(draft: PipelineDraft, at: number): string | undefined {
  const claimedId = draft.isCookieless ? '' : textOf(draft.event.properties, '$session_id').toLowerCase()
  const start = timeOfUuid(claimedId)
  if (start === undefined) return undefined
  return start <= at + clockTolerance && at - start <= maxSessionMs + clockTolerance ? claimedId : undefined
}

/** By the visitor's id now, and by those the same visitor had before. */
function ongoingSession(
  draft: PipelineDraft,
  context: StepContext,
  at: number,
): { id: string; start: number } | undefined {
  const { sessions } = context.ingest
  const find = (distinctId: string) => sessions.find(context.envelope.projectId, distinctId, at)
  const found = find(draft.distinctId)
  if (found) return found
  const previousId = yesterdaysVisitorId(draft, context) ?? previousIdOf(draft)
  return previousId === undefined ? undefined : find(previousId)
}

function previousIdOf({ event: { identity } }: PipelineDraft): string | undefined {
  if (identity?.kind === 'identify') return identity.anonymous
  return identity?.kind === 'alias' ? identity.alias : identity?.other
}
