import { z } from 'zod'

/** The response schema of a point in time. */
export const instant = z.iso.datetime().meta({ description: 'An instant in UTC' })

/** Names the response schema of an entry, with the fields that every entry has around its own. */
export const entryShape = (title: string, fields: z.ZodRawShape, id: z.ZodType = z.string()): z.ZodObject =>
  z.object({ id, ...fields, createdBy: z.string(), createdAt: instant }).meta({ id: title })

/** Names the response schema of an entity, whose points in time are texts in JSON. */
export const shownAs = (title: string, entity: z.ZodObject): z.ZodType => inJson(entity).meta({ id: title })

function inJson(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodDate) return instant
  if (schema instanceof z.ZodOptional) return z.optional(inJson(schema.unwrap()))
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, inJson(field)])
  return z.object(Object.fromEntries(fields))
}
