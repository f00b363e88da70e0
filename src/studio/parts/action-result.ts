import type { Outcome, InputProblem, FailedOutcome } from '#projects/problems'

/** The outcome of a change, as it travels to the browser. */
export type ActionResult<Done = object> = ({ done: true } & Done) | (FailedOutcome & { needsPassword?: true })

export const failedWith = (message: string): FailedOutcome => ({ done: false, problems: [{ message }] })

/** Converts an outcome, so that only the shown fields reach the browser. */
export function mapOutcome<Done, Shown>(outcome: Outcome<Done>, show: (done: Done) => Shown): Outcome<Shown> {
  return outcome.done ? { done: true, ...show(outcome) } : outcome
}

export interface SortedProblems {
  /** By the name of the field they belong to. */
  errors: Record<string, string>
  /** The problems that belong to no field of this form. */
  messages: string[]
}

/** From the most particular on: `a.b.0` may be about a field of that name, or `a.b`, or `a`. */
function candidateNames(field: string): string[] {
  const parts = field.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.')).filter(Boolean)
}

/** Assigns each problem to the field that shows it. `scopes.0` belongs to the field `scopes`. */
export function sortProblems(
  problems: readonly InputProblem[],
  hasField: (name: string) => boolean,
): SortedProblems {
  const sorted: SortedProblems = { errors: {}, messages: [] }
  for (const { field, message } of problems) {
    const name = candidateNames(field ?? '').find(hasField)
    if (name !== undefined) sorted.errors[name] ??= message
    else sorted.messages.push(message)
  }
  return sorted
}

/** The problems of each field, one after the other; those of no field of the form stand under ''. */
export function problemsByField(
  problems: readonly InputProblem[],
  hasField: (name: string) => boolean = () => true,
): Record<string, string> {
  const byField = Map.groupBy(problems, ({ field = '' }) => candidateNames(field).find(hasField) ?? '')
  return Object.fromEntries(
    Array.from(byField, ([field, own]) => [field, own.map(({ message }) => message).join(' ')]),
  )
}
