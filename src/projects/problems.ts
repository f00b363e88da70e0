import type { z, ZodType } from 'zod'
import { fitsNoForm, issueInWords } from './internal/issue-words'
import type { inputProblem } from './problem-schema'

/** The type of the schema in `problem-schema`, for code that goes to browsers without it. */
export type InputProblem = z.infer<typeof inputProblem>

export interface FailedOutcome {
  done: false
  problems: InputProblem[]
  /** The author of the state that the change would have replaced unseen. */
  changedBy?: string | undefined
  /** Whether the thing itself is unknown; a problem of the input is another matter. */
  isMissing?: true
}

/** Either success, or the problems to fix. */
export type Outcome<Done = object> = ({ done: true } & Done) | FailedOutcome

export const failedOutcome = (message: string, field?: string): FailedOutcome => ({
  done: false,
  problems: [{ field, message }],
})

/** There is nothing of this name in the project. */
export const missingOutcome = (message: string): FailedOutcome => ({
  ...failedOutcome(message),
  isMissing: true,
})

export type ParsedInput<Value> = { done: true; value: Value } | FailedOutcome

/**
 * Parses input at the edge of the product; inside, types are trusted.
 *
 * @example
 * const parsed = parseInput(newFlag, input)
 * if (!parsed.done) return parsed // its problems, in sentences
 */
export function parseInput<Value>(schema: ZodType<Value>, input: unknown): ParsedInput<Value> {
  const result = schema.safeParse(input, { error: issueInWords })
  if (result.success) return { done: true, value: result.data }
  return { done: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, input, [])) }
}

type Path = readonly PropertyKey[]

/** An input that fits none of several forms has the problems of the form that it is closest to. */
function problemsOf(issue: z.core.$ZodIssue, input: unknown, above: Path): InputProblem[] {
  const path = [...above, ...issue.path]
  const forms = issue.code === 'invalid_union' && issue.message === fitsNoForm ? issue.errors : []
  const distance = (problems: readonly z.core.$ZodIssue[]) =>
    problems.filter((one) => valueAt(input, [...path, ...one.path]) === undefined).length
  const [closest] = forms.toSorted(
    (one, other) => distance(one) - distance(other) || one.length - other.length,
  )
  if (closest) return closest.flatMap((one) => problemsOf(one, input, path))
  return [{ field: path.join('.') || undefined, message: issue.message }]
}

const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), input)
