import { z } from 'zod'
import { questionFields } from '../internal/question-fields'

/** A text without an answer. */
export const statement = z.strictObject({ kind: z.literal('statement'), ...questionFields })
