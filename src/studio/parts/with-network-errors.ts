'use client'

import { unstable_rethrow } from 'next/navigation'
import { type ActionResult, failedWith } from './action-result'

/** A server that fails, or cannot be reached, answers too: in words, so that nothing that was typed is lost. */
export async function withNetworkErrors<Done>(
  change: () => Promise<ActionResult<Done>>,
): Promise<ActionResult<Done>> {
  try {
    return await change()
  } catch (problem) {
    // redirects and missing pages travel as exceptions
    unstable_rethrow(problem)
    return failedWith(networkErrorMessage(problem))
  }
}

function networkErrorMessage(problem: unknown): string {
  if (problem instanceof Error && 'digest' in problem) {
    return `The server failed. Its log has the reason under the digest ${String(problem.digest)}.`
  }
  return 'The server did not respond. Check that it is running, then try again.'
}
