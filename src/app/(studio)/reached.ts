'use client'

import { unstable_rethrow } from 'next/navigation'
import { type Answer, notDone } from './answer'

/** A server that fails, or cannot be reached, answers too: in words, so that nothing that was typed is lost. */
export async function reached<Done>(change: () => Promise<Answer<Done>>): Promise<Answer<Done>> {
  try {
    return await change()
  } catch (problem) {
    // redirects and missing pages travel as exceptions
    unstable_rethrow(problem)
    return notDone(wordsFor(problem))
  }
}

function wordsFor(problem: unknown): string {
  if (problem instanceof Error && 'digest' in problem) {
    return `The server failed to do this. Its logs say why, under the digest ${String(problem.digest)}.`
  }
  return 'The server did not answer. Look whether it is running and reachable, then try again.'
}
