import { z } from 'zod'
import type { Json, Properties } from '#events/event'
import { mainEnvironment } from './flag'

/** Accepts any parsed JSON value. Validating it recursively would let the sender choose the depth. */
const value = z.custom<Json>((one) => one !== undefined)
const properties: z.ZodType<Properties> = z.record(z.string(), value, {
  error: 'Give properties as an object.',
})
const id = (missing: string) =>
  z.string({ error: missing }).min(1, missing).max(400, 'An id has at most 400 characters.')
const other = id('Give the id as text.')

/** The visitor of an explanation. */
export const explainInput = z.strictObject({
  environment: z.string({ error: 'Name the environment.' }).default(mainEnvironment),
  distinctId: id('Give the visitor’s distinct id.'),
  deviceId: other.optional(),
  anonymousId: other.optional(),
  groups: z.record(z.string(), other).optional(),
  personProperties: properties.optional(),
  groupProperties: z.record(z.string(), properties).optional(),
})
