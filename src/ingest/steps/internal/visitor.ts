import type { CookielessVisitor, PersonChanges } from '#events/event'
import { cookielessId, type CookielessIdInput } from '../../salts'
import { hostPartsOf } from './sites'
import type { StepContext, IngestStep, PipelineDraft } from './step'

const noChanges: PersonChanges = { set: {}, setOnce: {}, unset: [], add: {} }

/**
 * Identifies a visitor without an id by a hash, which cannot be reversed once the day's salt is destroyed. Person
 * properties of such an event are dropped, because the hash does not identify a person.
 */
export const findVisitor: IngestStep = (draft, context) => {
  if (!draft.isCookieless) return claimEarlierEvents(draft, context)
  draft.distinctId = visitorIdOf(draft, context)
  draft.event.hasPerson = false
  draft.event.person = noChanges
  draft.event.identity = undefined
}

/** Trackers without a cookie identify a visitor by an id that they did not send before. */
function claimEarlierEvents(draft: PipelineDraft, context: StepContext): void {
  if (!draft.event.identifiesVisitor || draft.event.identity || draft.address === '') return
  const anonymous = cookielessId(context.ingest.salts.current(), cookielessIdInput(draft, context))
  draft.event.identity = { kind: 'identify', anonymous }
}

/** Computes an id once for an envelope, which takes as long as all other steps together. */
function visitorIdOf(draft: PipelineDraft, context: StepContext): string {
  const { envelope, ingest } = context
  const salt = ingest.salts.current()
  const input = cookielessIdInput(draft, context)
  const known = envelope.cookielessVisitor
  if (known?.salt === salt && isSameVisitor(known, input)) return known.id
  const id = cookielessId(salt, input)
  envelope.cookielessVisitor = { ...input, id, salt }
  return id
}

const isSameVisitor = (known: CookielessVisitor, input: CookielessIdInput): boolean =>
  known.projectId === input.projectId &&
  known.domain === input.domain &&
  known.address === input.address &&
  known.userAgent === input.userAgent

/** The id of the visitor before midnight, while a session from then can still continue. */
export function yesterdaysVisitorId(draft: PipelineDraft, context: StepContext): string | undefined {
  const salt = draft.isCookieless ? context.ingest.salts.previous() : undefined
  return salt && cookielessId(salt, cookielessIdInput(draft, context))
}

/** A server that names no visitor counts as its own visitor. */
function cookielessIdInput(
  { address, userAgent, columns }: PipelineDraft,
  { envelope }: StepContext,
): CookielessIdInput {
  return {
    projectId: envelope.projectId,
    domain: hostPartsOf(columns.host ?? '').domain,
    address: address || envelope.address,
    userAgent: userAgent || envelope.userAgent,
  }
}
