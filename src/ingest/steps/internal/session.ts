import { isUuid, newUuid, timeOfUuid } from '../../uuid'
import { maxSessionMs } from '../../sessions'
import { textOf, type StepContext, type IngestStep, type PipelineDraft } from './step'
import { yesterdaysVisitorId } from './visitor'

/** The tolerance between a client's clock and ours, even after correction. */
const clockTolerance = 5 * 60_000

/**
 * Finds the session: the SDK's own if it has a plausible id, otherwise the visitor's current session. The SDK's session
 * is recorded too, so that a server's event joins the browser's session.
 */
export const findSession: IngestStep = (draft, context) => {
  const { projectId, importId } = context.envelope
  const { sessions, world } = context.ingest
  const at = draft.at.getTime()
  const claimedId = claimedSessionId(draft, at, importId !== undefined)
  const ongoing = claimedId === undefined ? ongoingSession(draft, context, at) : undefined
  draft.sessionId = claimedId ?? ongoing?.id ?? newUuid(world, at)
  draft.isSessionDerived = claimedId === undefined
  sessions.record(projectId, draft.distinctId, draft.sessionId, at, ongoing?.start)
}

/**
 * PostHog's rule: the id is a version 7 uuid, and its time is the session's start. It must be neither after the event
 * nor more than a day before it. The id has the time of the client's clock, and so has the uncorrected event.
 * Imported sessions may have ids of any version.
 */
function claimedSessionId(draft: PipelineDraft, at: number, isImported: boolean): string | undefined {
  const claimedId = draft.isCookieless ? '' : textOf(draft.event.properties, '$session_id').toLowerCase()
  if (isImported && isUuid(claimedId)) return claimedId
  const start = timeOfUuid(claimedId)
  if (start === undefined) return undefined
  const byClient = draft.event.timestamp?.getTime() ?? at
  return isWithinSession(start, at) || isWithinSession(start, byClient) ? claimedId : undefined
}

const isWithinSession = (start: number, at: number): boolean =>
  start <= at + clockTolerance && at - start <= maxSessionMs + clockTolerance

/** Searches by the visitor's current id, then by earlier ids of the same visitor. */
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
