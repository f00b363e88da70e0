import { z } from 'zod'
import { partOf } from './change-of'
import type { Unchanging } from './unchanging'

/** The response schema of a point in time. */
export const instant = z.iso.datetime().meta({ description: 'An instant in UTC' })

/** The schema of an entry: its own fields, between those that every entry has. */
export const entrySchema = <Shape extends z.ZodRawShape>(fields: Shape) =>
  z.strictObject({
    id: z.string(),
    projectId: z.number(),
    ...fields,
    createdBy: z.string(),
    createdAt: z.date(),
  })

/** Describes an entity in answers under this title, and shows its fields that the schema has, and no others. */
export const shownAs = <Entity>(title: string, schema: z.ZodObject & z.ZodType<Entity>) => ({
  shape: schema.meta({ id: title }),
  // the schema is that of an object
  show: (entity: Unchanging<Entity>): object => partOf(schema, entity as object),
})
