import { z } from 'zod'
import { baseQueryFields } from '../../query-fields'

/**
 * A query in SQL. The statement alone decides what is read: it has to leave out robots and test accounts itself.
 * The period is available as `{{from}}` and `{{until}}`.
 */
export const sqlQuery = z.object({
  kind: z.literal('sql'),
  text: z
    .string({ error: 'Write a query, such as: select count() from events' })
    .max(20_000, 'A query has at most 20000 characters.'),
  /** Lines and bars take their labels from the first column, and a series from each further column of numbers. */
  chart: z.enum(['table', 'line', 'bar']).default('table'),
  ...baseQueryFields,
  filter: z
    .undefined({ error: 'SQL insights have no filters. Write the condition into the query.' })
    .optional(),
})
export type SqlQuery = z.infer<typeof sqlQuery>
