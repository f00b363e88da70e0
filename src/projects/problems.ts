import type { ZodType } from 'zod'

/** Something about the input that the person who gave it can mend. */
export interface Problem {
  /** Which field, as the form and the API name it; absent when it is about the whole. */
  field?: string
  message: string
}

export interface Undone {
  done: false
  problems: Problem[]
}

/** Either it is done, or here is what to mend. */
export type Outcome<Done = object> = ({ done: true } & Done) | Undone

export const undone = (message: string, field?: string): Undone => ({
  done: false,
  problems: [{ field, message }],
})

export type Parsed<Value> = { done: true; value: Value } | Undone

/** Input is read once, here, at the edge of the product; inside, types are trusted. */
export function parse<Value>(schema: ZodType<Value>, input: unknown): Parsed<Value> {
  const result = schema.safeParse(input)
  if (result.success) return { done: true, value: result.data }
  const problems = result.error.issues.map(({ path, message }) => ({
    field: path.join('.') || undefined,
    message,
  }))
  return { done: false, problems }
}
