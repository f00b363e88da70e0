import type { ZodType } from 'zod'

/** A problem with the input that its sender can correct. */
export interface InputProblem {
  /** The field, as the form and the API name it; absent if the problem concerns the whole input. */
  field?: string
  message: string
}

export interface FailedOutcome {
  done: false
  problems: InputProblem[]
  /** The author of the state that the change would have replaced unseen. */
  changedBy?: string | undefined
}

/** Either success, or the problems to fix. */
export type Outcome<Done = object> = ({ done: true } & Done) | FailedOutcome

export const failedOutcome = (message: string, field?: string): FailedOutcome => ({
  done: false,
  problems: [{ field, message }],
})

export type ParsedInput<Value> = { done: true; value: Value } | FailedOutcome

/** Parses input at the edge of the product; inside, types are trusted. */
export function parseInput<Value>(schema: ZodType<Value>, input: unknown): ParsedInput<Value> {
  const result = schema.safeParse(input)
  if (result.success) return { done: true, value: result.data }
  const problems = result.error.issues.map(({ path, message }) => ({
    field: path.join('.') || undefined,
    message,
  }))
  return { done: false, problems }
}
