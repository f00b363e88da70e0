import type { Filter } from '#filters/filter'
import type { Goal } from '#insights/compile/goal'
import type { SavedGoal } from '#insights/goals/goals'
import { eventNameAtPlausible } from './dimensions'
import { literalPattern } from './patterns'

/** Returns the names by which Plausible's clients know a goal: its own, and the one that Plausible would give it. */
function namesOf({ name, goal }: SavedGoal): string[] {
  if (goal.type === 'page') return [name, `Visit ${goal.path}`]
  return goal.type === 'event' ? [name, eventNameAtPlausible(goal.event), goal.event] : [name]
}

/** Finds a goal by its name; its own name goes before the others. */
export const goalNamed = (goals: readonly SavedGoal[], name: string): SavedGoal | undefined =>
  goals.find((goal) => goal.name === name) ?? goals.find((goal) => namesOf(goal).includes(name))

export const goalsContaining = (
  goals: readonly SavedGoal[],
  part: string,
  ignoresCase: boolean,
): SavedGoal[] => {
  const folded = (text: string) => (ignoresCase ? text.toLowerCase() : text)
  return goals.filter((goal) => namesOf(goal).some((name) => folded(name).includes(folded(part))))
}

/** The events that reach a goal, as a filter; undefined for a goal that no filter describes. */
export function filterOfGoal(goal: Goal): Filter | undefined {
  if (goal.type === 'revenue') return { type: 'event', key: '$revenue', operator: 'gt', value: 0 }
  if (goal.type === 'scroll') return undefined
  if (goal.type === 'event') {
    const named: Filter = {
      type: 'event',
      key: '$event',
      operator: 'regex',
      value: `^${literalPattern(goal.event)}$`,
    }
    return goal.filter ? { all: [named, goal.filter] } : named
  }
  const path = goal.path.split('*').map(literalPattern).join('(?s:.*)')
  return {
    all: [
      { type: 'event', key: '$event', operator: 'exact', value: ['$pageview', '$screen'] },
      { type: 'event', key: '$pathname', operator: 'regex', value: `^${path}$` },
    ],
  }
}
