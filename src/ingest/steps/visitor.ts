import type { PersonChanges } from '#events/event'
import { cookielessId, type CookielessIdInput } from '../salts'
import { hostPartsOf } from './sites'
import type { StepContext, IngestStep, PipelineDraft } from './step'

const noChanges: PersonChanges = { set: {}, setOnce: {}, unset: [], add: {} }

/**
 * Identifies a visitor without an id by a hash, which cannot be reversed once the day's salt is destroyed. Person
 * properties of such an event are dropped, because the hash does not identify a person.
 */
export const findVisitor: IngestStep = (draft, context) => {
  if (!draft.isCookieless) return
  draft.distinctId = cookielessId(context.ingest.salts.current(), cookielessIdInput(draft, context))
  draft.event.hasPerson = false
  draft.event.person = noChanges
  draft.event.identity = undefined
}

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
