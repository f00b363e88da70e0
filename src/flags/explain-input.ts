import { z } from 'zod'
import type { Json, Properties } from '../events/event'
import { mainEnvironment } from './flag'

/** Whatever was read from JSON; to look into it would be to follow somebody as deep as they please. */
const value = z.custom<Json>((one) => one !== undefined)
const properties: z.ZodType<Properties> = z.record(z.string(), value, {
  error: 'Give properties as an object.',
})
const id = (missing: string) =>
  z.string({ error: missing }).min(1, missing).max(400, 'An id has at most 400 characters.')
const other = id('Give the id as text.')

/** Whom a question is about: "what does this visitor get, and why". */
export const explainInput = z.strictObject({
  environment: z.string({ error: 'Name the environment.' }).default(mainEnvironment),
  distinctId: id('Give the visitor’s distinct id.'),
  deviceId: other.optional(),
  anonymousId: other.optional(),
  groups: z.record(z.string(), other).optional(),
  personProperties: properties.optional(),
  groupProperties: z.record(z.string(), properties).optional(),
})
