import { z } from 'zod'
import { baseQuestionFields } from '../../question'
import { vitalNames } from '../../compile/web-vitals'

/** How fast pages load, answer and come to rest for three of four visitors. */
export const vitalsQuestion = z.object({
  kind: z.literal('vitals'),
  ...baseQuestionFields,
  /** Of which one the pages are told. */
  vital: z.enum(vitalNames).default('LCP'),
  limit: z.number().int().min(1).max(1000).default(10),
})
export type VitalsQuestion = z.infer<typeof vitalsQuestion>
