import type { Outcome } from '../../../../../../projects/problems'
import { type Answer, notDone } from '../../../../answer'
import { answering } from '../../../../refusals'

/** What the engine knows, or why it cannot be asked now: flags are decided without it, and changed without it. */
export async function asking<Found>(ask: () => Promise<Outcome<Found>>): Promise<Answer<Found>> {
  try {
    return await answering(ask)
  } catch (problem) {
    // Next compiled the class anew for its pages, so `instanceof` would not know the product's own
    if (!(problem instanceof Error) || problem.name !== 'EngineError') throw problem
    return notDone(problem.message)
  }
}
