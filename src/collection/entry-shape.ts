import { z } from 'zod'

/** The response schema of a point in time. */
export const instant = z.iso.datetime().meta({ description: 'An instant in UTC' })

/** Names the response schema of an entry, with the fields that every entry has around its own. */
export const entryShape = (title: string, fields: z.ZodRawShape, id: z.ZodType = z.string()): z.ZodObject =>
  z.object({ id, ...fields, createdBy: z.string(), createdAt: instant }).meta({ id: title })
