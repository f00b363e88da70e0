import type { Goal } from '#insights/compile/goal'
import { type SearchParams, textOf } from '#studio/search-params'

/** A goal that an address suggests, which its form is filled in with. */
export interface GoalSuggestion {
  name: string
  goal: Goal
}

export function goalSuggestionIn(search: SearchParams): GoalSuggestion | undefined {
  const [name, path, event] = [textOf(search['new']), textOf(search['page']), textOf(search['event'])]
  if (name === undefined) return undefined
  if (path !== undefined) return { name, goal: { type: 'page', path } }
  return event === undefined ? undefined : { name, goal: { type: 'event', event } }
}
