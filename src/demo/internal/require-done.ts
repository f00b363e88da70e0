import type { Outcome } from '#projects/problems'

/** Throws if an outcome is a failure: the content is constant, so a refusal is a bug of the demo. */
export function requireDone<Done>(outcome: Outcome<Done>): Done {
  if (outcome.done) return outcome
  throw new Error(outcome.problems.map(({ message }) => message).join(' '))
}
