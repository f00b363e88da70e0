import type { Outcome, Problem, Undone } from '../../projects/problems'

/** What became of a change, as it travels to the browser. */
export type Answer<Done = object> = ({ done: true } & Done) | (Undone & { needsPassword?: true })

export const notDone = (message: string): Undone => ({ done: false, problems: [{ message }] })

/** Keeps what the browser has no business with out of what is sent to it. */
export function told<Done, Shown>(outcome: Outcome<Done>, show: (done: Done) => Shown): Outcome<Shown> {
  return outcome.done ? { done: true, ...show(outcome) } : outcome
}

export interface Sorted {
  /** By the name of the field they belong to. */
  errors: Record<string, string>
  /** What belongs to no field of this form. */
  messages: string[]
}

/** Which problem is shown where. `scopes.0` belongs to the field `scopes`. */
export function sortProblems(problems: readonly Problem[], hasField: (name: string) => boolean): Sorted {
  const sorted: Sorted = { errors: {}, messages: [] }
  for (const { field, message } of problems) {
    const name = field?.split('.')[0] ?? ''
    if (name !== '' && hasField(name)) sorted.errors[name] ??= message
    else sorted.messages.push(message)
  }
  return sorted
}
