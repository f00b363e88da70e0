import { type CohortCondition, compile, type Decider, type PropertyCondition } from '../../filters/filter'
import { operators } from '../../filters/operators'

/** What did not change is not made ready again when something else did. */
const ready = new WeakMap<object, Decider>()

export function conditionDecider(condition: PropertyCondition | CohortCondition): Decider {
  const decider = ready.get(condition) ?? deciderOf(condition)
  ready.set(condition, decider)
  return decider
}

/**
 * As insights decide it: a version or a date that is none is as good as not there. Unknown is only what was not found, so
 * that a person whose version is "dev" does not leave a flag undecided for ever.
 */
function deciderOf(condition: PropertyCondition | CohortCondition): Decider {
  const holds = compile(condition)
  if (condition.type === 'cohort') return holds
  const { otherwise } = operators[condition.operator]
  return (subject, now) => {
    const answer = holds(subject, now)
    return answer === 'unknown' && subject.property(condition).known ? otherwise : answer
  }
}
