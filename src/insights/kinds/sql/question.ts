import { z } from 'zod'
import { asked } from '../../question'

/**
 * What somebody wrote in SQL. The statement alone says what is read: traffic and test accounts are for it to leave out.
 * A period is there for `{{from}}` and `{{until}}`.
 */
export const sqlQuestion = z.object({
  kind: z.literal('sql'),
  text: z
    .string({ error: 'Write a statement, such as: select count() from events' })
    .max(20_000, 'A statement has at most 20000 characters.'),
  ...asked,
  filter: z
    .undefined({ error: 'Write the condition into the statement: nothing else narrows it.' })
    .optional(),
})
export type SqlQuestion = z.infer<typeof sqlQuestion>
