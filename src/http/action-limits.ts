import { networkOf } from '#projects/origin'
import type { Exchange } from './trusted-request'
import { ConcurrencyLimit, type ConcurrencyRules } from './concurrency-limit'

/** Pages that check passwords without a session; each check takes a tenth of a second of a core. */
const signedOutPaths = /^\/studio\/(?:sign-in|setup|join)(?:\/|$)/

const signedOutRules: ConcurrencyRules = {
  maxConcurrent: 2,
  maxWaiting: 20,
  maxPerNetwork: 8,
  maxWaitMs: 3000,
}
/** An action can be sent to any page's address, so the limits apply to all pages; an office may share one network. */
const actionRules: ConcurrencyRules = {
  maxConcurrent: 8,
  maxWaiting: 100,
  maxPerNetwork: 50,
  maxWaitMs: 5000,
}

/** Limits concurrent changes through the pages, so that many sign-ins at once never block the pages. */
export class ActionLimits {
  readonly signedOut = new ConcurrencyLimit(signedOutRules)
  readonly all = new ConcurrencyLimit(actionRules)
  /** The number of refusals since the start. */
  refused = 0
}

/** Waits for a slot for a request that may change something. Returns false if there is none; reads need none. */
export async function acquireActionSlot(
  { request: { method }, response, trustedRequest }: Exchange,
  limits: ActionLimits,
): Promise<boolean> {
  if (method !== 'POST') return true
  const limit = signedOutPaths.test(trustedRequest.path) ? limits.signedOut : limits.all
  const release = await limit.acquire(networkOf(trustedRequest.client))
  if (!release) {
    limits.refused++
    return false
  }
  if (response.destroyed) release()
  else response.once('close', release)
  return true
}
