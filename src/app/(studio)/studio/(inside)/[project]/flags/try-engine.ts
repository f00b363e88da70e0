import type { Outcome } from '#projects/problems'
import { type ActionResult, failedWith } from '#app/(studio)/action-result'
import { catchRefusals } from '#app/(studio)/refusals'

/** What the engine knows, or why it cannot be asked now: flags are decided without it, and changed without it. */
export async function tryEngine<Found>(ask: () => Promise<Outcome<Found>>): Promise<ActionResult<Found>> {
  try {
    return await catchRefusals(ask)
  } catch (problem) {
    // Next compiles the class again for its pages, so `instanceof` does not match
    if (!(problem instanceof Error) || problem.name !== 'EngineError') throw problem
    return failedWith(problem.message)
  }
}
