import type { Outcome } from '#projects/problems'
import { isEngineError } from '#app/engine-error'
import { type ActionResult, failedWith } from '#app/(studio)/action-result'
import { catchRefusals } from '#app/(studio)/refusals'

/** What the engine knows, or why it cannot be asked now: flags are decided without it, and changed without it. */
export async function tryEngine<Found>(ask: () => Promise<Outcome<Found>>): Promise<ActionResult<Found>> {
  try {
    return await catchRefusals(ask)
  } catch (problem) {
    if (!isEngineError(problem)) throw problem
    return failedWith(problem.message)
  }
}
