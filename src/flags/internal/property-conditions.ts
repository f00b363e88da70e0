import {
  type CohortCondition,
  compile,
  type CompiledFilter,
  conditionProblem,
  type PropertyCondition,
} from '#filters/filter'
import { operators } from '#filters/operators'

/** Caches compiled conditions, so that a change does not compile unchanged ones again. */
const compiledConditions = new WeakMap<object, CompiledFilter>()

export function compiledConditionOf(condition: PropertyCondition | CohortCondition): CompiledFilter {
  const decider = compiledConditions.get(condition) ?? compileFresh(condition)
  compiledConditions.set(condition, decider)
  return decider
}

/**
 * Agrees with insights: an invalid version or date counts as absent. Only a failed look-up is 'unknown', so that a
 * person whose version is "dev" does not leave a flag undecided for good.
 */
function compileFresh(condition: PropertyCondition | CohortCondition): CompiledFilter {
  if (condition.type === 'cohort') return compile(condition)
  // only an import brings such a condition; PostHog never fulfils it either
  if (conditionProblem(condition.operator, condition.value) !== undefined) return () => false
  const holds = compile(condition)
  const { otherwise } = operators[condition.operator]
  return (subject, now) => {
    const answer = holds(subject, now)
    return answer === 'unknown' && subject.property(condition).known ? otherwise : answer
  }
}
