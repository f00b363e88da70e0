import type { Decision } from '#flags/decision'

/** Formats a decision for a wire protocol. */
type DecisionFormatter<Words> = (decision: Decision, environment: string) => Words

/**
 * Formats each decision once. A flag has few different decisions, and each is one object shared by all visitors. The
 * cache is weak: a change of the flag replaces the objects, and their texts are dropped with them.
 */
export function memoizePerDecision<Words extends {}>(
  format: DecisionFormatter<Words>,
): DecisionFormatter<Words> {
  const cache = new WeakMap<Decision, Words>()
  return (decision, environment) => {
    const cached = cache.get(decision)
    if (cached !== undefined) return cached
    const text = format(decision, environment)
    cache.set(decision, text)
    return text
  }
}
