import { z } from 'zod'

/** The response schema of a point in time. */
export const instant = z.iso.datetime().meta({ description: 'An instant in UTC' })

/** Names the response schema of an entry, with the fields that every entry has around its own. */
export const entryShape = (title: string, fields: z.ZodRawShape, id: z.ZodType = z.string()): z.ZodObject =>
  z.object({ id, ...fields, createdBy: z.string(), createdAt: instant }).meta({ id: title })

/** Names the response schema of an entity, whose points in time are texts in JSON. */
export const shownAs = (title: string, entity: z.ZodObject): z.ZodObject =>
  z
    .object(Object.fromEntries(Object.entries(entity.shape).map(([name, field]) => [name, inJson(field)])))
    .meta({ id: title })

function inJson(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodDate) return instant
  return field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodDate ? instant.optional() : field
}
