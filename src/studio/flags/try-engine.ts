import type { Outcome } from '#projects/problems'
import { isEngineError } from '#studio/parts/engine-error'
import { type ActionResult, failedWith } from '#studio/parts/action-result'
import { catchRefusals } from '#studio/parts/refusals'

/** What the engine knows, or why it cannot be asked now: flags are decided without it, and changed without it. */
export async function tryEngine<Found>(ask: () => Promise<Outcome<Found>>): Promise<ActionResult<Found>> {
  try {
    return await catchRefusals(ask)
  } catch (problem) {
    if (!isEngineError(problem)) throw problem
    return failedWith(problem.message)
  }
}
