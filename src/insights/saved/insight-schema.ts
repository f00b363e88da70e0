import { z } from 'zod'
import { entrySchema } from '#collection/entry-shape'
import { nameFor } from '#projects/name'
import type { KindName, QueryByKind } from '../answered-query'
import { queryInput } from '../query-input'

export type SavedQuery = QueryByKind[KindName]

const folderName = z
  .string()
  .trim()
  .max(80, 'Use at most 80 characters for the folder.')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.')

const tag = z
  .string()
  .trim()
  .min(1, 'A tag needs a name.')
  .max(40, 'Use at most 40 characters for a tag.')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.')

/** The part of an insight that members edit. */
export const insightFields = {
  name: nameFor('Name the insight.'),
  description: z.string().trim().max(1000, 'Use at most 1000 characters.'),
  question: queryInput,
  /** Empty if it is in no folder. */
  folder: folderName,
  tags: z
    .array(tag)
    .max(10, 'Use at most 10 tags.')
    .overwrite((tags) => [...new Set(tags)]),
}

/** A query saved under a name. */
export const savedInsight = entrySchema({
  ...insightFields,
  // the schema of its kind, which any part of the product may add, has parsed the query
  question: queryInput.meta({ description: 'As POST …/query takes it' }) as unknown as z.ZodType<SavedQuery>,
  /** Incremented by each change of the query. */
  version: z.number(),
  changedBy: z.string(),
  changedAt: z.date(),
  viewedAt: z.date().optional(),
  archivedAt: z.date().optional(),
})

/** The content as of one version. */
export const insightVersion = savedInsight.pick({
  version: true,
  name: true,
  description: true,
  question: true,
  changedBy: true,
  changedAt: true,
})
