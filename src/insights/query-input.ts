import { z } from 'zod'

/** A query of any kind as a part of other input. The schema of its kind parses it. */
export const queryInput = z.looseObject({ kind: z.string() }, { error: 'Give the insight’s question.' })
