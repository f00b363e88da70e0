import { z } from 'zod'

/** A problem with the input that its sender can correct. */
export const inputProblem = z.strictObject({
  /** The field, as the form and the API name it; absent if the problem concerns the whole input. */
  field: z.string().optional(),
  message: z.string(),
})
