import { z } from 'zod'
import { filter } from '#filters/filter'
import { answerConditions, answerSearch } from '#insights/kinds/survey/schema'
import { breakdown, interval } from '#insights/query-fields'
import { periodText } from '#insights/calendar/period'

const tag = z
  .string({ error: 'Write each tag as a text.' })
  .trim()
  .min(1, 'A tag has at least one character.')
  .max(50, 'A tag has at most 50 characters.')

/** The tags of a response, which replace those it had. */
export const tagsInput = z.strictObject({
  tags: z
    .array(tag, { error: 'Give the tags as a list of texts.' })
    .max(20, 'A response has at most 20 tags.')
    .transform((tags) => [...new Set(tags)].toSorted()),
})

/** The submissions that count. */
export const responsesFilter = z.strictObject({
  period: periodText.default('all'),
  filter: filter.optional(),
  /** Only submissions that were taken out of the results. */
  onlyRemoved: z.boolean().default(false),
  /** Only submissions with these answers. */
  answers: answerConditions.default([]),
  /** Only submissions with an answer that contains this, in any case. */
  search: answerSearch.optional(),
  /** Only submissions that members gave this tag. */
  tag: tag.optional(),
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
  /** The position at which the list goes on, as the page before gave it. */
  cursor: z
    .string()
    .max(400)
    .regex(/^\d{1,15} /, 'Give the cursor that the page before ended with.')
    .optional(),
})
