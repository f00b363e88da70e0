import { z } from 'zod'
import { filter } from '#filters/filter'
import { answerConditions, answerSearch } from '#insights/kinds/survey/question'
import { breakdown, interval } from '#insights/question'
import { periodText } from '#insights/calendar/period'

/** Which submissions count. */
export const responsesFilter = z.strictObject({
  period: periodText.default('all'),
  filter: filter.optional(),
  /** Only submissions that were taken out of the results. */
  onlyRemoved: z.boolean().default(false),
  /** Only submissions with these answers. */
  answers: answerConditions.default([]),
  /** Only submissions with an answer that contains this, in any case. */
  search: answerSearch.optional(),
  withTests: z.boolean().default(false),
})

export type ResponsesFilter = z.infer<typeof responsesFilter>

export const resultsInput = responsesFilter.extend({
  interval: interval.optional(),
  breakdown: breakdown.optional(),
  limit: z.number().int().min(1).max(25).default(10),
})
export type ResultsInput = z.infer<typeof resultsInput>

const mostListed = 200

export const responsesInput = responsesFilter.extend({
  limit: z.number().int().min(1).max(mostListed).default(50),
  /** Where the list goes on, as the page before said. */
  cursor: z
    .string()
    .max(400)
    .regex(/^\d{1,15} /, 'Give the cursor that the page before ended with.')
    .optional(),
})
